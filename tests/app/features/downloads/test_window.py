"""Downloading models in the window: from the start page, from a document, and failures."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from loopback_server import Play
from mozilla_models import BASE, pieces_of, publish, registry, weights
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QProgressBar
from shortlists import random_shortlist

import anaphora.features.downloads.feature
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Status
from anaphora.engine.model_files import installed_models, preferred_model
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedModel, to_text
from anaphora.features.downloads.feature import Downloads
from anaphora.features.downloads.getting import DOWNLOADS
from anaphora.features.downloads.transport import Transport
from anaphora.features.drafting.feature import Drafting
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.help.feature import Help
from anaphora.features.quality.feature import Quality
from anaphora.system.locations import models_folder, sample_document

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def start(make_window, server, transport, monkeypatch, tmp_path):
    """Makes windows with available models from the test's server."""

    def make(offers: list[OfferedModel], path: Path | None = None):
        shipped = tmp_path / "offered.json"
        shipped.write_text(to_text(offers), "utf-8")
        monkeypatch.setattr(anaphora.features.downloads.feature, "offered_models", lambda: shipped)
        monkeypatch.setattr(anaphora.features.downloads.feature, "Transport", lambda: transport)
        window = make_window(None, path)
        return window, window.of(Downloads).controller

    return make


def message_of(window) -> str:
    box = window.findChild(QMessageBox)
    assert box is not None
    text = f"{box.text()} {box.informativeText()}"
    box.close()
    return text


@pytest.mark.slow
def test_two_clicks_lead_from_the_start_page_to_drafts_by_mozillas_model(qtbot, start, server, transport):
    texts = sample_document().read_text("utf-8").splitlines()
    model = weights(BASE, (8_000, 8_000), True, end_bias=0.0)
    lists = random_shortlist(8_000, 8_000)
    entry = publish(server.files, "zh-en", BASE, model, {"vocab": pieces_of(texts, 8_000)}, lists)
    server.files["db/models.json"] = registry(server.root, {"zh-en": [entry]})
    offers = mozilla.offers(transport.read_json)
    server.requests.clear()
    window, downloads = start([*offers])
    page, offer = window.start_page, window.of(Downloads).offer
    qtbot.waitUntil(offer.get_button.isVisible, timeout=10000)
    assert offer.get_button.text() == "Get a better model, 32 MB"
    assert offer.about.text() == (
        "Firefox Translations zh-en base, from 127.0.0.1, licence MPL 2.0. "
        "New documents from Chinese into English use it."
    )
    assert not server.requests, "nothing is downloaded before the click"

    with qtbot.waitSignal(downloads.service.installed, timeout=120000):
        qtbot.mouseClick(offer.get_button, LEFT)  # the first click
        assert downloads.progress is not None and downloads.progress.isVisible()
    assert len(server.requests) == 3
    qtbot.waitUntil(lambda: preferred_model(models_folder()) is not None, timeout=10000)
    qtbot.waitUntil(lambda: not offer.get_button.isVisible(), timeout=10000)
    with qtbot.waitSignal(window.desk.worker.loaded, timeout=60000) as loaded:
        qtbot.mouseClick(page.sample_button, LEFT)  # the second
    assert loaded.args[0].model == "mozilla zh-en base"
    qtbot.waitUntil(lambda: window.of(Drafting).service.progress.done >= 5, timeout=60000)
    drafts = [window.model.segment(row).target for row in range(20)]
    assert any(re.search(r"\bw\d+", draft) for draft in drafts), "a word of this model's vocabulary alone"
    assert (
        "mozilla zh-en base" in window.of(EngineState).status.engine.toolTip() + window.of(Help).engine.model
    )


@pytest.mark.slow
def test_a_new_model_redoes_the_drafts_of_the_open_project(qtbot, start, server, tiny, tmp_path, drafted):
    path = tmp_path / "some.txt"
    path.write_text("第一个节点读取账本。\n我们更新缓存。\n", "utf-8")
    window, downloads = start([tiny], path)
    drafted(window)
    session, editing = window.session, window.controller.editing
    confirmed, untouched = window.model.segment(0), window.model.segment(1)
    editing.type_text(confirmed.id, "The first node reads the ledger.")
    editing.confirm(confirmed.id)
    window.of(Quality).banner.show()
    window.of(Quality).banner.linkActivated.emit("#models")  # the first click
    dialog = downloads.dialog
    qtbot.waitUntil(lambda: dialog.selected() is not None, timeout=10000)
    assert dialog.use_box.isChecked() and dialog.use_box.isVisible()
    assert dialog.get_button.text() == "Download: from 127.0.0.1, licence MPL 2.0" and not server.requests
    models = window.desk.models
    with qtbot.waitSignal(models.switched, timeout=60000):
        dialog.get_button.click()
    assert models.chosen.name == "mozilla zh-en tiny"
    # A model with random weights may write nothing.
    qtbot.waitUntil(lambda: session.document.get(untouched.id).target != untouched.target, timeout=60000)
    assert session.document.get(untouched.id).status is Status.DRAFT
    assert window.model.segment(0).target == "The first node reads the ledger."


@pytest.fixture
def small(offer_file) -> OfferedModel:
    """A file that downloads quickly and is not a model."""
    files = offer_file("model.bin", random.Random(1).randbytes(1_600_000)), offer_file("vocab.spm", b"v")
    return OfferedModel("zh-en base", LanguagePair(), files, "base")


def test_errors_are_reported(qtbot, start, server, small):
    window, downloads = start([small])
    qtbot.waitUntil(window.of(Downloads).offer.get_button.isVisible, timeout=10000)
    server.plays["model.bin"] = [Play(cut_after=900_000)]
    with qtbot.waitSignal(downloads.service.failed, timeout=20000):
        window.of(Downloads).offer.get_button.click()
    assert "was interrupted" in message_of(window) and downloads.progress is None
    with qtbot.waitSignal(downloads.service.failed, timeout=60000):
        window.of(Downloads).offer.get_button.click()
    said = message_of(window)
    assert "contains no supported model" in said and "Nothing has been installed." in said
    assert installed_models(models_folder()) == ()


def test_a_download_is_cancelled_in_the_window(qtbot, start, server, small):
    window, downloads = start([small])
    qtbot.waitUntil(window.of(Downloads).offer.get_button.isVisible, timeout=10000)
    server.plays["model.bin"] = [Play(slow=0.05)]
    window.of(Downloads).offer.get_button.click()
    progress = downloads.progress
    qtbot.waitUntil(lambda: progress.findChild(QProgressBar).value() > 0, timeout=10000)
    downloads.get(small, False, False)
    assert "Another model is being downloaded." in window.status_line.currentMessage()
    with qtbot.waitSignal(downloads.service.ended, timeout=10000):
        progress.reject()
    assert downloads.progress is None and not [*(models_folder() / DOWNLOADS).glob("*")]


def test_the_text_of_a_list_is_not_markup(qtbot, start, small):
    hostile = replace(small, name="<img src='x'>")
    _, downloads = start([hostile])
    downloads.open_dialog()
    dialog = downloads.dialog
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 1, timeout=10000)
    assert "&lt;img" in dialog.details.text() and "<img" not in dialog.details.text()
    dialog.close()


def test_plain_http_is_refused_in_the_window(qtbot, start, server, small, monkeypatch):
    window, _ = start([small])
    downloads = window.of(Downloads).controller
    downloads.service._transport = Transport()
    qtbot.waitUntil(window.of(Downloads).offer.get_button.isVisible, timeout=10000)
    with qtbot.waitSignal(downloads.service.failed, timeout=20000):
        window.of(Downloads).offer.get_button.click()
    assert "not a secure address" in message_of(window) and not server.requests
