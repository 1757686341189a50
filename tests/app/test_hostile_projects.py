"""Projects of strangers: nothing freezes, fills the memory, is lost, or is read outside."""

from __future__ import annotations

import io
import os
import random
import resource
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hostile_projects import CONFIRMED, KINDS, craft
from PySide6.QtWidgets import QMessageBox

from anaphora.services.export import snapshot, write_export
from anaphora.services.external_changes import changed_originals
from anaphora.services.opening import open_paths, open_project
from anaphora.store.own_originals import remember, undecided

MEBIBYTE = 2**20


@pytest.mark.parametrize("kind", ["unpacking", "many unpackings"])
def test_the_history_unpacks_no_more_than_texts_of_a_segment_can_be(tmp_path: Path, kind: str) -> None:
    chance = None if kind == "unpacking" else random.Random(1)
    opened = open_project(craft(tmp_path / "a.anaphora", tmp_path / "a.txt", kind, chance=chance))
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    history = opened.store.history(opened.document.at(0).id)
    opened.store.close()
    assert opened.document.at(0).target == CONFIRMED
    assert sum(len(state.target) for state in history) <= 16 * MEBIBYTE
    assert time.process_time() - begun < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024, "KiB"


@pytest.mark.parametrize(
    "kinds",
    [
        [kind for kind in KINDS if kind.startswith("deep") and kind != "deep notes"],
        ["many lists", "long row"],
    ],
    ids=["deep", "long"],
)
def test_settings_that_make_no_sense_leave_the_work_open(qtbot, make_window, tmp_path: Path, kinds) -> None:
    said: list[str] = []
    window = make_window(start=False)
    controller, services = window.controller, window.services
    for service in (services.packs, services.steering):
        service.failed.connect(said.append)
    controller.open(craft(tmp_path / "a.anaphora", tmp_path / "a.txt", *kinds))
    qtbot.waitUntil(lambda: controller.session is not None, timeout=30000)
    assert controller.session.document.at(0).target == CONFIRMED
    qtbot.waitUntil(lambda: services.memory.memories is not None, timeout=30000)
    controller.editing.type_text(controller.session.document.at(1).id, "Each node reads it.")
    qtbot.waitUntil(lambda: controller._autosave.clean, timeout=30000)
    assert services.terms._session is not None and services.consistency._session is not None
    assert any("memory packs" in text for text in said)


@pytest.fixture
def touched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are looked at or opened from now on."""
    paths: list[str] = []

    def watch(function):
        def watched(path, *args, **kwargs):
            if not isinstance(path, int):
                paths.append(os.fspath(path))
            return function(path, *args, **kwargs)

        return watched

    for name in ("stat", "lstat", "open", "scandir", "readlink"):
        monkeypatch.setattr(os, name, watch(getattr(os, name)))
    monkeypatch.setattr(io, "open", watch(io.open))
    return paths


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A file that a stranger's project names as its original."""
    (tmp_path / "home").mkdir()
    path = tmp_path / "home" / "private.txt"
    path.write_text("A private file.", "utf-8")
    return path


def test_no_file_that_a_project_names_is_touched_before_the_user_agrees(
    tmp_path: Path, private: Path, touched: list[str]
) -> None:
    project = craft(tmp_path / "a.anaphora", private)
    touched.clear()
    opened = open_paths([project])
    assert [info.path for info in opened.undecided] == [str(private)] and opened.changed == ()
    write_export(opened.store, opened.documents[0], snapshot(opened.document), tmp_path / "out.txt")
    assert not [path for path in touched if os.fsdecode(path).startswith(str(private))]

    remember(opened.undecided, may_look=False)
    assert undecided(opened.documents) == () and changed_originals(opened.store, opened.documents) == ()
    remember(opened.documents)
    assert [change.document.path for change in changed_originals(opened.store, opened.documents)]
    opened.store.close()


def test_what_was_agreed_to_holds_for_these_bytes_from_this_path(tmp_path: Path, private: Path) -> None:
    opened = open_paths([craft(tmp_path / "a.anaphora", private)])
    info = opened.documents[0]
    opened.store.close()
    remember([info])
    moved = tmp_path / "b.anaphora"
    (tmp_path / "a.anaphora").rename(moved)
    again = open_paths([moved])
    again.store.close()
    assert again.undecided == () and again.changed
    assert undecided([replace(info, path=str(private.with_name("other.txt")))])
    assert undecided([replace(info, sha256="0" * 64)])
    assert undecided([replace(info, path=r"\\192.0.2.7\share\a.txt")]) == (), "no path of this system"


def test_the_user_is_shown_the_paths_and_daily_work_asks_nothing(
    qtbot, make_window, tmp_path: Path, private: Path
) -> None:
    window = make_window(start=False)
    controller, banner = window.controller, window.presenter.banner
    controller.open(craft(tmp_path / "a.anaphora", private))
    qtbot.waitUntil(lambda: controller.session is not None, timeout=30000)
    assert banner.isVisible()
    place = window.files._place_of(controller.documents[0])
    assert place == tmp_path / private.name, "an export is proposed beside the project"
    window.presenter._ask_about_originals()
    (box,) = [each for each in window.findChildren(QMessageBox) if each.isVisible()]
    assert str(private) in box.text()
    box.buttons()[1].click()
    qtbot.waitUntil(lambda: not banner.isVisible(), timeout=30000)
    qtbot.waitUntil(lambda: _asks_about(window, private), timeout=30000)

    mine = tmp_path / "mine.txt"
    mine.write_text("账本保存每个交易。\n", "utf-8")
    controller.open(mine)
    qtbot.waitUntil(lambda: controller.path == mine, timeout=30000)
    assert not banner.isVisible() and controller.looked_at == {"1"}


def _asks_about(window, path: Path) -> bool:
    boxes = window.findChildren(QMessageBox)
    return any(box.isVisible() and "have changed" in box.text() and str(path) in box.text() for box in boxes)
