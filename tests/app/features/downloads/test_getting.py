"""Models downloaded in the window are installed and make drafts; failed downloads leave no files."""

from __future__ import annotations

import gzip
import random
import re
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from loopback_server import Play
from mozilla_models import BASE, BASE_MEMORY, TINY, Size, pieces_of, publish, registry, weights
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QProgressBar
from shortlists import random_shortlist

import anaphora.features.downloads.feature
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Status
from anaphora.engine.model_files import installed_models, preferred_model
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import ListError, OfferedFile, OfferedModel, best_for, to_text
from anaphora.features.downloads.feature import Downloads
from anaphora.features.downloads.getting import DOWNLOADS, Stage, Step, get_model
from anaphora.features.downloads.transport import Control, DownloadError, Transport
from anaphora.features.drafting.feature import Drafting
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.help.feature import Help
from anaphora.features.quality.feature import Quality
from anaphora.system.locations import models_folder, sample_document
from anaphora_nmt.api import Translator
from anaphora_nmt.errors import Cancelled, ModelFileError
from anaphora_nmt.types import EngineInfo, SourceSegment

CHINESE = ["账本保存每个交易。", "每个节点读取账本。"]


ENGLISH = ["The ledger keeps every transaction.", "Each node reads the ledger."]


def quiet(step: Step) -> None:
    pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def getter(folder, transport):
    return lambda offer, control, report: get_model(offer, folder, transport, control, report)


@pytest.fixture
def quick_getter(getter, monkeypatch):
    """A function whose installed models are only a folder with a card."""

    def install(wanted, progress):
        shutil.copytree(wanted.path, wanted.folder)
        (wanted.folder / "anaphora.json").write_text("{}")
        return EngineInfo("quick", "cpu", 1, "int8", "zh", "en", ())

    monkeypatch.setattr("anaphora_nmt.api.install_model", install)
    return getter


def names(folder: Path) -> list[str]:
    """Files in the folder of installed models; fails if unfinished downloads remain."""
    unfinished = [*(folder / DOWNLOADS).glob("*")]
    return sorted(path.name for path in folder.iterdir() if path.name != DOWNLOADS or unfinished)


def draft(folder: Path, text: str) -> str:
    translator = Translator.load(folder, "cpu", 1)
    translator.open_document("d", [SourceSegment("1", text)])
    return translator.translate("d", "1").text


@pytest.mark.slow
@pytest.mark.parametrize("size", [BASE_MEMORY, TINY], ids=lambda size: size.name)
def test_mozilla_models_of_each_size_make_drafts(server, transport, getter, folder, size: Size):
    """zh-en with one vocabulary of 8,000 pieces, en-zh with two of 4,000; `test_window` gets a `base`."""
    is_shared = size is TINY
    pair, texts = ("zh-en", CHINESE) if is_shared else ("en-zh", ENGLISH)
    if is_shared:
        pieces = pieces_of([*CHINESE, *ENGLISH], 8_000)
        model = weights(size, (8_000, 8_000), True, end_bias=0.0)
        vocabularies, lists = {"vocab": pieces}, random_shortlist(8_000, 8_000)
    else:
        sides = pieces_of(ENGLISH, 4_000), pieces_of(CHINESE, 4_000)
        model = weights(size, (4_000, 4_000), False, end_bias=0.0)
        vocabularies = dict(zip(("srcVocab", "trgVocab"), sides, strict=True))
        lists = random_shortlist(4_000, 4_000)
    entry = publish(server.files, pair, size, model, vocabularies, lists)
    server.files["db/models.json"] = registry(server.root, {pair: [entry]})
    (offer,) = mozilla.offers(transport.read_json)
    assert offer.name == f"{pair} {size.name}" and offer.files
    assert offer.metrics == {"FLORES-200+ BLEU": 29.0, "FLORES-200+ COMET-22": 0.85}
    got = getter(offer, Control(), quiet)
    (installed,) = installed_models(folder)
    assert (installed.folder, f"{installed.pair.source}-{installed.pair.target}") == (got, pair)
    assert "MPL 2.0" in installed.texts[0].text
    assert draft(got, texts[0]).strip()
    assert names(folder) == [got.name]


def test_unknown_fields_in_the_registry_are_ignored(server, transport):
    def entry(size: str, status: object = "Release", end: str = ".gz", **other: object) -> dict[str, Any]:
        model = {
            "path": f"m/{size}/model.zhen.intgemm.alphas.bin{end}",
            "uncompressedHash": "a" * 64,
            "new": 1,
        }
        pieces = {"path": f"m/{size}/vocab.zhen.spm.gz", "uncompressedHash": "b" * 64, "uncompressedSize": 9}
        files = {
            "model": {**model, "uncompressedSize": 9},
            "vocab": pieces,
            "somethingElse": {"path": "x"},
            **other,
        }
        return {"architecture": size, "releaseStatus": status, "files": files}

    models: dict[str, list[dict[str, Any]]] = {
        "zh-en": [
            entry("base", None),
            entry("base", "Release Android"),
            entry("base"),
            entry("tiny", end=".zst"),
            entry("base-memory"),
            entry("student", vocab={"path": "m/vocab.zhen.spm.gz", "uncompressedSize": 9}),
            {
                "architecture": "huge",
                "releaseStatus": "Release",
                "files": {"somethingElse": {"path": "v.spm.gz"}},
            },
        ],
        "zh_hant-en": [entry("base")],
    }
    server.files["db/models.json"] = registry("https://example.org/x", models)
    offers = mozilla.offers(transport.read_json)
    assert [offer.name for offer in offers] == ["zh-en base", "zh-en base-memory", "zh_hant-en base"]
    best = best_for(reversed(offers), LanguagePair())
    assert best is not None and best.name == "zh-en base"
    known = OfferedModel("zh-en", LanguagePair())
    assert mozilla.complete(known, transport.read_json).name == "zh-en base"
    with pytest.raises(ListError, match="no longer available"):
        mozilla.complete(replace(known, name="de-en", pair=LanguagePair("de", "en")), transport.read_json)
    for broken in (b"{}", b"[1]", b'{"baseUrl": 1, "models": {"a-b": [3]}}'):
        server.files["db/models.json"] = broken
        with pytest.raises(ListError, match="cannot be read"):
            mozilla.offers(transport.read_json)
    server.files["db/models.json"] = registry("https://[::1", models)
    with pytest.raises(ListError, match="cannot be read"):
        mozilla.offers(transport.read_json)
    server.files["db/models.json"] = b"<html>"
    with pytest.raises(DownloadError, match="contains no list"):
        mozilla.offers(transport.read_json)


@pytest.mark.parametrize(
    ("name", "size"),
    [("../model.bin", 1), (".hidden", 1), ("a/b", 1), ("CON", 1), ("a", -1), ("a", "9"), ("a", 1 << 50)],
)
def test_invalid_files_are_refused(name, size):
    with pytest.raises(ListError):
        OfferedFile(name, "https://example.org/a", size, "0" * 64)


def test_progress_is_reported_from_the_first_byte_to_the_installation(quick_getter, offer):
    told: list[Step] = []
    quick_getter(offer, Control(), told.append)
    sizes = [step.done for step in told if step.stage is Stage.DOWNLOADING]
    assert sizes == sorted(sizes) and sizes[-1] == offer.size
    assert (told[0].stage, told[-1].stage) == (Stage.CONNECTING, Stage.INSTALLING)


def test_a_failed_or_cancelled_download_leaves_no_files(quick_getter, offer, folder, server):
    server.plays["vocab.spm"] = [Play(cut_after=40_000)]
    with pytest.raises(DownloadError, match="was interrupted"):
        quick_getter(offer, Control(), quiet)
    control = Control()
    with pytest.raises(Cancelled):
        quick_getter(offer, control, lambda step: control.cancel() if step.done else None)
    assert names(folder) == []


def test_a_full_disk_is_reported_before_the_download(getter, offer, server, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=10_000_000))
    with pytest.raises(DownloadError, match=r"has 10 MB of free space, but 68 MB are needed"):
        getter(offer, Control(), quiet)
    assert not server.requests


@pytest.mark.parametrize("kind", ["damaged", "cut", "larger", "behind", "smaller", "other"])
def test_packed_files_are_limited_and_checked(quick_getter, offer, server, folder, kind):
    content = gzip.decompress(server.files["model.bin"])
    other = {
        "damaged": b"no gzip" * 100,
        "cut": server.files["model.bin"][:-20],
        "larger": gzip.compress(content + bytes(1 << 24)),
        "behind": server.files["model.bin"] + bytes(2 << 20),
        "smaller": gzip.compress(content[:-1]),
        "other": gzip.compress(content[:-1] + b"x"),
    }[kind]
    server.files["model.bin"] = other
    unsaid = replace(offer.files[0], size=None)  # as in Mozilla's registry
    with pytest.raises(DownloadError, match="does not match the list"):
        quick_getter(replace(offer, files=(unsaid, offer.files[1])), Control(), quiet)
    assert names(folder) == []


def test_only_models_are_installed(getter, offer, folder):
    with pytest.raises(ModelFileError, match="contains no supported model"):
        getter(offer, Control(), quiet)
    assert names(folder) == []


LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def start(make_window, server, transport, monkeypatch, tmp_path):
    """Makes windows with available models from the test's server."""

    def make(offers: list[OfferedModel], path: Path | None = None, transport: Transport = transport):
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
    assert offer.get_button.text() == "Get a better model (32 MB)"
    assert offer.about.text() == (
        "Firefox Translations zh-en base, from 127.0.0.1, licence MPL 2.0. "
        "New documents translated from Chinese into English will use it."
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


def test_plain_http_is_refused_in_the_window(qtbot, start, server, small):
    window, downloads = start([small], transport=Transport())
    qtbot.waitUntil(window.of(Downloads).offer.get_button.isVisible, timeout=10000)
    with qtbot.waitSignal(downloads.service.failed, timeout=20000):
        window.of(Downloads).offer.get_button.click()
    assert "not a secure address" in message_of(window) and not server.requests
