"""Drafts of the real engine that are probably too poor to edit are proposed until the user accepts them."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from recording_translator import RecordingTranslator

from anaphora.cli.headless import translate_file
from anaphora.cli.headless_help import Help
from anaphora.core.drafts import Proposals, proposal_of
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.editor.table.segment_model import Column
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.features.checks.feature import Checks
from anaphora.features.dictionary.entries import Dictionary
from anaphora.features.documents.feature import Documents
from anaphora.features.drafting.feature import Drafting
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.export.view.dialog import ExportDialog
from anaphora.features.filter.feature import Filter
from anaphora.features.quality.feature import Quality
from anaphora.features.review.feature import Review
from anaphora.features.review.files import read_table
from anaphora.features.segments.feature import Segments
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.system.locations import glossary
from anaphora_nmt.types import DraftQuality, Suggestion

CONTROL = Qt.KeyboardModifier.ControlModifier
LINES = (
    "合同总价为人民币三十七万元。",
    "协商不成的，任何一方可以向人民法院起诉。",
    "逾期付款的，每日按未付金额的千分之一支付违约金。",
    "任何一方不得擅自转让本合同的权利和义务。",
)
POOR = (1, 2, 3)


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    path = tmp_path / "合同.zh.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def window(make_real_window, drafted, contract):
    found = make_real_window(contract)
    drafted(found)
    return found


def test_a_proposal_is_in_no_target_and_tab_accepts_it(qtbot, window) -> None:
    document, table = window.session.document, window.table
    assert [row for row in range(4) if proposal_of(document.at(row).state)] == [*POOR]
    table.go_to_row(1)
    segment, editor = document.at(1), table.editor
    proposed = proposal_of(segment.state)
    assert segment.target == editor.toPlainText() == "" and editor.ghost == proposed
    assert window.of(Drafting).service.progress.done == 4
    window.docks.show_dock("documents", True)
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: table.card.state.text().startswith("…"), timeout=20000)
    assert table.card.state.text().endswith("Tab to use it")
    label = window.of(EngineState).status.progress
    qtbot.waitUntil(lambda: label.text() == "All drafts are ready · 3 tentative", timeout=20000)
    index = window.model.index(1, Column.TARGET)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"Tentative: {proposed}"
    assert not window.of(Checks).service.has_issue(segment.id)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert document.at(1).state == SegmentState(proposed, Status.EDITED)
    window.actions_by_name["undo"].trigger()
    assert document.at(1).state.is_as_stored(segment.state) and editor.ghost == proposed
    # One word, then the rest.
    QTest.keyClick(editor, Qt.Key.Key_Right, CONTROL)
    first = proposed.split()[0]
    assert document.at(1).target == first and editor.ghost == proposed.removeprefix(first)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert document.at(1).target == proposed
    window.actions_by_name["undo"].trigger()
    window.actions_by_name["undo"].trigger()
    # A rejected proposal returns with the next visit; typing replaces it.
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert editor.ghost == "" and document.at(1).state.is_as_stored(segment.state)
    table.go_to_row(2)
    table.go_to_row(1)
    assert editor.ghost == proposed
    QTest.keyClicks(editor, "Zq")
    assert document.at(1).state == SegmentState("Zq", Status.EDITED) and not editor.ghost.startswith(proposed)


def test_a_proposal_survives_a_theme_change_and_an_empty_composition(qtbot, window) -> None:
    window.table.go_to_row(1)
    editor, state = window.table.editor, window.session.document.at(1).state
    proposed = editor.ghost
    laid_out = lambda: editor.document().firstBlock().layout().preeditAreaText()  # noqa: E731
    assert proposed and laid_out() == proposed
    for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
        window.desk.theme.choose(choice)
        assert editor.ghost == laid_out() == proposed
    QApplication.sendEvent(editor, QInputMethodEvent("", []))
    assert editor.ghost == laid_out() == proposed
    # A composition hides it and is cancelled; the next one is committed.
    for text in ("sh", "shi"):
        QApplication.sendEvent(editor, QInputMethodEvent(text, []))
        assert editor.ghost == "" and laid_out() == text
    QApplication.sendEvent(editor, QInputMethodEvent("", []))
    assert editor.ghost == laid_out() == proposed
    assert window.session.document.at(1).state is state and not editor.toPlainText()
    kept = QInputMethodEvent("", [])
    kept.setCommitString("是")
    QApplication.sendEvent(editor, kept)
    assert window.session.document.at(1).target == "是" and editor.ghost != proposed
    # A rejected draft does not return.
    window.table.go_to_row(2)
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    QApplication.sendEvent(editor, QInputMethodEvent("", []))
    assert editor.ghost == ""


def test_a_proposal_that_changes_during_a_composition_waits_for_its_end(qtbot, window) -> None:
    window.table.go_to_row(1)
    editor, segment = window.table.editor, window.session.document.at(1)
    proposed = editor.ghost
    laid_out = lambda: editor.document().firstBlock().layout().preeditAreaText()  # noqa: E731
    report = segment.state.report
    assert proposed and report is not None
    for later in ("", "Another one"):
        QApplication.sendEvent(editor, QInputMethodEvent("shi", []))
        editor.sync(segment.with_state(SegmentState(report=replace(report, proposal=later))))
        assert editor.ghost == "" and laid_out() == "shi"
        QApplication.sendEvent(editor, QInputMethodEvent("", []))
        assert editor.ghost == laid_out() == later


def test_a_proposal_can_be_confirmed_only_after_accepting_it(qtbot, window) -> None:
    document, table = window.session.document, window.table
    table.go_to_row(1)
    proposal = proposal_of(document.at(1).state)
    window.of(Segments).actions.confirm()
    assert "Press Tab" in window.status_line.currentMessage()
    assert document.at(1).status is Status.NOT_STARTED and table.current_segment.id == document.at(1).id
    QTest.keyClick(table.editor, Qt.Key.Key_Tab)
    window.of(Segments).actions.confirm()
    assert (document.at(1).target, document.at(1).status) == (proposal, Status.CONFIRMED)
    assert table.current_segment.id == document.at(2).id, "the next one follows"


def test_a_rejected_proposal_can_be_used_after_a_question(qtbot, window) -> None:
    editor = window.table.editor
    window.table.go_to_row(1)
    wanted = proposal_of(window.model.segment(1).state)
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert editor.ghost == ""
    window.of(Segments).actions.confirm()
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert window.model.segment(1).target == wanted != ""


def proposed_in(segment: Segment) -> str:
    return proposal_of(segment.state)


def test_proposals_are_filtered_and_exported_like_without_a_window(
    qtbot, window, contract, translator, tmp_path
) -> None:
    document = window.session.document
    chips, proposed = window.of(Filter).strip.chips, [*Shown].index(Shown.PROPOSED)
    qtbot.waitUntil(lambda: chips.tabText(proposed) == "Tentative  3", timeout=20000)
    chips.setCurrentIndex(proposed)
    assert [window.model.number(row) for row in range(window.model.rowCount())] == [*POOR]
    assert not window.of(Quality).banner.isVisibleTo(window)
    window.of(Documents).files.choose_destination()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is not None, timeout=30_000)
    (export,) = [each for each in window.findChildren(ExportDialog) if each.isVisible()]
    assert "3 tentative, probably too poor to edit" in export.summary.texts
    assert export.proposals.isVisible() and export.choices == (True, Proposals.SOURCE)
    export.reject()
    shipped = glossary("zh", "en")
    assert shipped is not None
    given = Help(dictionary=Dictionary.read(shipped))
    drafts, sources = ([of(document.at(row)) for row in POOR] for of in (proposed_in, attrgetter("source")))
    for choice in Proposals:
        with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=60000):
            window.of(Documents).exporting.export(tmp_path / "window.txt", proposals=choice)
        made = tmp_path / "headless.txt"
        report = translate_file(contract, made, translator, help_=given, proposals=choice)
        written = (tmp_path / "window.txt").read_text("utf-8")
        assert written == made.read_text("utf-8") and document.at(0).target in written
        assert all((draft in written) is (choice is Proposals.WRITE) for draft in drafts)
        assert all((source in written) is (choice is Proposals.SOURCE) for source in sources)
        assert report.proposed == tuple(row + 1 for row in POOR) and not report.doubtful
    with qtbot.waitSignal(window.of(Documents).exporting.exported_all, timeout=60000) as all_written:
        window.of(Documents).exporting.export_all(tmp_path / "all", proposals=Proposals.WRITE)
    (path,) = all_written.args[0].written
    assert all(draft in path.read_text("utf-8") for draft in drafts)


def test_a_proposal_stays_without_new_ones_and_can_be_rejected(qtbot, window) -> None:
    window.table.go_to_row(1)
    segment, editor = window.session.document.at(1), window.table.editor
    proposed = proposal_of(segment.state)
    window.of(Drafting).completer.switch(False)
    assert editor.ghost == proposed, "it is a proposal, not a completion"
    window.actions_by_name["clear"].trigger()
    assert window.session.document.at(1).state == SegmentState("", Status.EDITED) and not editor.ghost
    assert window.of(Drafting).service.progress.proposed == window.of(Quality).confidence.proposals == 2
    window.of(Drafting).completer.switch(True)
    editor.type_text(proposed[0])
    assert not editor.ghost, "a rejected draft is not proposed again"
    window.actions_by_name["undo"].trigger()
    window.actions_by_name["undo"].trigger()
    assert window.session.document.at(1).state.is_as_stored(segment.state) and editor.ghost == proposed


def test_a_proposal_has_no_remarks_about_terms_before_it_is_accepted(qtbot, window) -> None:
    window.of(Terms).offers.accept([("人民法院", "tribunal")])
    shown = window.of(Terms).lines.text
    window.table.go_to_row(1)
    qtbot.waitUntil(lambda: "tribunal" in shown.text(), timeout=20000)
    assert "used" not in shown.text()
    window.table.editor.type_text("The court")
    qtbot.waitUntil(lambda: "not used" in shown.text(), timeout=20000)


def test_a_newer_proposal_replaces_the_displayed_one(qtbot, make_real_window, drafted, tmp_path) -> None:
    path = tmp_path / "起诉.zh.txt"
    path.write_text("协商不成的，可以起诉。\n协商不成的，任何一方可以起诉。\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    window.table.go_to_row(1)
    (first, second), editor = window.session.document, window.table.editor
    assert editor.ghost == proposal_of(second.state) != ""
    window.controller.editing.type_text(first.id, "If consultation fails, either party may sue.")
    window.controller.editing.confirm(first.id)
    qtbot.waitUntil(lambda: window.session.document.at(1) != second, timeout=60000)
    newer = window.session.document.at(1)
    assert (editor.ghost or editor.toPlainText()) == (proposal_of(newer.state) or newer.target)


class Doubting(RecordingTranslator):
    """A translator that judges its drafts as unusable while `doubts` is True."""

    doubts = False

    def translate(self, *args: Any, **options: Any) -> Suggestion:
        made = super().translate(*args, **options)
        return replace(made, quality=DraftQuality(0.3, True, unusable=True)) if self.doubts else made


def test_a_proposal_does_not_replace_a_displayed_draft(qtbot, make_window, drafted, document) -> None:
    engine = Doubting()
    window = make_window(engine, document)
    drafted(window)
    (first, second), last = (
        (window.session.document.at(row) for row in range(2)),
        window.session.document.at(4),
    )
    window.table.go_to_row(1)
    engine.doubts = True
    window.controller.editing.type_text(first.id, "The account book keeps every transaction.")
    window.controller.editing.confirm(first.id)
    qtbot.waitUntil(lambda: bool(proposal_of(window.session.document.get(last.id).state)), timeout=30000)
    assert window.session.document.at(1) == second
    engine.doubts = False
    window.controller.editing.unconfirm(first.id)
    window.controller.editing.confirm(first.id)
    qtbot.waitUntil(lambda: "account book" in window.session.document.at(1).target.lower(), timeout=30000)


def test_a_proposal_that_ignores_a_new_term_is_made_again(qtbot, window) -> None:
    document = window.session.document
    before = {row: proposal_of(document.at(row).state) for row in POOR}
    assert "people's court" not in before[1].lower()
    window.of(Terms).offers.accept([("人民法院", "people's court")])

    def text_of(row: int) -> str:
        segment = document.at(row)
        return segment.target or proposal_of(segment.state)

    qtbot.waitUntil(lambda: "people's court" in text_of(1).lower(), timeout=60000)
    assert [text_of(row) for row in POOR[1:]] == [before[row] for row in POOR[1:]], "they do not contain it"


def test_proposals_are_unchanged_after_reopening(qtbot, window, drafted) -> None:
    table = window.table
    table.go_to_row(1)
    QTest.keyClick(table.editor, Qt.Key.Key_Tab)
    table.go_to_row(2)
    window.of(Segments).actions.copy_source()
    window.actions_by_name["undo"].trigger()
    states = [segment.state for segment in window.session.document]
    assert [bool(proposal_of(state)) for state in states] == [False, False, True, True]
    project = window.of(Tm).service.store.path
    window.controller.close()
    window.opener.open(project)
    qtbot.waitUntil(lambda: window.session is not None, timeout=30000)
    drafted(window)
    again = [segment.state for segment in window.session.document]
    assert all(one.is_as_stored(other) for one, other in zip(again, states, strict=True))
    assert window.of(Drafting).service.progress.proposed == window.of(Quality).confidence.proposals == 2
    assert window.of(Drafting).service.drafted_segments() == [], "nothing is drafted anew"


def test_proposals_are_counted_correctly_after_joins_and_splits(
    qtbot, make_real_window, drafted, tmp_path
) -> None:
    path = tmp_path / "合同.zh.md"
    path.write_text("".join(LINES[:3]) + f"\n\n{LINES[3]}\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    drafting, document = window.of(Drafting).service, window.session.document

    def proposals(count: int) -> bool:
        found = sum(bool(proposal_of(segment.state)) for segment in document)
        progress = drafting.progress
        is_counted = (progress.proposed, progress.done, progress.active) == (found, len(document), False)
        return is_counted and found == window.of(Quality).confidence.proposals == count

    assert proposals(3)
    window.table.go_to_row(1)
    window.actions_by_name["join"].trigger()
    qtbot.waitUntil(lambda: len(document) == 3, timeout=30000)
    qtbot.waitUntil(lambda: proposals(2), timeout=60000)
    window.actions_by_name["split"].trigger()
    QTest.keyClick(window.table.card.source, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(document) == 4, timeout=30000)
    qtbot.waitUntil(lambda: proposals(3), timeout=60000)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: proposals(2), timeout=60000)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: proposals(3), timeout=60000)
    assert [row for row in range(len(document)) if proposal_of(document.at(row).state)] == [*POOR]


def test_a_proposal_is_accepted_with_its_tags(qtbot, make_real_window, drafted, tmp_path) -> None:
    path = tmp_path / "起诉.md"
    path.write_text("协商不成的，**任何一方**可以向人民法院起诉。\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    window.table.go_to_row(0)
    segment, editor = window.session.document.at(0), window.table.editor
    proposed = proposal_of(segment.state)
    assert "{1}" in proposed and "{" not in str(
        window.model.index(0, Column.TARGET).data(Qt.ItemDataRole.AccessibleTextRole)
    )
    written = []
    for name in ("proposed.md", "taken.md"):
        with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=60000):
            window.of(Documents).exporting.export(tmp_path / name, proposals=Proposals.WRITE)
        written.append((tmp_path / name).read_text("utf-8"))
        QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert window.session.document.at(0).target == proposed == editor.toPlainText()
    assert written[0] == written[1]


def test_reviewers_get_no_proposals(qtbot, window, tmp_path) -> None:
    document = window.session.document
    review = window.of(Review).service
    path = tmp_path / "review.docx"
    with qtbot.waitSignal(review.written, timeout=60000):
        review.write(
            path, ("No.", "Source", "Translation", "Status", "Comments"), window.model.status_names()
        )
    rows = read_table(path).rows
    assert [bool(row.target) for row in rows] == [row not in POOR for row in range(4)]
    assert rows[0].target == document.at(0).target
    with qtbot.waitSignal(review.compared, timeout=60000) as compared:
        review.read(path)
    assert compared.args[1] == [], "an empty target of a reviewer is not a change"
