"""Panels and dialogs have the right focus when they open, and do not hide each other."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDockWidget

from anaphora.features.checks.feature import Checks
from anaphora.features.checks.view.dialog import ChecksDialog
from anaphora.features.terms.feature import Terms
from anaphora.features.terms.first_sight import Candidate, FoundIn
from anaphora.features.terms.phrases import PhraseKind
from anaphora.features.terms.view.first_sight_dialog import FirstSightDialog


def test_typing_replaces_the_proposed_name(qtbot) -> None:
    dialog = FirstSightDialog()
    qtbot.addWidget(dialog)
    dialog.show_candidates(
        [Candidate("不可抗力", PhraseKind.TERM, 3, "", "", ("force majeure",), FoundIn.AGREED)]
    )
    dialog.show()
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    line = dialog.list.findChild(QComboBox).lineEdit()
    assert line is not None
    QTest.keyClicks(line, "act of God")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.model.chosen() == [("不可抗力", "act of God")], timeout=5000)


def test_a_new_term_waits_for_what_is_missing(qtbot, make_window, document) -> None:
    window = make_window(None, document)
    card, terms = window.table.card, window.of(Terms).segment_terms
    window.actions_by_name["add_term"].trigger()
    qtbot.waitUntil(lambda: terms.dialog.focusWidget() is terms.dialog.source, timeout=5000)
    card.source.select_span((0, 2))
    window.actions_by_name["add_term"].trigger()
    assert terms.dialog.source.text() == card.source.selected_text()
    assert terms.dialog.focusWidget() is terms.dialog.preferred


def test_a_requested_panel_comes_to_the_front(qtbot, make_window, document) -> None:
    window = make_window(None, document)
    toggles = {action.text(): action for action in window.docks.toggles()}
    docks = {dock.windowTitle(): dock for dock in window.findChildren(QDockWidget)}
    for wanted in ("Terms", "Concordance", "Terms"):
        toggles[wanted].trigger()
        QTest.qWait(50)
        assert toggles[wanted].isChecked() and not docks[wanted].visibleRegion().isEmpty()
    toggles["Terms"].trigger()
    qtbot.waitUntil(lambda: docks["Terms"].isHidden() and not toggles["Terms"].isChecked(), timeout=5000)


def test_the_list_of_issues_closes_when_it_opens_the_terms(make_window, document) -> None:
    window = make_window(None, document)
    checks = window.of(Checks)
    checks.open_dialog()
    dialog = window.findChild(ChecksDialog)
    dialog.show_terms(2)
    dialog.terms.click()
    assert not dialog.isVisible() and window.docks.consistency.isVisible()
