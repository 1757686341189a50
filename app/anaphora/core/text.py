"""Properties and comparison of texts, and removal of tags, web addresses and control characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from itertools import islice

from anaphora_text.han import ALL_HAN
from anaphora_text.punctuation import WIDE_FORMS

HAN = re.compile(f"[{ALL_HAN}]")
NEXT_WORD = re.compile(r"\s*[\w'’-]+|\s*\S")
"""A word or a single other character, with the white space before it."""
URL = re.compile(rf"(?:https?|ftp)://[^\s{ALL_HAN}{WIDE_FORMS}<>\"'“”]+")
"""A web address; Chinese text may follow it without a space."""
_ADDRESS = re.compile(rf"(?:https?|ftp)://[^\s{WIDE_FORMS}<>\"'“”{{}}]+")
"""A web address that may contain Chinese characters."""
_MAX_ADDRESSES = 100
"""Maximum number of addresses that are removed, because each costs a pass over both texts."""
_WIDE_FIGURE = re.compile(r"(?s)(?=.*\d).*[\uff01-\uff5e\uffe0-\uffe6]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def has_han(text: str) -> bool:
    return HAN.search(text) is not None


def is_translatable(text: str) -> bool:
    """True if a text has a letter, or both a digit and a full-width character (１２．５％)."""
    return any(map(str.isalpha, text)) or _WIDE_FIGURE.match(text) is not None


def without_kept_addresses(source: str, target: str) -> tuple[str, str]:
    """A source and its target; spaces replace web addresses that are in both, at most `_MAX_ADDRESSES`."""
    for match in islice(dict.fromkeys(_ADDRESS.findall(target)), _MAX_ADDRESSES):
        address = match.rstrip(".,;:!?)")
        if address in source:
            source, target = source.replace(address, " "), target.replace(address, " ")
    return source, target


def has_controls(text: str) -> bool:
    return _CONTROL.search(text) is not None


def without_controls(text: str) -> str:
    """The text without control characters, which would make an exported text file count as binary."""
    return _CONTROL.sub("", text)


def changed_end(old: str, new: str) -> int:
    """The offset in `new` at which the part that differs from `old` ends."""
    return len(new) - shared_ends(old, new)[1]


def shared_ends(old: str, new: str) -> tuple[int, int]:
    """The numbers of characters that two texts share at the start and, in the rest, at the end."""
    shortest = min(len(old), len(new))
    start = next((place for place in range(shortest) if old[place] != new[place]), shortest)
    left = shortest - start
    return start, next((size for size in range(left) if old[-1 - size] != new[-1 - size]), left)


def carried_spans(old: str, new: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The positions in `new` of spans of `old`, assuming that the texts differ in one place. Spans that
    overlap or touch that place are dropped."""
    same_start, same_end = shared_ends(old, new)
    shift = len(new) - len(old)
    before = [(start, end) for start, end in spans if end < same_start]
    after = [(start + shift, end + shift) for start, end in spans if start > len(old) - same_end]
    return (*before, *after)


NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
"""A number in a text after `plain_width`."""
RAISED = "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2150-\u2189\u2460-\u24ff"
"""Raised, lowered and circled characters, and fractions."""
_NOT_RAISED = re.compile(f"[^{RAISED}]+")
_BLANKS = re.compile(r"\s+")


def without_marks(text: str, marks: Collection[str], instead: str = "") -> str:
    """A text without its tags `marks` (from `core.tags.marks_of`); `instead` replaces each tag."""
    if marks:
        for mark in set(marks):
            text = text.replace(mark, instead)
    return text


def plain_width(text: str) -> str:
    """Replace full-width letters, digits and punctuation by plain ones; 10² does not become 102."""
    return _NOT_RAISED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def fold(text: str, marks: Collection[str] = ()) -> str:
    """The common form of texts that differ only in tags, numbers, case, width and white space."""
    plain = NUMBER.sub("0", plain_width(without_marks(text, marks)))
    return _BLANKS.sub(" ", plain).strip().casefold()
