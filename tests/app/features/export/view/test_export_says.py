"""The export dialog counts confirmed, drafted, untranslated segments and issues; Enter exports."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from anaphora.core.draft_report import DraftReport
from anaphora.core.segment import SegmentState, Status
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.features.checks.feature import Checks
from anaphora.features.documents.feature import Documents
from anaphora.features.export.view.dialog import ExportDialog
from anaphora.features.filter.feature import Filter

CONTROL = Qt.KeyboardModifier.ControlModifier


def key(widget, *pressed) -> None:
    QTest.keyClick(widget, *pressed)


def dialog_of(qtbot, window, kind):
    """Wait for a dialog of a class, which may read the disk first."""

    def shown() -> list:
        return [each for each in window.findChildren(kind) if each.isVisible()]

    QApplication.processEvents()
    qtbot.waitUntil(lambda: bool(shown()), timeout=30_000)
    return shown()[0]


def press(window, *pressed) -> None:
    """Press a key in the editor, after the window is active again."""
    window.activateWindow()
    QApplication.processEvents()
    key(window.table.editor, *pressed)


def flag(window) -> None:
    """Add a remark of the engine to the sixth draft."""
    report = DraftReport(warnings=("Read the second word.",))
    drafted = window.session.document.at(5)
    window.session.set_states({drafted.id: SegmentState(drafted.target, Status.DRAFT, report)})


def checked(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.of(Checks).service.is_complete, timeout=20000)


@pytest.fixture
def window(make_window, document, drafted):
    result = make_window(None, document)
    drafted(result)
    return result


@pytest.mark.slow
def test_the_export_shows_what_is_confirmed_and_what_is_not(qtbot, window):
    press(window, Qt.Key.Key_Return, CONTROL)
    checked(qtbot, window)
    press(window, Qt.Key.Key_S, CONTROL)
    dialog = dialog_of(qtbot, window, ExportDialog)
    assert dialog.summary.texts == ["1 confirmed", "11 machine drafts, not confirmed"]
    key(dialog, Qt.Key.Key_Escape)
    last = window.session.document.at(11)
    window.session.set_states({last.id: SegmentState("", Status.EDITED)})
    press(window, Qt.Key.Key_X)
    flag(window)
    checked(qtbot, window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert dialog_of(qtbot, window, ExportDialog).summary.texts == [
        "1 confirmed",
        "1 edited, not confirmed",
        "9 machine drafts, not confirmed",
        "1 not started: the source is kept",
        "2 with issues",
    ]


def test_the_export_dialog_follows_running_checks(qtbot, window):
    checked(qtbot, window)
    flag(window)
    press(window, Qt.Key.Key_S, CONTROL)
    dialog = dialog_of(qtbot, window, ExportDialog)
    said = dialog.summary.texts[-1]
    assert "with issues so far (still checking)" in said and dialog.write.isEnabled()
    qtbot.waitUntil(lambda: dialog.summary.texts[-1] == "1 with issues", timeout=20000)
    flagged = window.session.document.at(5)
    window.session.set_states({flagged.id: SegmentState(flagged.target, Status.DRAFT)})
    qtbot.waitUntil(lambda: "flagged" not in dialog.summary.texts[-1], timeout=20000)


def test_enter_exports_beside_the_original_and_shows_what_it_replaces(qtbot, window, document):
    destination = document.with_name("指南.en.txt")
    press(window, Qt.Key.Key_S, CONTROL)
    dialog = dialog_of(qtbot, window, ExportDialog)
    assert dialog.field.place == destination and dialog.remark.isHidden()
    with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=30000):
        key(dialog.focusWidget(), Qt.Key.Key_Return)
    assert len(destination.read_text("utf-8").splitlines()) == 12
    press(window, Qt.Key.Key_S, CONTROL)
    dialog = dialog_of(qtbot, window, ExportDialog)
    qtbot.waitUntil(dialog.remark.isVisible, timeout=30000)
    assert "replaced" in dialog.remark.text()
    with qtbot.waitSignal(dialog.field.checked, timeout=30000):
        dialog.field.line.setText("other.txt")
    assert dialog.field.place == document.with_name("other.txt") and dialog.remark.isHidden()
    with qtbot.waitSignal(dialog.field.checked, timeout=30000):
        dialog.field.line.setText("x" * 300)
    dialog.field.line.clear()
    assert not dialog.write.isEnabled()


def test_a_line_of_the_summary_leads_to_its_segments(qtbot, window):
    flag(window)
    checked(qtbot, window)
    press(window, Qt.Key.Key_S, CONTROL)
    dialog = dialog_of(qtbot, window, ExportDialog)
    show = [each for each in dialog.summary.findChildren(QPushButton)][-1]
    show.setFocus()
    key(show, Qt.Key.Key_Space)
    assert window.of(Filter).strip.chips.chosen is Shown.ISSUES and window.model.rowCount() == 1
    assert window.focusWidget() is window.table.editor


def test_all_documents_are_exported_beside_their_folder(qtbot, window, document):
    window.actions_by_name["export_all"].trigger()
    dialog = dialog_of(qtbot, window, ExportDialog)
    assert dialog.field.place == document.parent.with_name(f"{document.parent.name}-en")
    with qtbot.waitSignal(window.of(Documents).exporting.exported_all, timeout=30000) as exported:
        key(dialog.focusWidget(), Qt.Key.Key_Return)
    assert [path.name for path in exported.args[0].written] == ["指南.zh.txt"]


def test_the_start_page_describes_the_app_in_three_lines(make_window):
    window = make_window(start=False)
    said = [label.text() for label in window.start_page.findChildren(QLabel)]
    assert any(len(text.split("\n")) == 3 and "You edit and confirm" in text for text in said)


def test_no_line_is_cut_on_a_narrow_screen(qtbot, window):
    """Qt limits a dialog to two thirds of the screen's width; its lines may need more."""
    drafted = window.session.document.at(5)
    window.session.set_states({drafted.id: SegmentState(report=DraftReport(proposal="Perhaps."))})
    press(window, Qt.Key.Key_X)
    press(window, Qt.Key.Key_S, CONTROL)
    dialog = dialog_of(qtbot, window, ExportDialog)
    dialog.resize(1, 1)
    QApplication.processEvents()
    labels = [each for each in dialog.summary.findChildren(QLabel) if each.isVisible() and each.text()]
    assert any("entative" in each.text() for each in labels)
    assert all(each.width() >= each.sizeHint().width() for each in labels)
    dialog.reject()
