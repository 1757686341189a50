"""Confirmed words and slots behind an output word, in one list."""

from __future__ import annotations

from anaphora.core.remembered import place, remembered_words
from anaphora_nmt.types import MemoryUse, TokenTrace


def test_confirmed_words_come_before_slots() -> None:
    token = TokenTrace(
        word="peer",
        start=0,
        end=4,
        log_probability=-0.5,
        attention=(1.0,),
        uses=(
            MemoryUse("continuous_cache", "peer", "2", 0.75, 0.5),
            MemoryUse("word_caches", "topical", strength=0.5, section="topic"),
            MemoryUse("confirmed", "node", "0", 0.5, -0.25, confirmed=True),
        ),
    )
    followed, matched = remembered_words(token)
    assert place(followed) == ("node", "0") and followed.confirmed and followed.influence == -0.25
    assert place(matched) == ("peer", "2") and not matched.confirmed and matched.strength == 0.75
