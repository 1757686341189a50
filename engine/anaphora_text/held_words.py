"""Units that inline pairs keep together: words with a pair (H₂O, 10⁻³), and indices in a pair ([3,4], *)."""

from __future__ import annotations

import re

from anaphora_text.han import UNSPACED_LETTERS
from anaphora_text.punctuation import BRACKET_PAIRS, COMMAS, SEMICOLONS, WIDE_BRACKET_PAIRS, one_of

UNSPACED = re.compile(f"[{UNSPACED_LETTERS}]")
_LETTER = re.compile(rf"[^\W_{UNSPACED_LETTERS}]")
"""A digit, or a letter of a script with spaces between words."""
_SIGN = re.compile(r"[-+−–]\d")
_JOINT = rf"(?<={_LETTER.pattern})[·.×/^_](?={_LETTER.pattern})"
_WORD_BEFORE = re.compile(rf"(?:{_LETTER.pattern}|{_JOINT})+\Z")
_WORD_BEHIND = re.compile(rf"(?:{_LETTER.pattern}|{_JOINT})+")
_NUMBER = r"\d{1,4}[a-z]?"
_OPENED, _CLOSED = (one_of("".join(ends)) for ends in zip(*BRACKET_PAIRS, *WIDE_BRACKET_PAIRS, strict=True))
_BETWEEN = one_of(COMMAS + SEMICOLONS + "–~-")
_INDEX = re.compile(
    rf"{_OPENED}?{_NUMBER}(?:\s?{_BETWEEN}\s?{_NUMBER})*{_CLOSED}?[*†‡]*"
    rf"|[*†‡§¶#]+|{_OPENED}[a-z]{_CLOSED}"
)
"""A reference to a note or to a list of works: 1; [3,4]; (a); *."""
_LONGEST = 60
"""Most letters of a word; searching longer runs for each of many tags would take long."""


def word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a span to whole words, in scripts with spaces."""
    begin = start
    if _SIGN.match(text, start, end) or _LETTER.match(text, start, end):
        before = _WORD_BEFORE.search(text[max(0, start - _LONGEST) : start])
        begin = start - len(before.group()) if before else start
    if start < end and _LETTER.match(text, end - 1):
        after = _WORD_BEHIND.match(text, end, end + _LONGEST)
        end = after.end() if after else end
    return begin, end


def held_word(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The unit that a translation must keep whole, because a pair encloses the span in it; or None."""
    if start >= end:
        return None
    begin, stop = word_around(text, start, end)
    if (begin, stop) == (start, end) and not _INDEX.fullmatch(text, start, end):
        return None
    # White space at the edges of the pair is not part of the word.
    head = text[begin : min(stop, begin + _LONGEST)]
    begin += len(head) - len(head.lstrip())
    tail = text[max(begin, stop - _LONGEST) : stop]
    stop -= len(tail) - len(tail.rstrip())
    return (begin, stop) if begin < stop else None


def word_positions(text: str, word: str) -> list[int]:
    """The positions of a word in a text, except inside longer words."""
    before = rf"(?<!{_LETTER.pattern})" if _LETTER.match(word) else ""
    after = rf"(?!{_LETTER.pattern})" if _LETTER.match(word[-1:]) else ""
    return [match.start() for match in re.finditer(before + re.escape(word) + after, text)]
