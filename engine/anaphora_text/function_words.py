"""Function words, which are never terms, renderings of terms or suggestions."""

from __future__ import annotations

from anaphora_text.stop_words import read_table

FUNCTION_WORDS = frozenset(read_table("function_en.txt").split())
PRONOUNS = frozenset(("any", "either", "each", "every", "all", "both"))
"""Words that begin the rendering of a pronoun: "either Party" for 任何一方."""
CHINESE_FUNCTION_WORDS = frozenset(read_table("function_zh.txt").split())
