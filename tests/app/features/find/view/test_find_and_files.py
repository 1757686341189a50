"""Find and replace, dropping files, bad files, input methods, themes."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox
from shown_texts import button

from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import state_of
from anaphora.core.edits import ChangeSet, Edit, Resegmentation
from anaphora.core.search import SearchQuery
from anaphora.core.segment import Status
from anaphora.editor.appearance.theme import DARK, LIGHT, ThemeChoice
from anaphora.features.documents.feature import Documents
from anaphora.features.find.feature import Find
from anaphora_nmt.types import DraftQuality

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.slow
def test_find_steps_and_replaces_in_one_undoable_step(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    window.actions_by_name["replace"].trigger()
    assert window.of(Find).bar.isVisible()
    window.of(Find).bar.needle.setText("cache")
    qtbot.waitUntil(lambda: len(window.of(Find).finder.hits) > 0, timeout=30000)
    hits = window.of(Find).finder.hits
    window.of(Find).finder.step(1)
    assert window.model.segment(window.table.currentIndex().row()).id in hits
    before = [window.model.segment(row).target for row in range(12)]
    window.of(Find).bar.replacement.setText("store")
    window.of(Find).bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=30000)
    assert [window.model.segment(row).target for row in range(12)] == before, "unchanged before agreement"
    assert f"{len(hits)} segments" in window.of(Find).finder.preview.apply_button.text()
    window.of(Find).finder.preview.apply_button.click()
    after = [window.model.segment(row).target for row in range(12)]
    assert sum("store" in text.lower() for text in after) == len(hits)
    assert not any("cache" in text.lower() for text in after)
    window.actions_by_name["undo"].trigger()
    assert [window.model.segment(row).target for row in range(12)] == before


def test_matches_are_marked_in_the_card_and_selected_for_further_edits(qtbot, make_window, document):
    window = make_window(None, document, start=False)
    editing, bar = window.controller.editing, window.of(Find).bar
    card, editor = window.table.card, window.table.editor
    ids = [window.model.segment(row).id for row in range(2)]
    editing.replace_texts({ids[0]: "A word.", ids[1]: "Two caches, one cache."}, "test")
    bar.open(False)
    bar.needle.setText("cache")
    qtbot.waitUntil(lambda: window.of(Find).finder.hits == (ids[1],), timeout=30000)
    assert marked(editor) == []
    QTest.keyClick(bar.needle, Qt.Key.Key_Return)
    assert editor.segment_id == ids[1] and bar.needle.hasFocus()
    assert marked(editor) == ["cache", "cache"]
    QTest.keyClick(bar.needle, Qt.Key.Key_Escape)
    assert editor.hasFocus() and editor.textCursor().selectedText() == "cache" and editor.caret == 9
    assert marked(editor) == []
    source = window.model.segment(1).source[:2]
    bar.open(False)
    bar.needle.setText(source)
    qtbot.waitUntil(lambda: marked(card.source) == [source], timeout=30000)


def test_escape_closes_the_bar_from_each_widget(qtbot, make_window, document):
    """Esc also works with the focus on "Replace all…"."""
    window = make_window(None, document, start=False)
    bar = window.of(Find).bar
    places = set()
    for stop in range(12):
        bar.open(True)
        for _ in range(stop):
            QTest.keyClick(bar.focusWidget(), Qt.Key.Key_Tab)
        place = bar.focusWidget()
        places.add(place)
        QTest.keyClick(place, Qt.Key.Key_Escape)
        assert bar.isHidden() and window.table.editor.hasFocus(), place
    assert {bar.needle, bar.replacement, bar.replace_all, bar.close_button} < places
    assert len(places) == 11


def marked(field) -> list[str]:
    """The marked matches in a field of the card."""
    ground = QColor(LIGHT.match)
    return [
        each.cursor.selectedText()
        for each in field.extraSelections()
        if each.format.background().color() == ground
    ]


@pytest.mark.slow
def test_confirmed_text_and_parts_of_words_change_on_request(qtbot, make_window, document):
    window = make_window(None, document, start=False)
    editing = window.controller.editing
    ids = [window.model.segment(row).id for row in range(3)]
    editing.replace_texts(dict(zip(ids, ("A cache.", "Two caches.", "The cache."), strict=True)), "test")
    editing.confirm(ids[0])
    bar = window.of(Find).bar
    bar.open(True)
    bar.needle.setText("cache")
    button(bar, "Whole words").click()
    bar.replacement.setText("store")
    bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=30000)
    assert [preview.segment for preview in window.of(Find).finder.preview.checked()] == [ids[2]]
    window.of(Find).finder.preview.reject()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is None, timeout=30000)
    bar.with_confirmed.setChecked(True)
    bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=30000)
    window.of(Find).finder.preview.apply_button.click()
    assert [window.model.segment(row).target for row in range(3)] == ["A store.", "Two caches.", "The store."]
    window.actions_by_name["undo"].trigger()
    assert [window.model.segment(row).target for row in range(3)] == ["A cache.", "Two caches.", "The cache."]


@pytest.mark.slow
def test_the_bar_counts_replaced_and_remaining_matches(qtbot, make_window, document):
    window = make_window(None, document, start=False)
    editing, bar = window.controller.editing, window.of(Find).bar
    ids = [window.model.segment(row).id for row in range(3)]
    editing.replace_texts(dict.fromkeys(ids, "A cache."), "test")
    bar.open(True)
    bar.needle.setText("cache")
    qtbot.waitUntil(lambda: len(window.of(Find).finder.hits) == 3, timeout=30000)
    bar.replacement.setText("store")

    def count_text(hits: int) -> str:
        """The bar's message after searching again."""
        qtbot.waitUntil(lambda: len(window.of(Find).finder.hits) == hits, timeout=30000)
        return str(bar.status.text())

    bar.replace_one.click()
    assert count_text(2) == "1 segment changed. Segments with remaining matches: 2"
    bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=30000)
    window.of(Find).finder.preview.apply_button.click()
    assert count_text(0) == "2 segments changed"
    window.actions_by_name["undo"].trigger()
    assert count_text(2) == "1 of 2"
    window.actions_by_name["redo"].trigger()
    assert count_text(0) == "No matches"
    bar.needle.setText("store")
    assert count_text(3).endswith(" of 3")
    bar.needle.setText("cache")
    qtbot.waitUntil(lambda: bar.status.text() == "No matches", timeout=30000)


@pytest.mark.slow
def test_segments_changed_meanwhile_are_not_replaced(qtbot, make_window, document):
    """Segments confirmed or joined during the computation are not in the preview."""
    window = make_window(None, document, start=False)
    session, editing, bar = window.session, window.controller.editing, window.of(Find).bar
    ids = [window.model.segment(row).id for row in range(4)]
    editing.replace_texts(dict.fromkeys(ids, "A cache."), "test")
    bar.open(True)
    bar.needle.setText("cache")
    qtbot.waitUntil(lambda: len(window.of(Find).finder.hits) == 4, timeout=30000)
    bar.replacement.setText("store")
    bar.replace_one.click()
    editing.confirm(ids[0])
    bar.replace_all.click()
    editing.confirm(ids[1])
    gone = session.document.get(ids[2])
    session.apply_resegmentation(Resegmentation(gone.document, (gone,), (replace(gone, id="another"),)))
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=30000)
    assert [preview.segment for preview in window.of(Find).finder.preview.checked()] == [ids[3]]
    assert "not changed: 1" in window.of(Find).finder.preview.about.text()
    window.of(Find).finder.preview.reject()
    assert [segment.target for segment in session.document][:4] == ["A cache."] * 4


def test_outdated_hits_are_ignored(qtbot, make_window, document):
    window = make_window(None, document, start=False)
    editing, bar = window.controller.editing, window.of(Find).bar
    ids = [window.model.segment(row).id for row in range(2)]
    editing.replace_texts(dict.fromkeys(ids, "A cache."), "test")
    bar.open(False)
    bar.needle.setText("cache")
    qtbot.waitUntil(lambda: window.of(Find).finder.hits == tuple(ids), timeout=30000)
    earlier = SearchQuery("cache")
    window.of(Find).service.found.emit(earlier, ("gone",), frozenset())
    assert window.of(Find).finder.hits == tuple(ids)


def test_tab_stays_in_the_find_bar(qtbot, make_window, document):
    window = make_window(None, document, start=False)
    window.activateWindow()
    window.of(Find).bar.open(True)
    before = window.model.segment(0).target
    seen = set()
    for _ in range(14):
        focused = window.focusWidget()
        assert window.of(Find).bar.isAncestorOf(focused), focused
        seen.add(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert len(seen) == 11 and window.model.segment(0).target == before
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
    assert window.of(Find).bar.isAncestorOf(window.focusWidget())


@pytest.mark.slow
def test_a_wrong_expression_is_reported_not_raised(qtbot, make_window, document):
    window = make_window(None, document)
    window.of(Find).bar.open(False)
    button(window.of(Find).bar, "Regular expression").click()
    window.of(Find).bar.needle.setText("(")
    qtbot.waitUntil(lambda: "not a valid" in window.of(Find).bar.status.text(), timeout=30000)
    window.table.viewport().repaint()
    QTest.keyClick(window.of(Find).bar.needle, Qt.Key.Key_Escape)
    assert not window.of(Find).bar.isVisible()


def test_a_dropped_file_opens(qtbot, make_window, document):
    window = make_window()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(document))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(100, 100), Qt.DropAction.CopyAction, mime, buttons, keys)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    window.dropEvent(QDropEvent(QPointF(100, 100), Qt.DropAction.CopyAction, mime, buttons, keys))
    qtbot.waitUntil(lambda: window.model.rowCount() == 12, timeout=30000)


def test_files_cannot_be_dropped_and_pasted_text_is_one_line(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    editor = window.table.editor
    assert not editor.acceptDrops() and not editor.viewport().acceptDrops()
    editor.selectAll()
    QApplication.clipboard().setText("two\nlines")
    editor.paste()
    assert window.model.segment(0).target == "two lines"


def messages(window):
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def test_bad_files_give_a_message_and_keep_the_open_document(qtbot, make_window, document, tmp_path):
    window = make_window(None, document)
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 this is no package")
    for bad in (broken, tmp_path / "missing.txt", tmp_path / "picture.png"):
        window.opener.open(bad)
        qtbot.waitUntil(lambda: len(messages(window)) == 1, timeout=30000)
        box = messages(window)[0]
        assert box.text()
        box.close()
        qtbot.waitUntil(lambda: not messages(window), timeout=30000)
        assert window.model.rowCount() == 12


def test_export_without_permission_is_reported(qtbot, make_window, document, tmp_path):
    window = make_window(None, document)
    window.of(Documents).exporting.export(tmp_path / "no-such-folder" / "out.txt")
    qtbot.waitUntil(lambda: len(messages(window)) == 1, timeout=30000)
    messages(window)[0].close()


def test_no_shortcut_fires_while_an_input_method_composes(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    editor = window.table.editor
    QApplication.sendEvent(editor, QInputMethodEvent("ni", []))
    assert editor.guard.composing
    QTest.keyClick(editor, Qt.Key.Key_Return, CONTROL)
    assert window.model.segment(0).status is Status.DRAFT
    commit = QInputMethodEvent("", [])
    commit.setCommitString("你")
    QApplication.sendEvent(editor, commit)
    assert not editor.guard.composing
    assert "你" in window.model.segment(0).target
    QTest.keyClick(editor, Qt.Key.Key_Return, CONTROL)
    assert window.model.segment(0).status is Status.CONFIRMED


@pytest.mark.slow
def test_themes_change_every_colour_and_are_stored(make_window, document):
    window = make_window(None, document)
    window.state.choose_theme(ThemeChoice.DARK)
    assert window.desk.theme.colours is DARK
    assert window.grab().toImage().pixelColor(3, 60).lightness() < 80
    window.state.choose_theme(ThemeChoice.LIGHT)
    assert window.desk.theme.colours is LIGHT
    assert window.desk.settings.value("theme") == "light"


@pytest.mark.slow
def test_recent_documents_are_on_the_start_page(qtbot, make_window, document):
    window = make_window(None, document)
    window.actions_by_name["close"].trigger()
    qtbot.waitUntil(lambda: window.pages.currentIndex() == 0, timeout=20000)
    assert document in window.opener.recent.paths()
    window.of(Documents).files.menu.aboutToShow.emit()
    assert document.name in [action.text() for action in window.of(Documents).files.menu.actions()]


def test_matches_in_tentative_drafts_are_counted_separately(qtbot, make_window, document):
    window = make_window(None, document, start=False)
    editing, bar, session = window.controller.editing, window.of(Find).bar, window.controller.session
    ids = [window.model.segment(row).id for row in range(3)]
    editing.replace_texts(dict.fromkeys(ids[:2], "A cache."), "test")
    poor = DraftReport.of(DraftQuality(0.3, unusable=True))
    before = session.document.get(ids[2]).state
    session.apply(ChangeSet((Edit(ids[2], before, state_of("A poor cache.", poor)),)))
    bar.open(True)
    bar.needle.setText("cache")
    qtbot.waitUntil(lambda: bar.status.text() == "1 of 3 (1 in tentative drafts only)", timeout=30000)
    least = window.minimumSizeHint().width()
    bar.replacement.setText("store")
    bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=30000)
    said = [label.text() for label in window.of(Find).finder.preview.findChildren(QLabel)]
    assert any("segments: 2." in text and "Tentative drafts not changed: 1." in text for text in said)
    window.of(Find).finder.preview.apply_button.click()
    whole = "2 segments changed. Segments with remaining matches: 1 (1 in tentative drafts only)"
    qtbot.waitUntil(lambda: bar.status.text() == whole, timeout=30000)
    bar.replace_all.click()
    qtbot.waitUntil(lambda: "Nothing to replace" in bar.status.text(), timeout=30000)
    assert window.minimumSizeHint().width() <= least, "a long message does not widen the window"


def test_a_slow_pattern_does_not_block_the_window(qtbot, make_window, document):
    window = make_window(None, document, start=False)
    first = window.model.segment(0).id
    window.controller.editing.replace_texts({first: "a" * 40 + "!"}, "test")
    bar = window.of(Find).bar
    bar.open(True)
    bar.needle.setText("(a|aa)+$")
    bar.replacement.setText("x")
    begun = time.monotonic()
    button(bar, "Regular expression").click()
    bar.replace_one.click()
    bar.replace_all.click()
    assert time.monotonic() - begun < 0.2
    qtbot.waitUntil(lambda: "takes too long" in bar.status.text(), timeout=30000)
    assert window.of(Find).finder.preview is None and window.model.segment(0).target == "a" * 40 + "!"
