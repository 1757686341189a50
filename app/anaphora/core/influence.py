"""Which words of a draft the memory put there, and against which it spoke: what is marked in the text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anaphora.core.differences import Spans, differences
from anaphora.core.function_words import FUNCTION_WORDS
from anaphora.core.remembered import proposes_another_word
from anaphora_nmt.types import Explanation, MemoryUse, TokenTrace


@dataclass(frozen=True, slots=True)
class InfluenceMark:
    """A word of a draft on which something remembered had an effect.

    Attributes:
        start: of the word in the draft. end: one past its last character.
        word: the remembered word.
        segment: id of the segment that it comes from.
        translates: the source words that it stands for there; empty: not known.
        followed: whether the word stands there because of it; otherwise it was confirmed, and another word
            stands in its place.
        is_drafted: whether the remembered word stands in a draft, which nobody has confirmed.
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


def influence_marks(explanation: Explanation) -> tuple[InfluenceMark, ...]:
    """The marks of a text, in order, one a word at most; what had no effect has none.

    A word is marked as followed if the model would go on with another one without the remembered one, and if
    the draft without memory has not got it either: a search that weighs whole sentences may come to the same
    word all the same. While that draft is not known (`needs_comparison`), none is. One against
    which something confirmed spoke is marked where that can be used here: its source words stand in this
    segment, too, it stands nowhere in the text, and it is more than an article or a preposition. A text that
    repeats a confirmed segment has one mark for all of it.
    """
    if explanation.repeats:
        text = explanation.text
        return (InfluenceMark(0, len(text), text, explanation.repeats, "", followed=True, is_all=True),)
    source = "".join(word.word for word in explanation.source_words)
    brought = _brought(explanation)
    found = []
    for token in explanation.tokens:
        behind = [use for use in token.uses if _put_it_there(use, token)]
        if behind:
            if _within(token, brought):
                found.append(_mark(token, behind[0], True))
            continue
        rivals = [use for use in token.uses if _may_be_used(use, source, explanation.text)]
        if rivals:
            found.append(_mark(token, max(rivals, key=lambda use: use.strength), False))
    return tuple(found)


def needs_comparison(explanation: Explanation) -> bool:
    """Whether the draft without memory has to be known before it can be said what the memory brought."""
    return (
        not explanation.repeats
        and explanation.draft_without_memory is None
        and any(_put_it_there(use, token) for token in explanation.tokens for use in token.uses)
    )


def is_brought(explanation: Explanation, token: TokenTrace) -> bool | None:
    """Whether the draft without memory lacks a word of a draft; None: that draft is not known."""
    if explanation.draft_without_memory is None:
        return None
    return _within(token, _brought(explanation))


def _within(token: TokenTrace, spans: Spans) -> bool:
    return any(start < token.end and token.start < end for start, end in spans)


def _brought(explanation: Explanation) -> Spans:
    """Where the text has what the draft without memory has not; nowhere while that is not known."""
    plain = explanation.draft_without_memory
    return differences(plain, explanation.text)[1] if plain is not None else ()


def _put_it_there(use: MemoryUse, token: TokenTrace) -> bool:
    spoke_for_it = use.decisive and (use.influence or 0.0) > 0
    return spoke_for_it and bool(use.segment) and token.without_memory is not None


def _may_be_used(use: MemoryUse, source: str, text: str) -> bool:
    is_other = use.confirmed and bool(use.segment) and proposes_another_word(use)
    return (
        is_other
        and bool(use.translates)
        and use.label.casefold() not in FUNCTION_WORDS
        and use.translates in source
        and use.label.casefold() not in text.casefold()
    )


def _mark(token: TokenTrace, use: MemoryUse, followed: bool) -> InfluenceMark:
    place = token.start, token.end
    drafted = not use.confirmed
    return InfluenceMark(*place, use.label, use.segment, use.translates, followed, is_drafted=drafted)


def mark_under(marks: Iterable[InfluenceMark], offset: int) -> InfluenceMark | None:
    """The mark of the word at an offset of the text."""
    return next((mark for mark in marks if mark.start <= offset <= mark.end), None)


def with_word_used(text: str, mark: InfluenceMark) -> str:
    """A text with the remembered word in the place of the marked one, capitalised as that one was."""
    old, new = text[mark.start : mark.end], mark.word
    if old[:1].isupper() and new[:1].islower():
        new = new[:1].upper() + new[1:]
    return text[: mark.start] + new + text[mark.end :]
