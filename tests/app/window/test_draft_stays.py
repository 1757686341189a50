"""The draft that somebody reads stays; a newer one is offered with its cause, and both are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.core.records import MACHINE, OFFERED
from anaphora.core.segment import SegmentState, Status
from anaphora.views.widgets.html_delegate import HTML_ROLE
from anaphora_nmt.data.corpus import read_documents

CONTROL = Qt.KeyboardModifier.ControlModifier
SENTENCES = ("账本保存每个交易。", "每个节点读取账本。", "区块链是一种分布式账本。")
CONTRACT = Path(__file__).parents[2] / "golden" / "genres" / "contract.jsonl"
OWN = "The register keeps every transaction."


@pytest.fixture
def reading(qtbot, make_window, tmp_path, drafted, translator):
    """A drafted document; its first segment is confirmed while the second one is read."""
    path = tmp_path / "账本.zh.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    window.table.go_to_row(1)
    first, second = (window.session.document.at(row) for row in range(2))
    assert "ledger" in second.target
    window.controller.editing.type_text(first.id, OWN)
    window.controller.editing.confirm(first.id)
    qtbot.waitUntil(lambda: window.session.offer_for(second.id) is not None, timeout=60000)
    return window, second


def test_it_stays_while_it_is_read_and_the_newer_one_is_offered_with_its_cause(qtbot, reading) -> None:
    window, second = reading
    assert window.session.document.at(1) == second
    assert window.table.editor.toPlainText() == second.target
    offer = window.session.offer_for(second.id)
    assert "register" in offer.text and offer.cause == window.session.document.at(0).id
    items = window.docks.suggestions.list
    qtbot.waitUntil(lambda: offer.text in window.suggester.texts, timeout=60000)
    place = window.suggester.texts.index(offer.text)
    shown = items.item(place).data(HTML_ROLE)
    assert "since you confirmed segment 1" in shown
    assert "newer draft" in items.item(place).data(Qt.ItemDataRole.AccessibleTextRole)
    # Left and come back to, it is still as it was read, and still offered.
    window.table.go_to_row(2)
    window.table.go_to_row(1)
    assert window.session.document.at(1) == second
    assert offer.text in window.suggester.texts
    place = window.suggester.texts.index(offer.text)
    window.suggester._was_seen = True
    QTest.keyClick(window.table.editor, Qt.Key(Qt.Key.Key_1.value + place), CONTROL)
    assert window.session.document.at(1).state == SegmentState(offer.text, Status.EDITED)
    window.actions_by_name["undo"].trigger()
    assert window.session.document.at(1) == second


def test_a_newer_draft_after_a_confirmation_was_taken_back_says_so(
    qtbot, make_window, tmp_path, drafted, translator
) -> None:
    path = tmp_path / "账本.zh.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    first, second = (window.session.document.at(row).id for row in range(2))
    window.controller.editing.type_text(first, OWN)
    window.controller.editing.confirm(first)
    qtbot.waitUntil(lambda: "register" in window.session.document.get(second).target, timeout=60000)
    window.table.go_to_row(1)
    # As a replacement in all segments does.
    window.controller.editing.type_text(first, OWN.replace("every", "each"))
    qtbot.waitUntil(lambda: window.session.offer_for(second) is not None, timeout=60000)
    offer = window.session.offer_for(second)
    assert "ledger" in offer.text and offer.cause == first and offer.taken_back
    qtbot.waitUntil(lambda: offer.text in window.suggester.texts, timeout=60000)
    shown = window.docks.suggestions.list.item(window.suggester.texts.index(offer.text)).data(HTML_ROLE)
    assert "since segment 1 is no longer confirmed" in shown


def test_the_history_holds_both(qtbot, reading) -> None:
    window, second = reading
    offer = window.session.offer_for(second.id)
    qtbot.waitUntil(lambda: len(window.controller.store.history(second.id)) == 2, timeout=30000)
    states = window.controller.store.history(second.id)
    assert [(each.author, each.target) for each in states] == [
        (MACHINE, second.target),
        (OFFERED, offer.text),
    ]
    window.records.show_segment(second.id)
    lines = window.docks.history.text
    qtbot.waitUntil(lambda: "newer draft, offered" in lines.text(), timeout=30000)


def test_undo_takes_back_what_the_user_did_and_the_engine_answers(qtbot, reading) -> None:
    window, _ = reading
    stack = window.controller.editing.stack
    assert [stack.command(place).text() for place in range(stack.count())][-1].startswith("confirming")
    assert stack.count() == 2, "drafts that the engine made again are no steps"
    window.actions_by_name["undo"].trigger()
    first = window.session.document.at(0)
    assert (first.target, first.status) == (OWN, Status.EDITED)
    window.actions_by_name["undo"].trigger()
    assert window.session.document.at(0).status is Status.DRAFT
    assert not window.actions_by_name["undo"].isEnabled()


def test_a_draft_that_is_likely_no_better_is_offered_and_does_not_take_the_place(
    qtbot, make_window, tmp_path, drafted, translator
) -> None:
    (contract,) = read_documents(CONTRACT)
    path = tmp_path / "合同.zh.txt"
    path.write_text("\n".join(contract.pairs[number][0] for number in (4, 6)) + "\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    goods, payment = (window.session.document.at(row) for row in range(2))
    window.controller.editing.type_text(goods.id, contract.pairs[4][1])
    window.controller.editing.confirm(goods.id)
    qtbot.waitUntil(lambda: window.session.offer_for(payment.id) is not None, timeout=60000)
    offer = window.session.offer_for(payment.id)
    assert offer.cause == goods.id and offer.text != payment.target
    assert window.session.document.at(1).target == payment.target
