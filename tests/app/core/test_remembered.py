"""Confirmed words and slots behind an output word, in one list."""

from __future__ import annotations

from anaphora.core.remembered import remembered_words
from anaphora_nmt.types import ConfirmedUse, MemoryVersion, MemoryView, SlotUse, SlotView, TokenTrace


def test_confirmed_words_come_before_slots() -> None:
    view = MemoryView(
        "3", MemoryVersion("d", 1), (SlotView("ledger", "1", 0), SlotView("peer", "2", 0)), "", (), ()
    )
    token = TokenTrace(
        word="peer",
        start=0,
        end=4,
        log_probability=-0.5,
        attention=(1.0,),
        slots=(SlotUse(1, 0.75, 0.5),),
        cache_gate=0.25,
        cached_words=(),
        word_gate=0.0,
        confirmed=(ConfirmedUse("node", "0", 0.5, -0.25),),
        confirmed_gate=0.5,
    )
    followed, matched = remembered_words(token, view)
    assert followed.place == ("node", "0") and followed.confirmed and followed.influence == -0.25
    assert matched.place == ("peer", "2") and not matched.confirmed and matched.share == 0.75
