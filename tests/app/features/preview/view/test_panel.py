"""The preview shows the document's structure, follows edits and the current segment, leads to segments."""

from __future__ import annotations

import time
from typing import cast

import pytest
from PySide6.QtCore import Qt, QThread, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.document import Document
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.structure import Structure, structure_note
from anaphora.editor.appearance.theme import Theme
from anaphora.features.preview import document_preview
from anaphora.features.preview.document_preview import (
    AROUND,
    PreviewColours,
    PreviewRequest,
    around,
    preview_html,
)
from anaphora.features.preview.view.panel import PreviewPanel
from anaphora.project.document.session import DocumentSession

CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
COLOURS = PreviewColours("#000", "#888", "#ccc", "#def")


def rendered(*segments: Segment, row: int = 0) -> str:
    return preview_html(around(Document("d", segments), row), COLOURS)


def segment(number: int, target: str, *notes: Note, source: str = "", tags=(), block: str = "") -> Segment:
    state = SegmentState(target, Status.DRAFT)
    return Segment(str(number), source or target or "源", state, block=block, notes=notes, tags=tags)


def test_structure_and_styles_are_shown():
    made = rendered(
        segment(1, "Guide", structure_note(Structure.HEADING, 2)),
        segment(2, "{1}Bold{/1} & {2/} <b>", tags=(("{1}", "bold, italic"), ("{2/}", "`tf.Tensor`"))),
        segment(3, "One.", block="p"),
        segment(4, "Two.", block="p"),
        segment(5, "Item", structure_note(Structure.LIST_ITEM, 2)),
        segment(6, "Said", structure_note(Structure.QUOTE)),
        segment(7, "Cue", Note(NoteKind.TIME, "00:00:01 --> 00:00:02")),
        segment(8, "", source="未译"),
    )
    assert "<h2>" in made and "<blockquote>" in made and "margin:2px 0 2px 36px" in made
    assert "<b><i>Bold</i></b> &amp; <code>tf.Tensor</code> &lt;b&gt;" in made
    assert made.count("<p>") == 4 and "One.</a> <a" in made, "a paragraph is one"
    assert "00:00:01" in made and "未译" in made and made.count("#def") == 1


def test_a_cell_has_a_border():
    assert rendered(segment(1, "A1", structure_note(Structure.CELL))).count("<td>") == 1


@pytest.mark.usefixtures("garbage_at_rest")
def test_a_large_document_is_bounded():
    document = Document("d", [segment(number, f"Text {number}.") for number in range(50_000)])
    started = time.process_time()
    request = around(document, 25_000)
    made = preview_html(request, COLOURS)
    assert len(request.segments) == 2 * AROUND + 1 and made.count("<a href") == 2 * AROUND + 1
    assert time.process_time() - started < 0.2


def test_the_preview_follows_the_window(qtbot, make_window, tmp_path, drafted, monkeypatch):
    document = tmp_path / "a.zh.md"
    items = "\n".join(
        f"- {line}" for line in ("每个节点读取账本。", "我们需要更新缓存。", "节点更新缓存和账本。")
    )
    document.write_text(f"# 账本\n\n账本保存每个交易。\n\n{items}\n\n账本是**区块**的记录。\n", "utf-8")
    threads = []
    real = document_preview.preview_html

    def recorded(*arguments):
        threads.append(QThread.currentThread())
        return real(*arguments)

    monkeypatch.setattr("anaphora.features.preview.service.preview_html", recorded)
    window = make_window(None, document)
    drafted(window)
    panel, editor = window.docks.preview, window.table.editor
    assert not panel.isVisible()
    QTest.keyClick(
        editor, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    qtbot.waitUntil(lambda: panel.isVisible() and "Ledger" in panel.page.toPlainText(), timeout=30000)
    assert "<h1" in panel.page.toHtml() and panel.page.toPlainText().count("•") == 3
    assert threads and window.thread() not in threads, "it is made off the window's thread"
    window.table.go_to_row(3)
    QTest.keyClicks(editor, "Quite new. ")
    qtbot.waitUntil(lambda: "Quite new. " in panel.page.toPlainText(), timeout=30000)
    asked = panel._asked
    assert asked.current == 3
    panel.setFocus()
    page = panel.page
    for _ in range(6):
        QTest.keyClick(page, Qt.Key.Key_Tab)
    QTest.keyClick(page, Qt.Key.Key_Return)
    assert window.table.currentIndex().row() == 5
    window.activateWindow()
    QTest.keyClick(
        editor, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert not panel.isVisible()
    window.controller.close()
    assert panel.page.toPlainText() == ""


def test_a_preview_is_asked_for_while_it_is_seen_and_the_last_one_shown(qtbot):
    panel = PreviewPanel(Theme(cast(QApplication, QApplication.instance())))
    qtbot.addWidget(panel)
    asked: list[PreviewRequest] = []
    requested: list[str] = []
    panel.wanted.connect(lambda request, colours: asked.append(request))
    panel.segment_requested.connect(requested.append)
    session = DocumentSession("d", Document("d", [segment(number, f"Text {number}.") for number in range(3)]))
    panel.open(session)
    panel.show_segment(session.document.at(1))
    panel._ask()
    panel._follow_link(QUrl("0"))
    assert asked == [] and requested == [], "nobody sees it"
    panel.show()
    panel.show_segment(None)
    panel._ask()
    assert asked == [], "no segment is current"
    panel.show_segment(session.document.at(1))
    qtbot.waitUntil(lambda: len(asked) == 1, timeout=5000)
    panel.show_preview(asked[0], "<p>First</p>")
    assert panel.page.toPlainText() == "First"
    for place in ("0", "2", "3", "-1", "x"):
        panel._follow_link(QUrl(place))
    assert requested == ["0", "2"]
    session.set_states({"1": SegmentState("Other.", Status.EDITED)})
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=5000)
    panel.show_preview(asked[0], "<p>Late</p>")
    panel.show_failure(asked[0], ValueError("late"))
    assert panel.page.toPlainText() == "First", "something else has been asked for since"
    panel.show_failure(asked[1], ValueError("It cannot be shown."))
    assert panel.page.toPlainText() == "It cannot be shown."
    panel.open(None)
    session.set_states({"1": SegmentState("Last.", Status.EDITED)})
    panel._ask()
    panel._follow_link(QUrl("0"))
    assert panel.page.toPlainText() == "" and len(asked) == 2 and requested == ["0", "2"]
