"""The next draft follows a confirmation at once; text that the user has begun stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from offered_texts import texts_of

from anaphora.core.segment import Status
from anaphora.features.drafting.feature import Drafting
from anaphora_nmt.data.corpus import read_documents

SENTENCES = ("账本保存每个交易。", "每个节点读取账本。", "区块链是一种分布式账本。")
CONTRACT = Path(__file__).parents[2] / "golden" / "genres" / "contract.jsonl"
OWN = "The register keeps every transaction."


@pytest.fixture
def reading(qtbot, make_window, tmp_path, drafted, translator):
    """A drafted document, whose first segment is confirmed while the second one is displayed."""
    path = tmp_path / "账本.zh.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    window.table.go_to_row(1)
    first, second = (window.session.document.at(row) for row in range(2))
    assert "ledger" in second.target
    window.controller.editing.type_text(first.id, OWN)
    window.controller.editing.confirm(first.id)
    qtbot.waitUntil(lambda: window.session.document.at(1) != second, timeout=60000)
    return window, second


def test_the_displayed_draft_is_replaced_and_shows_the_reason(qtbot, reading) -> None:
    window, before = reading
    now = window.session.document.at(1)
    assert now.status is Status.DRAFT and "register" in now.target
    assert window.table.editor.toPlainText() == now.target
    assert window.session.offer_for(now.id) is None
    lines = window.docks.change.text
    qtbot.waitUntil(lambda: "after you confirmed" in lines.text(), timeout=20000)
    assert before.target not in texts_of(window.of(Drafting).suggester)[:1]


def test_text_that_the_user_has_begun_stays(qtbot, make_window, tmp_path, drafted, translator) -> None:
    path = tmp_path / "账本.zh.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    window.table.go_to_row(1)
    first, second = (window.session.document.at(row).id for row in range(2))
    window.table.editor.type_text("!")
    begun = window.session.document.get(second)
    window.controller.editing.type_text(first, OWN)
    with qtbot.waitSignal(window.of(Drafting).service.learned, timeout=60000):
        window.controller.editing.confirm(first)
    qtbot.waitUntil(lambda: not window.of(Drafting).service.progress.active, timeout=60000)
    assert window.session.document.get(second) == begun


def test_a_draft_that_is_probably_not_better_is_only_offered(
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


def test_the_next_draft_is_made_once_and_first(qtbot, make_window, tmp_path, drafted, translator) -> None:
    path = tmp_path / "账本.zh.txt"
    path.write_text("\n".join((*SENTENCES[:2], "我们备份这个账本。")) + "\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    made: list[str] = []
    window.desk.worker.drafted.connect(lambda drafted: made.append(drafted.job.segment))
    first, *others = (window.session.document.at(row) for row in range(3))
    window.controller.editing.type_text(first.id, first.target.replace("ledger", "logbook"))
    window.controller.editing.confirm(first.id)
    qtbot.waitUntil(lambda: len(made) == 2, timeout=60000)
    qtbot.waitUntil(lambda: not window.of(Drafting).service.progress.active, timeout=60000)
    assert made == [each.id for each in others], "each draft is made once, the next one first"
