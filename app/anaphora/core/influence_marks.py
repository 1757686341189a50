"""Words of a draft that something remembered had an effect on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InfluenceMark:
    """A word of a draft on which something remembered had an effect.

    Attributes:
        segment: id of the segment that it comes from; empty: it is a word of the document's topic.
        translates: the source words that it stands for there; empty: not known.
        followed: True if the draft uses the remembered word; False if it uses a word
            other than the confirmed one.
        is_drafted: True if the remembered word comes from an unconfirmed draft.
        is_all: whether the whole text is that of the segment, which has the same source.
    """

    start: int
    end: int
    word: str
    segment: str
    translates: str
    followed: bool
    is_all: bool = False
    is_drafted: bool = False


def mark_under(marks: Iterable[InfluenceMark], offset: int) -> InfluenceMark | None:
    return next((mark for mark in marks if mark.start <= offset <= mark.end), None)
