"""The term base in the window: adding and inserting terms by keys, the list, and the dialog."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.features.terms.feature import Terms
from anaphora.features.terms.usage import Verdict
from anaphora.features.terms.view.terms_of_segment import TermColumnsDialog


def ready(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.of(Terms).service.terms is not None, timeout=30000)


def double_click(edit, word: str) -> None:
    """Double-click on the last letter of a word, with small movements of the mouse."""
    cursor = edit.textCursor()
    cursor.setPosition(edit.toPlainText().index(word) + len(word))
    place = edit.cursorRect(cursor).center() - QPoint(4, 0)
    QTest.mouseDClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=place)
    moved = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(place + QPoint(2, 0)),
        edit.viewport().mapToGlobal(QPointF(place)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(edit.viewport(), moved)
    QTest.mouseRelease(edit.viewport(), Qt.MouseButton.LeftButton, pos=place)


def verdicts(window) -> dict[str, Verdict]:
    uses = window.of(Terms).segment_terms.uses
    return {use.found.entries[0].source: use.verdict for use in uses}


@pytest.mark.slow
def test_a_selection_on_both_sides_becomes_a_term_with_one_key(
    qtbot, make_window: Callable, document: Path
) -> None:
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    card = window.table.card
    card.editor.type_text("The ledger keeps every transaction.")
    double_click(card.source, "保存")
    assert card.source.selected_text() == "保存"
    double_click(card.source, "账本")
    double_click(card.editor, "ledger")
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        qtbot.keyClick(
            card.editor, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        )
    assert "账本 → ledger" in window.status_line.currentMessage()
    # jieba's dictionary and lemminflect's are loaded when they are first needed.
    qtbot.waitUntil(lambda: verdicts(window) == {"账本": Verdict.USED}, timeout=30000)
    panel = window.of(Terms).lines
    assert panel.isVisible() and "账本" in panel.text.text() and "ledger" in panel.text.text()
    card.editor.selectAll()
    card.editor.type_text("The book keeps it.")
    qtbot.waitUntil(lambda: verdicts(window) == {"账本": Verdict.IGNORED}, timeout=30000)
    assert "not used" in panel.text.text()
    remark = "“账本” should be translated as “ledger”."
    qtbot.waitUntil(lambda: remark in window.table.card.remarks.text(), timeout=30000)
    window.table.editor.put_caret(0)
    panel.text.linkActivated.emit("1")
    assert window.session.document.at(0).target == "ledgerThe book keeps it."


@pytest.mark.slow
def test_a_forbidden_term_is_an_issue_until_the_term_is_removed(
    qtbot, make_window: Callable, document: Path
) -> None:
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    terms = window.of(Terms).service
    window.table.editor.type_text("The book keeps every transaction.")
    with qtbot.waitSignal(terms.stored, timeout=30000) as put:
        terms.write("project", TermEntry("账本", (TargetTerm("ledger"), TargetTerm("book", Usage.FORBIDDEN))))
    remarks = window.table.card.remarks
    warning = "“book” must not be used for the term “账本”."
    qtbot.waitUntil(lambda: remarks.text() == warning, timeout=30000)
    with qtbot.waitSignal(terms.changed, timeout=30000):
        terms.remove("project", [put.args[0].id])
    qtbot.waitUntil(lambda: remarks.text() == "", timeout=30000)


def test_a_key_inserts_a_term_at_the_caret(qtbot, make_window: Callable, document: Path) -> None:
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    with qtbot.waitSignal(window.of(Terms).service.changed, timeout=30000):
        window.of(Terms).service.write("project", TermEntry("账本", (TargetTerm("ledger"),)))
    qtbot.waitUntil(lambda: len(window.of(Terms).segment_terms.uses) == 1, timeout=30000)
    editor = window.table.editor
    editor.type_text("The ")
    qtbot.keyClick(editor, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert window.session.document.at(0).target == "The ledger"
    qtbot.keyClick(editor, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert window.status_line.currentMessage() == "This segment has no term with that number."


def test_an_incomplete_entry_is_refused_with_a_message(qtbot, make_window: Callable, document: Path) -> None:
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    window.actions_by_name["terms"].trigger()
    dialog = window.of(Terms).segment_terms.dialog
    dialog.source.setText("账本")
    with qtbot.waitSignal(window.of(Terms).service.failed, timeout=30000) as signal:
        dialog.new()
    assert signal.args[0] and not dialog.source.text()
    dialog.new()  # empty fields: no message
    dialog.close()


def test_the_dialog_adds_changes_and_removes_terms(qtbot, make_window: Callable, document: Path) -> None:
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    terms = window.of(Terms).service
    window.actions_by_name["terms"].trigger()
    dialog = window.of(Terms).segment_terms.dialog
    for source, preferred, forbidden in (("账本", "ledger", "book; account"), ("缓存", "cache", "")):
        dialog.new()
        dialog.source.setText(source)
        dialog.preferred.setText(preferred)
        dialog.forbidden.setText(forbidden)
        with qtbot.waitSignal(terms.stored, timeout=30000):
            dialog.save.click()
    assert dialog.model.rowCount() == 2 and dialog.count.text() == "Terms: 2 of 2"
    dialog.search.setText("LEDG")
    assert dialog.proxy.rowCount() == 1 and dialog.count.text() == "Terms: 1 of 2"
    dialog.list.setCurrentIndex(dialog.proxy.index(0, 0))
    assert dialog.forbidden.text() == "book; account"
    dialog.admitted.setText("register")
    with qtbot.waitSignal(terms.stored, timeout=30000):
        dialog.save.click()
    assert terms.terms.entries["project"][0].targets == (
        TargetTerm("ledger", Usage.PREFERRED),
        TargetTerm("register", Usage.ADMITTED),
        TargetTerm("book", Usage.FORBIDDEN),
        TargetTerm("account", Usage.FORBIDDEN),
    )
    with qtbot.waitSignal(terms.changed, timeout=30000):
        dialog.remove.click()
    assert [entry.source for entry in terms.terms.entries["project"]] == ["缓存"]
    dialog.close()
    assert window.of(Terms).segment_terms.dialog is None


@pytest.mark.slow
def test_terms_are_imported_exported_and_shared_between_projects(
    qtbot, make_window: Callable, document: Path, tmp_path: Path
) -> None:
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    table = tmp_path / "terms.csv"
    table.write_text("source,target\n账本,ledger\n缓存,cache\n", "utf-8")
    terms = window.of(Terms).service
    with qtbot.waitSignal(terms.imported, timeout=30000) as signal:
        terms.import_file("shared", table)
    assert signal.args[0].added == 2
    with qtbot.waitSignal(terms.exported, timeout=30000):
        terms.export_file("shared", tmp_path / "out.tbx")
    assert "<term>ledger</term>" in (tmp_path / "out.tbx").read_text("utf-8")
    other = tmp_path / "other.txt"
    other.write_text("缓存。\n", "utf-8")
    window.opener.open(other)
    qtbot.waitUntil(
        lambda: window.session is not None and window.session.document.name == "other.txt", timeout=30000
    )
    ready(qtbot, window)
    assert {entry.source for entry in terms.terms.entries["shared"]} == {"账本", "缓存"}


@pytest.mark.slow
def test_unknown_columns_are_asked_for(qtbot, make_window: Callable, document: Path, tmp_path: Path) -> None:
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    table = tmp_path / "terms.csv"
    table.write_text("账本,ledger,money,Fin\n缓存,cache,computing,IT\n", "utf-8")
    window.of(Terms).segment_terms.import_file("project", table)
    window.of(Terms).segment_terms.import_file("shared", table)  # must wait
    qtbot.waitUntil(lambda: bool(window.findChildren(TermColumnsDialog)), timeout=30000)
    (dialog,) = window.findChildren(TermColumnsDialog)
    assert "缓存" in dialog.columns.sources.item(0).text() and "computing" in dialog.columns.target.itemText(
        2
    )
    assert dialog.import_button.isEnabled() and dialog.columns.target.currentIndex() == 1, (
        "another one is offered"
    )
    dialog.columns.target.setCurrentIndex(0)
    assert not dialog.import_button.isEnabled(), "one column cannot be both"
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()
    dialog.columns.target.setCurrentIndex(1)
    dialog.columns.sources.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.import_button.isEnabled(), "the column of the terms is unknown"
    dialog.columns.sources.item(0).setCheckState(Qt.CheckState.Checked)
    with qtbot.waitSignal(window.of(Terms).service.imported, timeout=30000) as signal:
        dialog.import_button.click()
    assert signal.args[0].added == 2
    entries = window.of(Terms).service.terms.entries["project"]
    assert {entry.source: entry.allowed for entry in entries} == {"账本": ("ledger",), "缓存": ("cache",)}


@pytest.mark.slow
def test_closing_the_dialog_stores_complete_entries(qtbot, make_window: Callable, document: Path) -> None:
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    window.of(Terms).segment_terms.open_dialog()
    dialog = window.of(Terms).segment_terms.dialog
    qtbot.keyClicks(dialog.source, "cache")
    qtbot.keyClicks(dialog.preferred, "store")
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000) as put:
        dialog.close()
    assert put.args[0].source == "cache" and put.args[0].allowed == ("store",)
    qtbot.waitUntil(lambda: window.of(Terms).segment_terms.dialog is None)
    window.of(Terms).segment_terms.open_dialog()
    dialog = window.of(Terms).segment_terms.dialog
    qtbot.keyClicks(dialog.source, "node")
    qtbot.keyClicks(dialog.preferred, "peer")
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000) as put:
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert put.args[0].allowed == ("peer",)
    window.of(Terms).segment_terms.open_dialog()
    dialog = window.of(Terms).segment_terms.dialog
    qtbot.keyClicks(dialog.source, "ring")
    dialog.close()
    qtbot.waitUntil(lambda: window.of(Terms).segment_terms.dialog is None)
    assert {entry.source for entry in window.of(Terms).service.terms.entries["project"]} == {"cache", "node"}


def opened(qtbot, make_window: Callable, document: Path) -> tuple:
    """The dialog over a document, and the signal of a stored entry."""
    window = make_window(path=document, start=False)
    ready(qtbot, window)
    window.of(Terms).segment_terms.open_dialog()
    return window.of(Terms).segment_terms.dialog, window.of(Terms).service.stored


@pytest.mark.slow
def test_an_entry_goes_only_into_its_own_term_base(qtbot, make_window: Callable, document: Path) -> None:
    dialog, put = opened(qtbot, make_window, document)
    qtbot.keyClicks(dialog.source, "node")
    qtbot.keyClicks(dialog.preferred, "peer")
    with qtbot.waitSignal(put, timeout=30000):
        dialog.base.setCurrentIndex(1)
    assert dialog.base.currentIndex() == 1 and dialog.source.text() == "" and dialog.model.rowCount() == 0
    dialog.base.setCurrentIndex(0)
    qtbot.waitUntil(lambda: [entry.source for entry in dialog.model.entries] == ["node"])
