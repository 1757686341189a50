"""Words that say nothing by themselves: no rendering of a term, nothing to be offered or rendered."""

from __future__ import annotations

from anaphora_text.stop_words import read_table

FUNCTION_WORDS = frozenset(read_table("function_en.txt").split())
CHINESE_FUNCTION_WORDS = frozenset(read_table("function_zh.txt").split())
