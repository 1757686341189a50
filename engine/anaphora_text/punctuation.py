"""Marks of punctuation by what they do, in Chinese (wide) and in European languages; no other module lists
them."""

from __future__ import annotations

import re

SENTENCE_ENDS = ".!?"
WIDE_SENTENCE_ENDS = "。！？"
PAUSES = ",;:"
WIDE_COMMAS = "，、"
WIDE_PAUSES = f"{WIDE_COMMAS}；："
COLONS = ":："
SEMICOLONS = ";；"
QUESTION_MARKS = "?？"
COMMAS = f",{WIDE_COMMAS}"

BRACKET_PAIRS = ("()", "[]")
"""Without curly ones, of which tags are made."""
WIDE_BRACKET_PAIRS = ("（）", "【】", "［］", "〔〕")
ROUND_BRACKET_PAIRS = ("()", "（）")
WIDE_QUOTE_PAIRS = ("「」", "『』", "《》", "〈〉")
QUOTE_PAIRS = ("“”", "«»", *WIDE_QUOTE_PAIRS)
"""‘’ is no pair here, as ’ is an apostrophe too."""

_PAIRS = (*BRACKET_PAIRS, *WIDE_BRACKET_PAIRS, *QUOTE_PAIRS, "‘’")
OPENING = "".join(pair[0] for pair in _PAIRS) + "\"'"
CLOSING = "".join(pair[1] for pair in _PAIRS) + "›\"'"
"""Brackets and quotation marks; a straight one both opens and closes."""

WIDE_MARKS = WIDE_PAUSES + WIDE_SENTENCE_ENDS + "".join((*WIDE_BRACKET_PAIRS, *WIDE_QUOTE_PAIRS))
AROUND_WORDS = f"{SENTENCE_ENDS}{PAUSES}…{WIDE_PAUSES}{WIDE_SENTENCE_ENDS}{''.join(_PAIRS)}{{}}<>\"'"
"""Marks before or after a word that are not part of it."""
WIDE_FORMS = r"\u3000-\u303f\uff00-\uffef"
"""The blocks of Chinese and Japanese punctuation and of wide letters, as part of a set."""

NARROW = {
    **dict(zip("，、；：。！？（）【】［］〔〕", ",,;:.!?()[][][]", strict=True)),
    **dict(zip("「」『』《》〈〉", "“”‘’“”‘’", strict=True)),
}
"""The English marks for a Chinese mark."""


def one_of(marks: str) -> str:
    """A regular expression for one of some marks."""
    return f"[{re.escape(marks)}]"
