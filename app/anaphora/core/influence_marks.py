"""Marks on words of a draft that the memory influenced."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InfluenceMark:
    """A word of a draft that the memory influenced.

    Attributes:
        start, end: offsets of the draft's word in the target.
        word: the word in the memory; the draft may use another word.
        segment: id of the segment that `word` comes from; "" for a word of the document's topic.
        translates: the words that `word` translates in that segment's source; "" if unknown.
        followed: True if the draft uses `word`; False if it uses another word.
        is_drafted: True if `word` comes from an unconfirmed draft.
        is_repetition: True if the draft repeats the target of that segment, which has the same source.
    """

    start: int
    end: int
    word: str
    segment: str
    translates: str
    followed: bool
    is_repetition: bool = False
    is_drafted: bool = False


def mark_under(marks: Iterable[InfluenceMark], offset: int) -> InfluenceMark | None:
    return next((mark for mark in marks if mark.start <= offset <= mark.end), None)
