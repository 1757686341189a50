"""Whether there is a newer version: asked by a click in “About” only, and said in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from loopback_server import LoopbackServer, Play
from PySide6.QtCore import Qt
from shiboken6 import isValid

import anaphora.composition
import anaphora.updates.view
from anaphora.help.view.about import AboutDialog
from anaphora.model_downloads.transport import DownloadError, Transport
from anaphora.updates.newest import is_newer, newest, releases_address

LATEST = "api/v3/repos/OWNER/anaphora/releases/latest"


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as found:
        yield found


@pytest.fixture
def about(make_window, server, monkeypatch, qtbot) -> Callable[[], AboutDialog]:
    """Opens About in a window of version 0.5.0 whose releases are on the server of the test."""
    transport = Transport(allow_loopback=True, seconds=1.0)
    monkeypatch.setattr(anaphora.composition, "Transport", lambda: transport)
    monkeypatch.setattr(anaphora.composition, "repository", lambda: f"{server.root}OWNER/anaphora")
    monkeypatch.setattr(anaphora.updates.view, "version", lambda: "0.5.0")

    def make() -> AboutDialog:
        window = make_window()
        window.actions_by_name["about"].trigger()
        dialog = window.findChild(AboutDialog)
        assert dialog is not None
        return dialog

    return make


def tell(server: LoopbackServer, tag: object) -> None:
    """The newest release is of this tag; its own addresses are not to be opened."""
    told = {"tag_name": tag, "html_url": "https://elsewhere.example/x", "body": "<b>new</b>"}
    server.files[LATEST] = json.dumps(told).encode()


def answer(qtbot, dialog: AboutDialog) -> str:
    qtbot.mouseClick(dialog.newest_button, Qt.MouseButton.LeftButton)
    assert not dialog.newest_button.isEnabled()
    qtbot.waitUntil(dialog.newest_button.isEnabled, timeout=20000)
    return dialog.newest.text()


def test_nothing_is_asked_before_the_click(about, server, qtbot) -> None:
    tell(server, "v0.6.0")
    dialog = about()
    assert dialog.newest_button.isVisible() and "127.0.0.1" in dialog.newest.text()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.wait(200)
    assert server.requests == []


@pytest.mark.parametrize("tag", ["v0.6.0", "0.10", "v1.0.0"])
def test_a_newer_version_is_named_and_its_page_is_of_the_repository(about, server, qtbot, tag) -> None:
    tell(server, tag)
    said = answer(qtbot, about())
    assert f"Version {tag.removeprefix('v')} is there." in said
    assert f'href="{server.root}OWNER/anaphora/releases/tag/{tag}"' in said and "elsewhere" not in said
    ((path, headers),) = server.requests
    assert path == LATEST and headers["User-Agent"] == "Anaphora" and "Cookie" not in headers


@pytest.mark.parametrize("tag", ["v0.5.0", "v0.4.9"])
def test_the_newest_version_is_called_so(about, server, qtbot, tag) -> None:
    tell(server, tag)
    assert "This is the newest version." in answer(qtbot, about())


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (Play(status=404), "OWNER/anaphora has no published version."),
        (Play(status=403), "refuses to give it (403)"),
        (Play(status=503), "is overloaded or out of order (503)"),
        (Play(wait=1.5), "does not answer"),
        (Play(content=b"<html>Log in</html>"), "is no list"),
        (Play(content=b'{"tag_name": "<b>latest</b>"}'), "did not answer with a version"),
        (Play(content=b"[]"), "did not answer with a version"),
        (Play(location="http://elsewhere.example/"), "is no secure address"),
    ],
)
def test_what_goes_wrong_is_said_and_can_be_tried_again(about, server, qtbot, play, said) -> None:
    tell(server, "v0.6.0")
    server.plays[LATEST] = [play]
    dialog = about()
    assert said in answer(qtbot, dialog)
    assert "Version 0.6.0 is there." in answer(qtbot, dialog)


def test_an_answer_that_comes_when_the_dialog_is_closed_is_dropped(about, server, qtbot) -> None:
    tell(server, "v0.6.0")
    server.plays[LATEST] = [Play(wait=0.3)]
    dialog = about()
    window = dialog.parentWidget()
    qtbot.mouseClick(dialog.newest_button, Qt.MouseButton.LeftButton)
    dialog.reject()
    qtbot.waitUntil(lambda: not isValid(dialog))
    qtbot.waitUntil(lambda: not window.controller.tasks.busy, timeout=20000)


def test_a_program_that_was_built_without_a_repository_asks_nobody(make_window) -> None:
    window = make_window()
    window.actions_by_name["about"].trigger()
    dialog = window.findChild(AboutDialog)
    assert dialog is not None and not dialog.newest_button.isVisible()


def test_github_is_asked_at_its_own_address() -> None:
    told = {"https://api.github.com/repos/OWNER/anaphora/releases/latest": {"tag_name": "v1.2.3"}}
    release = newest("https://github.com/OWNER/anaphora", told.__getitem__)
    assert (release.version, release.page) == (
        "1.2.3",
        "https://github.com/OWNER/anaphora/releases/tag/v1.2.3",
    )
    assert releases_address("https://github.com/OWNER/anaphora/") in told
    with pytest.raises(DownloadError):
        newest("https://github.com/OWNER/anaphora", lambda _: {"tag_name": 5})


def test_versions_are_numbers_and_not_words() -> None:
    assert is_newer("0.10.0", "0.9.1") and is_newer("v1.0", "0.9.9") and is_newer("0.5.0", "unknown")
    assert not is_newer("0.5.0", "0.5.0") and not is_newer("0.4.0", "0.5.0") and not is_newer("next", "0.5.0")
