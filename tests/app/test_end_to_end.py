"""The whole product with the real default model: open, draft, inspect, edit, confirm, undo, export."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from remembered_words import remembered

from anaphora.core.segment import Status
from anaphora.engine.worker import default_loader
from anaphora.features.documents.feature import Documents
from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.feature import Explain
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.system.locations import default_model

CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
CHINESE = re.compile("[\u4e00-\u9fff]")
PARAGRAPHS = (
    "张量的基础知识",
    "张量是多维数组。",
    "变量保存模型的状态。",
    "使用张量进行运算可能会很慢。",
    "请参阅张量指南，了解 3.11 版本的更多信息。",
)


@pytest.fixture
def word_document(tmp_path: Path) -> Path:
    document = docx.Document()
    document.add_heading(PARAGRAPHS[0], level=1)
    for text in PARAGRAPHS[1:]:
        document.add_paragraph(text)
    paragraph = document.add_paragraph("点击")
    paragraph.add_run("保存").bold = True
    paragraph.add_run("按钮。")
    path = tmp_path / "guide.docx"
    document.save(str(path))
    return path


def press(window, key: Qt.Key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(window.table.editor, key, modifiers)


@pytest.fixture
def real_window(make_window: Callable) -> Callable:
    return lambda path: make_window(default_loader(default_model(), "cpu", 1), path)


@pytest.mark.slow
def test_a_word_document_from_beginning_to_end(qtbot, real_window, word_document, tmp_path) -> None:
    window = real_window(word_document)
    model, worker = window.model, window.desk.worker

    def settled() -> bool:
        progress = window.of(Drafting).service.progress
        return progress.done == progress.total > 0 and not progress.active

    # open, draft
    qtbot.waitUntil(settled, timeout=120_000)
    drafts = [model.segment(row) for row in range(model.rowCount())]
    assert len(drafts) == 6
    assert all(draft.status is Status.DRAFT and draft.target for draft in drafts)
    assert not any(CHINESE.search(draft.target) for draft in drafts)
    assert "3.11" in drafts[4].target
    assert {"{1}", "{/1}"} <= set(re.findall(r"\{/?\d+\}", drafts[5].target))

    # inspect
    window.table.go_to_row(3)
    qtbot.waitUntil(lambda: window.of(Explain).inspector.explanation is not None, timeout=30_000)
    press(window, Qt.Key.Key_Right, ALT)
    explanation = window.of(Explain).inspector.explanation
    token = explanation.tokens[window.of(Explain).inspector.word]
    assert sum(token.attention) == pytest.approx(1.0, abs=1e-3)
    assert remembered(window.of(Explain).inspector), "three finished segments stand in the memory"

    # edit, confirm: the memory learns, and the next segment's memory shows it
    window.table.go_to_row(1)
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "A quaxtensor is a multidimensional array.")
    with qtbot.waitSignal(worker.memory_changed, timeout=30_000):
        press(window, Qt.Key.Key_Return, CONTROL)
    assert model.segment(1).status is Status.CONFIRMED
    assert window.table.currentIndex().row() == 2
    qtbot.waitUntil(
        lambda: any(slot.label == "quaxtensor" for slot in remembered(window.of(Explain).inspector)),
        timeout=30_000,
    )

    # undo: the confirmation and what the memory learned from it
    with qtbot.waitSignal(worker.memory_changed, timeout=30_000):
        press(window, Qt.Key.Key_Z, CONTROL)
    assert model.segment(1).status is Status.EDITED
    window.table.go_to_row(2)
    qtbot.waitUntil(
        lambda: all(slot.label != "quaxtensor" for slot in remembered(window.of(Explain).inspector)),
        timeout=30_000,
    )
    press(window, Qt.Key.Key_Y, CONTROL)
    assert model.segment(1).status is Status.CONFIRMED
    qtbot.waitUntil(settled, timeout=120_000)

    # export: the same document in English
    target = tmp_path / "guide.en.docx"
    with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=30_000):
        window.of(Documents).exporting.export(target)
    exported = docx.Document(str(target))
    texts = [paragraph.text for paragraph in exported.paragraphs]
    assert texts[1] == "A quaxtensor is a multidimensional array."
    assert not any(CHINESE.search(text) for text in texts)
    assert exported.paragraphs[0].style.name == "Heading 1"
    assert any(run.bold and run.text.strip() for run in exported.paragraphs[5].runs)


@pytest.mark.slow
def test_what_was_decided_once_holds_everywhere(qtbot, real_window, tmp_path) -> None:
    """A repetition takes the confirmed text, a similar segment is offered it, the machine stands below."""
    path = tmp_path / "微分.zh.txt"
    lines = ("自动微分", "使用自动微分计算梯度。", "自动微分", "第3章有20页。", "第12章有31页。")
    path.write_text("\n".join((*lines, "使用自动微分计算全部梯度。")) + "\n", "utf-8")
    window = real_window(path)
    drafting = window.of(Drafting).service
    qtbot.waitUntil(lambda: drafting.progress.done == 6 and not drafting.progress.active, timeout=120_000)
    qtbot.waitUntil(lambda: window.of(Tm).service.memories is not None, timeout=30000)
    drafts = [window.model.segment(row) for row in range(6)]

    def confirm(row: int, text: str) -> None:
        window.table.go_to_row(row)
        window.table.editor.selectAll()
        QTest.keyClicks(window.table.editor, text)
        press(window, Qt.Key.Key_Return, CONTROL)

    confirm(0, "Auto-differentiation")
    assert window.model.segment(2).target == "Auto-differentiation"
    assert window.model.segment(2).status is Status.EDITED
    press(window, Qt.Key.Key_Z, CONTROL)
    assert window.model.segment(2).target == drafts[2].target
    confirm(0, "Auto-differentiation")
    confirm(3, "Chapter 3 has 20 pages.")
    assert window.model.segment(4).target == "Chapter 12 has 31 pages."
    confirm(1, "Compute gradients with auto-differentiation.")
    qtbot.waitUntil(lambda: len(window.of(Tm).service.memories.project) == 3, timeout=30000)
    window.docks.raise_panel("suggestions", focus=False)
    window.table.go_to_row(5)
    qtbot.waitUntil(lambda: len(window.of(Drafting).suggester.offers) > 1, timeout=60_000)
    first, second = window.of(Drafting).suggester.offers[:2]
    assert first.match is not None and first.match.percent == 84 and second.match is None
    press(window, Qt.Key.Key_1, CONTROL)
    assert window.model.segment(5).target == "Compute gradients with auto-differentiation."
    assert window.model.segment(2).target == "Auto-differentiation", "no new draft replaces it"


@pytest.mark.slow
def test_a_term_that_is_added_by_key_is_in_the_drafts(qtbot, real_window, tmp_path) -> None:
    """The machine's own word is replaced in untouched drafts, in the inflection that fits."""
    path = tmp_path / "缓存.zh.txt"
    path.write_text("缓存保存每个区块的状态。\n每个节点有许多缓存。\n节点读取账本。\n", "utf-8")
    window = real_window(path)
    drafting, terms = window.of(Drafting).service, window.of(Terms).service
    qtbot.waitUntil(lambda: drafting.progress.done == 3 and not drafting.progress.active, timeout=120_000)
    before = [window.model.segment(row).target for row in range(3)]
    assert "cache" in before[1].lower()
    window.table.go_to_row(0)
    card = window.table.card
    card.editor.selectAll()
    QTest.keyClicks(card.editor, "larder")
    card.editor.selectAll()
    cursor = card.source.textCursor()
    cursor.setPosition(2, QTextCursor.MoveMode.KeepAnchor)
    card.source.setTextCursor(cursor)
    with qtbot.waitSignal(terms.ignored, timeout=30_000) as ignored:
        press(window, Qt.Key.Key_G, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert ignored.args[0] == [window.model.segment(1).id]
    qtbot.waitUntil(lambda: "larders" in window.model.segment(1).target, timeout=60_000)
    assert window.model.segment(1).status is Status.DRAFT
    assert [window.model.segment(row).target for row in (0, 2)] == ["larder", before[2]]
