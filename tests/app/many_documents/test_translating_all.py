"""All documents of a project are translated by the command's processes, from the window."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from anaphora.application import disk_looks
from anaphora.application.window_settings import window_settings
from anaphora.command_line.batch.ledger import NAME
from anaphora.core.reading_choices import Columns, ReadingChoices
from anaphora.many_documents import preparing
from anaphora.many_documents.preparing import Given, prepare
from anaphora.many_documents.view.controller import TranslateAllController
from anaphora.many_documents.view.dialog import TranslateAllDialog
from anaphora.projects.view.report import ReportDialog
from anaphora.store.project import ProjectStore
from anaphora.term_base.entries import Entry, TargetTerm

TEXTS = {
    "a.txt": "打开文件。\n",
    "第二章/b.md": "# 缓存\n\n每个节点读取缓存。\n",
    "c.csv": "甲,乙\n打开,关闭\n",
}


@pytest.fixture
def window(qtbot, make_window, tmp_path: Path, drafted):
    """A project of a folder, in which a segment is confirmed and a term is settled."""
    root = tmp_path / "手册"
    for name, text in TEXTS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    window = make_window(path=root)
    drafted(window)
    first = window.session.document.at(0).id
    window.controller.editing.type_text(first, "Open a dossier.")
    assert window.controller.editing.confirm(first)
    qtbot.waitUntil(lambda: len(window.services.memory.memories.project) == 1, timeout=30000)
    with qtbot.waitSignal(window.services.terms.put, timeout=30000):
        window.services.terms.write("project", Entry("缓存", (TargetTerm("larder"),)))
    return window


def asked(qtbot, window) -> TranslateAllDialog:
    window.actions_by_name["translate_all"].trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(TranslateAllDialog)), timeout=30_000)
    (dialog,) = window.findChildren(TranslateAllDialog)
    return dialog


def test_a_document_that_is_read_by_choices_of_its_own_is_left_out(qtbot, window, tmp_path: Path) -> None:
    controller = window.controller
    (table,) = [info for info in controller.documents if info.name == "c.csv"]
    other = replace(table, choices=replace(table.choices, columns=Columns((1,), (-1,), True)))
    more = tmp_path / "more"
    more.mkdir()
    given = Given(
        controller.store,
        (table, other, replace(other, name="d.csv")),
        None,
        (),
        (),
        window.services.models.languages,
        tmp_path,
    )
    prepared = prepare(given, tmp_path, "1")
    assert prepared.left_out == ("c.csv", "d.csv")
    assert [each.name for each in (tmp_path / "documents").iterdir()] == ["c.csv"]
    assert "--memory" not in prepared.arguments and "--terms" not in prepared.arguments
    assert not any(each.startswith("--placeholder") for each in prepared.arguments)
    own = replace(other, choices=ReadingChoices(placeholders=(r"\{\w+\}",)), name="e.txt")
    prepared = prepare(replace(given, documents=(own, table)), more, "1")
    assert r"--placeholder=\{\w+\}" in prepared.arguments
    assert prepared.left_out == ("c.csv",), "it was read without the placeholders"


def test_a_folder_that_holds_something_else_is_refused_before_the_work(qtbot, window, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("x", "utf-8")
    dialog = asked(qtbot, window)
    assert dialog.begin.isEnabled() and dialog.field.place == tmp_path / "手册-en"

    def name(text: str) -> None:
        with qtbot.waitSignal(dialog.field.looked, timeout=30_000):
            dialog.field.line.setText(text)

    name(str(full))
    assert not dialog.begin.isEnabled() and "choose an empty one" in dialog.remark.text()
    (full / NAME).touch()
    dialog.field.line.setText("")
    assert not dialog.begin.isEnabled() and dialog.remark.isHidden()
    name(str(full))
    assert dialog.begin.isEnabled() and "not done again" in dialog.remark.text()
    name("~/new folder")
    assert dialog.begin.isEnabled() and dialog.field.place == Path.home() / "new folder"
    name("~nobody")
    assert dialog.begin.isEnabled() and dialog.field.place == tmp_path / "~nobody"
    name("x" * 300)
    assert not dialog.begin.isEnabled()
    (full / NAME).unlink()
    dialog.field.line.setText(str(full))
    dialog.accept()  # before anybody has looked
    qtbot.waitUntil(lambda: "choose an empty one" in dialog.remark.text(), timeout=30_000)
    assert dialog.isVisible() and not window.translate_all.service.is_busy
    dialog.reject()


@pytest.mark.slow
def test_all_documents_are_translated_with_what_the_project_knows(qtbot, window, tmp_path: Path) -> None:
    service, out = window.translate_all.service, tmp_path / "out"
    before = [(each.target, each.status) for each in window.session.document]
    dialog = asked(qtbot, window)
    dialog.field.line.setText(str(out))
    dialog.projects.setChecked(True)
    shares: list[float] = []
    service.progressed.connect(lambda told: shares.append(told.share))
    with qtbot.waitSignal(service.ended, timeout=120_000):
        dialog.accept()
        qtbot.waitUntil(lambda: service.is_busy, timeout=30_000)
        assert window.translate_all.progress is not None
        window.translate_all.open_dialog()
        assert "already" in window.status_line.currentMessage()
    assert shares == sorted(shares) and len(shares) == len(TEXTS) and shares[-1] == 1
    assert (out / "a.txt").read_text("utf-8") == "Open a dossier.\n", "what was confirmed is taken over"
    assert (out / "第二章" / "b.md").read_text("utf-8").lower().count("larder") == 2, "terms are followed"
    assert all((out / f"{name}.anaphora").exists() for name in TEXTS)
    assert [(each.target, each.status) for each in window.session.document] == before
    (report,) = window.findChildren(ReportDialog)
    assert sorted(name for name, _ in report.rows) == sorted(TEXTS)
    assert window.translate_all.progress is None and not service.is_busy
    report.reject()


def test_a_project_that_is_closed_before_it_is_read_ends_the_run(
    qtbot, window, tmp_path, monkeypatch
) -> None:
    service = window.translate_all.service
    failed: list[str] = []
    service.failed.connect(failed.append)
    read, is_reading = ProjectStore.original, threading.Event()

    def read_slowly(store: ProjectStore, document: str = "") -> bytes:
        is_reading.set()
        time.sleep(0.2)
        return read(store, document)

    monkeypatch.setattr(ProjectStore, "original", read_slowly)
    with qtbot.waitSignal(service.cancelled, timeout=30_000):
        window.translate_all.run(tmp_path / "out", False)
        assert is_reading.wait(20)
        window.controller.close()
    assert failed == [] and not service.is_busy and not (tmp_path / "out").exists()


def test_closing_does_not_wait_for_the_document_that_is_being_looked_at(
    qtbot, window, tmp_path, monkeypatch
) -> None:
    service, reached, go_on = window.translate_all.service, threading.Event(), threading.Event()

    def look_slowly(*_: object) -> bool:
        reached.set()
        assert go_on.wait(30)
        return True

    monkeypatch.setattr(preparing, "_is_read_alike", look_slowly)
    window.translate_all.run(tmp_path / "out", False)
    assert reached.wait(20)
    begun = time.monotonic()
    assert window.controller.close()
    assert time.monotonic() - begun < 4, "it waited for as long as 5 s"
    with qtbot.waitSignal(service.cancelled, timeout=30_000):
        go_on.set()
    assert not service.is_busy and not (tmp_path / "out").exists()


def test_a_folder_that_answers_late_is_not_proposed_for_another_project(
    qtbot, window, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(disk_looks, "PATIENCE_MS", 60_000)
    asked, answers = threading.Event(), threading.Event()

    def proposed() -> Path:
        asked.set()
        assert answers.wait(30)
        return tmp_path / "手册-en"

    service = window.translate_all.service
    controller = TranslateAllController(
        window, service, proposed, Path.home, lambda: "cpu", window_settings()
    )
    controller.open_dialog()
    assert asked.wait(20)
    other = tmp_path / "another one"
    other.mkdir()
    for name in TEXTS:
        (other / Path(name).name).write_text("打开文件。\n", "utf-8")
    before = service.session
    window.controller.open(other)
    qtbot.waitUntil(lambda: service.session not in (None, before), timeout=30_000)
    assert service.count == len(TEXTS)
    answers.set()
    qtbot.wait(300)
    assert not window.findChildren(TranslateAllDialog)


@pytest.mark.slow
def test_a_run_is_cancelled_and_what_goes_wrong_is_said(qtbot, window, tmp_path: Path) -> None:
    service = window.translate_all.service
    with qtbot.waitSignal(service.cancelled, timeout=60_000):
        window.translate_all.run(tmp_path / "out", False)
        qtbot.waitUntil(lambda: service._process is not None and service._process.processId() > 0)
        window.translate_all.progress.reject()
    assert not service.is_busy and "Cancelled" in window.status_line.currentMessage()
    (tmp_path / "file").write_text("x", "utf-8")
    with qtbot.waitSignal(service.failed, timeout=60_000):
        window.translate_all.run(tmp_path / "file", False)
    (box,) = window.findChildren(QMessageBox)
    assert "is a file" in box.text()
    box.close()
