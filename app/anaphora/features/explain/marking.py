"""The marks in a text: words that come from the memory, and words that contradict it."""

from __future__ import annotations

import re

from anaphora.core.differences import Spans, differences
from anaphora.core.influence_marks import InfluenceMark
from anaphora.features.explain.remembered import Effect, effect_of, is_drafted, proposes_another_word, turning
from anaphora.features.explain.rendered import (
    remembered_source,
    says_a_number,
    share_of_stretch,
    stands_whole,
)
from anaphora_nmt.types import Explanation, MemoryUse, TokenTrace
from anaphora_text.chinese_words import cut, word_class
from anaphora_text.word_forms import (
    begin_alike,
    content_words,
    is_content,
    is_short_for,
    may_be_noun,
    shares_a_word,
)

RENDERS = 0.5
"""The share of an output word's attention on source words from which on it is said to render them."""
SURE = 0.25
"""The share of an output word's place from which on a confirmed word is said not to be followed there: what
is offered less is wrong too often (`tests/golden/remarks`)."""
EXPECTED = -4.0
"""The log-probability from which on it is sure enough what a confirmed word renders in its own segment: where
the model expects it less, its attention tells too often what another word renders, but for nouns."""
_PARTICLES = frozenset(("over", "out", "up", "off", "down", "away", "back"))
"""A word before one of these is half of what renders something: "taken over", "figure out"."""


def influence_marks(explanation: Explanation) -> tuple[InfluenceMark, ...]:
    """The marks of a text, in order, at most one per word, for words with an effect.

    A word is marked as followed if the model would continue with another one without the remembered one, and
    if the draft without memory lacks it: a search over whole sentences may find the same word anyway. While
    that draft is unknown (`needs_comparison`), such marks are left out. A word used instead of a confirmed
    one is also marked (`is_passed_over`). A text that repeats a confirmed segment has a single mark.
    """
    if explanation.repeats:
        text = explanation.text
        return (InfluenceMark(0, len(text), text, explanation.repeats, "", followed=True, is_all=True),)
    brought = _brought(explanation)
    found = []
    for number, token in enumerate(explanation.tokens):
        behind = _put_it_there(token)
        if behind:
            if _within(token, brought):
                found.append(_mark(token, behind[0], True))
            continue
        rivals = [use for use in token.uses if is_passed_over(use, explanation, number)]
        if rivals:
            found.append(_mark(token, max(rivals, key=lambda use: use.strength), False))
    return tuple(found)


def needs_comparison(explanation: Explanation) -> bool:
    """True if the draft without memory is needed to find the memory's effect."""
    return (
        not explanation.repeats
        and explanation.draft_without_memory is None
        and any(map(_put_it_there, explanation.tokens))
    )


def is_brought(explanation: Explanation, token: TokenTrace) -> bool | None:
    """True if the draft without memory lacks a word of a draft; None if that draft is unknown."""
    if explanation.draft_without_memory is None:
        return None
    return _within(token, _brought(explanation))


def _within(token: TokenTrace, spans: Spans) -> bool:
    return any(start < token.end and token.start < end for start, end in spans)


def _brought(explanation: Explanation) -> Spans:
    plain = explanation.draft_without_memory
    return differences(plain, explanation.text)[1] if plain is not None else ()


def _put_it_there(token: TokenTrace) -> list[MemoryUse]:
    """The remembered words that are known to have put a word in place of the one without memory."""
    changed = token.without_memory is not None
    return [use for use in turning(token) if changed and use.decisive]


def is_passed_over(use: MemoryUse, explanation: Explanation, number: int) -> bool:
    """True if a text uses a word other than the confirmed one.

    A confirmed content word had enough support there; its source words are also in this
    segment; the actual word renders them more than any other word does, and does not copy
    them; and the text does not have the confirmed word in any form. The result is False for uncertain
    alignments: the actual word is also in that sentence, another content word attends to the source words
    nearly as much, the confirmed word is half of a phrasal verb, or the model expects it least of all there.
    It is also False if the actual word is copied from the source.
    """
    token, text = explanation.tokens[number], explanation.text
    return (
        use.confirmed
        and bool(use.segment)
        and bool(remembered_source(use))
        and proposes_another_word(use)
        and use.strength >= SURE
        and is_content(use.label)
        and not says_a_number(use)
        and is_content(token.word)
        and use.label.casefold() not in text.casefold()
        and len(token.word) > 1
        and not shares_a_word(use.label, text)
        and not begin_alike(use.label, token.word)
        and not _is_copied(explanation, token.word)
        and not _has_word(use.sentence, token.word)
        and not any(map(is_content, use.rivals))
        and use.is_clear
        and (use.expected >= EXPECTED or _is_noun(use))
        and not is_short_for(use.label, token.word)
        and not _is_half_of_a_verb(use)
        and stands_whole(explanation, remembered_source(use))
        and _renders(explanation, number, remembered_source(use))
    )


def _is_copied(explanation: Explanation, word: str) -> bool:
    return any(word.casefold() == each.word.casefold() for each in explanation.source_words)


def _is_half_of_a_verb(use: MemoryUse) -> bool:
    """True if a confirmed word comes before a particle in its sentence."""
    found = re.search(rf"\b{re.escape(use.label)} ([a-z]+)", use.sentence)
    return found is not None and found.group(1) in _PARTICLES


def _is_noun(use: MemoryUse) -> bool:
    last = cut(remembered_source(use))[-1:]
    return bool(last) and word_class(last[0]).startswith("n") and may_be_noun(use.label)


def _has_word(sentence: str, word: str) -> bool:
    """True if a sentence has a word, in any form, or as a part of another one (box, textbox)."""
    return (
        word.casefold() in sentence.casefold()
        or shares_a_word(word, sentence)
        or any(begin_alike(word, each) for each in content_words(sentence))
    )


def _renders(explanation: Explanation, number: int, source: str) -> bool:
    """True if an output word attends mostly to source words, and no other one attends to them more."""
    share = share_of_stretch(explanation, number, source)
    return share >= RENDERS and all(
        share_of_stretch(explanation, other, source) <= share for other in range(len(explanation.tokens))
    )


def is_followed(use: MemoryUse, token: TokenTrace) -> bool:
    """True if a remembered content word supported an output word and is a form of that word."""
    if effect_of(use) not in (Effect.DECISIVE, Effect.SUPPORTING) or not is_content(use.label):
        return False
    return use.label.casefold() == token.word.casefold() or shares_a_word(use.label, token.word)


def _mark(token: TokenTrace, use: MemoryUse, followed: bool) -> InfluenceMark:
    place = token.start, token.end
    source = remembered_source(use)
    return InfluenceMark(*place, use.label, use.segment, source, followed, is_drafted=is_drafted(use))


def with_word_used(text: str, mark: InfluenceMark) -> str:
    """A text with the remembered word in place of the marked one, capitalised as that one was."""
    old, new = text[mark.start : mark.end], mark.word
    if old[:1].isupper() and new[:1].islower():
        new = new[:1].upper() + new[1:]
    return text[: mark.start] + new + text[mark.end :]
