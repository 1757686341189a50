"""Punctuation marks of Chinese (wide marks) and of European languages."""

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
CLAUSE = "[^，。]"
COMMAS = f",{WIDE_COMMAS}"

BRACKET_PAIRS = ("()", "[]")
"""ASCII brackets except braces, because braces mark tags."""
WIDE_BRACKET_PAIRS = ("（）", "【】", "［］", "〔〕")
ROUND_BRACKET_PAIRS = ("()", "（）")
WIDE_QUOTE_PAIRS = ("「」", "『』", "《》", "〈〉")
SPEECH_PAIRS = ("“”", *WIDE_QUOTE_PAIRS[:2])
"""Quotation marks of direct speech in Chinese."""
QUOTE_PAIRS = ("“”", "«»", *WIDE_QUOTE_PAIRS)
"""Quotation marks without ‘’, because ’ is also an apostrophe."""

_PAIRS = (*BRACKET_PAIRS, *WIDE_BRACKET_PAIRS, *QUOTE_PAIRS, "‘’")
OPENING = "".join(pair[0] for pair in _PAIRS) + "\"'"
CLOSING = "".join(pair[1] for pair in _PAIRS) + "›\"'"
"""Brackets and quotation marks; straight quotation marks both open and close."""

WIDE_MARKS = WIDE_PAUSES + WIDE_SENTENCE_ENDS + "".join((*WIDE_BRACKET_PAIRS, *WIDE_QUOTE_PAIRS))
AROUND_WORDS = f"{SENTENCE_ENDS}{PAUSES}…{WIDE_PAUSES}{WIDE_SENTENCE_ENDS}{''.join(_PAIRS)}{{}}<>\"'"
WIDE_FORMS = r"\u3000-\u303f\uff00-\uffef"

NARROW = {
    **dict(zip("，、；：。！？（）【】［］〔〕", ",,;:.!?()[][][]", strict=True)),
    **dict(zip("「」『』《》〈〉", "“”‘’“”‘’", strict=True)),
}
"""The English mark for each Chinese one."""


def one_of(marks: str) -> str:
    return f"[{re.escape(marks)}]"
