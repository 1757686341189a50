"""Alignment of target and source words by attention; some of the shares are from a real model."""

from __future__ import annotations

from anaphora_nmt.api import Translator
from anaphora_nmt.pipeline.explaining.word_translations import (
    _is_noticeable,
)
from anaphora_nmt.types import SourceSegment


def test_remembered_words_show_what_they_translate_in_their_own_segments(translator: Translator) -> None:
    """The included model, by the attention of its forced decoding."""
    alignments = ("编写一个基本训练循环。", "Write a basic training cycle.")
    sources = [SourceSegment("0", alignments[0]), SourceSegment("1", "编写一个自定义训练循环。")]
    translator.open_document("words", sources)
    try:
        translator.remember("words", "0", alignments[1])
        explanation = translator.explain("words", "1", "Write a custom training cycle.")
    finally:
        translator.close_document("words")
    uses = {use.label: use for token in explanation.tokens for use in token.uses if _is_noticeable(use)}
    translates = {label: uses[label].translates for label in ("Write", "training", "cycle")}
    assert translates == {"Write": "编写", "training": "训练", "cycle": "循环"}
    assert all(use.sentence == alignments[1] and use.expected < 0 for use in uses.values())
    assert uses["training"].is_clear and uses["training"].expected > uses["cycle"].expected
    others = [use for token in explanation.tokens for use in token.uses if not _is_noticeable(use)]
    assert all((use.translates, use.sentence) == ("", "") for use in others)
