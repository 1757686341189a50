"""Marks of the memory's influence in the text, with the real engine."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from anaphora.core.segment import Status
from anaphora.editor.table.segment_delegate import PADDING_X, PADDING_Y
from anaphora.editor.table.segment_model import Column, Role
from anaphora.features.explain.feature import Explain
from anaphora.features.explain.marking import Effect, reasons
from anaphora_nmt.types import MemoryRule, SourceSegment


def marks(window, row):
    return window.model.index(row, Column.TARGET).data(Role.INFLUENCE)


def marked(window, row):
    """(marked word, remembered word, True if followed) of a row."""
    text = window.model.segment(row).target
    return [(text[mark.start : mark.end], mark.word, mark.followed) for mark in marks(window, row)]


@pytest.mark.slow
def test_only_the_memorys_influence_is_marked(qtbot, remembering):
    window = remembering
    assert marked(window, 1) == [("register", "register", True)]
    assert marked(window, 2) == [("ledger", "register", False)]
    assert marked(window, 4) == [("accuracy", "accuracy", True)]
    tips = [window.of(Explain).influence.tip(marks(window, row)[0]) for row in (4, 2)]
    assert tips[0] == "From segment 4: 性能 → accuracy"
    assert tips[1] == "You confirmed 账本 → register (segment 1). Press Ctrl+Alt+U to use this word."

    # The tool tip appears in a painted row.
    index, mark = window.model.index(4, Column.TARGET), marks(window, 4)[0]
    rect = window.table.visualRect(index)
    laid_out = window.table.delegate.lay_out(window.model.segment(4), Column.TARGET, rect.width())
    x = laid_out.layout.lineAt(0).cursorToX(mark.start + 2)[0]
    point = rect.topLeft() + QPoint(PADDING_X + round(x), PADDING_Y + 6)
    event = QHelpEvent(QEvent.Type.ToolTip, point, window.table.viewport().mapToGlobal(point))
    QApplication.sendEvent(window.table.viewport(), event)
    assert QToolTip.text() == tips[0]

    # An edited draft has no marks, nor has a draft after an undone confirmation.
    window.controller.editing.type_text(window.model.segment(4).id, "We compare the accuracy.")
    assert marks(window, 4) == ()
    window.controller.editing.unconfirm(window.model.segment(0).id)
    qtbot.waitUntil(lambda: not marks(window, 1) and not marks(window, 2), timeout=30000)


@pytest.mark.slow
def test_a_confirmed_word_is_used_by_a_key_a_menu_and_a_click(qtbot, remembering):
    window = remembering
    window.table.go_to_row(2)
    draft = window.model.segment(2).target
    assert "ledger" in draft
    wanted = draft.replace("ledger", "register")
    undo, redo = (window.actions_by_name[name].trigger for name in ("undo", "redo"))

    keys = Qt.KeyboardModifier
    QTest.keyClick(window.table.editor, Qt.Key.Key_U, keys.ControlModifier | keys.AltModifier)
    assert window.model.segment(2).target == wanted
    assert window.model.segment(2).status is Status.EDITED
    undo()
    assert (window.model.segment(2).target, window.model.segment(2).status) == (draft, Status.DRAFT)

    window.table.editor.put_caret(draft.index("ledger") + 2)
    menu = QMenu()
    window.context_menus.fill_target_menu(menu)
    assert menu.actions()[0].text() == "Use “register” here"
    menu.actions()[0].trigger()
    assert window.model.segment(2).target == wanted
    undo()

    redo()
    assert window.model.segment(2).target == wanted
    window.actions_by_name["use_confirmed"].trigger()
    assert window.status_line.currentMessage() and window.model.segment(2).target == wanted


def test_the_cause_of_a_word_is_shown_and_forgetting_it_has_an_effect(translator) -> None:
    sources = (
        "为此，TensorFlow 实现了自动微分 (autodiff)，它使用微积分来计算梯度。",
        "通常用它来计算模型基于其权重的误差或损失的梯度。",
    )
    translator.open_document("turned", [SourceSegment(str(n), text) for n, text in enumerate(sources)])
    translator.translate("turned", "0")
    text = translator.translate("turned", "1").text
    explanation = translator.explain("turned", "1", text)
    (token,) = [each for each in explanation.tokens if each.without_memory is not None]
    assert (token.word, token.without_memory) == ("compute", "calculate")
    reason = reasons(explanation)[0]
    assert (reason.words, reason.effect, reason.use.segment) == (("compute",), Effect.DECISIVE, "0")
    assert not reason.use.confirmed, "a draft is the cause"
    translator.steer("turned", [MemoryRule(reason.use.label, reason.use.segment, weight=0.0)])
    forgotten = translator.explain("turned", "1", text)
    assert not any("compute" in each.words for each in reasons(forgotten))
    assert translator.translate("turned", "1").text != text
    translator.close_document("turned")
