"""The form in which texts are compared: without tags, numbers, case and width."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
"""A number, in text whose width has been made plain."""
RAISED = "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2150-\u2189\u2460-\u24ff"
"""Raised, lowered and circled characters, and fractions."""
_NOT_RAISED = re.compile(f"[^{RAISED}]+")
_BLANKS = re.compile(r"\s+")


def without_marks(text: str, marks: Collection[str], instead: str = "") -> str:
    """A text without its tags.

    Args:
        marks: the tags, from `core.tags.marks_of`; text that only looks like a tag stays.
    """
    if marks:
        for mark in set(marks):
            text = text.replace(mark, instead)
    return text


def plain_width(text: str) -> str:
    """Make full-width letters, digits and marks plain; 10² does not become 102."""
    return _NOT_RAISED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def fold(text: str, marks: Collection[str] = ()) -> str:
    """The common form of texts that differ only in tags, numbers, case, width and blanks."""
    plain = NUMBER.sub("0", plain_width(without_marks(text, marks)))
    return _BLANKS.sub(" ", plain).strip().casefold()
