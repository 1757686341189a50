"""Which source words a target word translates, by its attention; some of the shares are a real model's."""

from __future__ import annotations

import numpy as np

from anaphora_nmt.api import Translator
from anaphora_nmt.pipeline.explaining.word_translations import (
    _acted,
    translated_stretches,
)
from anaphora_nmt.types import SourceSegment


def told(targets: str, sources: str, shares: list[list[float]]) -> dict[str, str]:
    """By target word, its source words."""
    words, texts = sources.split(), targets.split()
    stretches = translated_stretches(texts, words, np.array(shares))
    return {texts[number]: "".join(words[first : last + 1]) for number, (first, last) in stretches}


def test_remembered_words_show_what_they_translate_in_their_own_segments(translator: Translator) -> None:
    """Of the model that ships, by the attention of its forced decoding."""
    told = ("编写一个基本训练循环。", "Write a basic training cycle.")
    sources = [SourceSegment("0", told[0]), SourceSegment("1", "编写一个自定义训练循环。")]
    translator.open_document("words", sources)
    try:
        translator.remember("words", "0", told[1])
        explanation = translator.explain("words", "1", "Write a custom training cycle.")
    finally:
        translator.close_document("words")
    uses = {use.label: use for token in explanation.tokens for use in token.uses if _acted(use)}
    translates = {label: uses[label].translates for label in ("Write", "training", "cycle")}
    assert translates == {"Write": "编写", "training": "训练", "cycle": "循环"}
    assert all(use.sentence == told[1] and use.expected < 0 for use in uses.values())
    assert uses["training"].is_clear and uses["training"].expected > uses["cycle"].expected
    others = [use for token in explanation.tokens for use in token.uses if not _acted(use)]
    assert all((use.translates, use.sentence) == ("", "") for use in others)
