"""The effects that words of the engine's memory ("remembered words") have on a text: marks and reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from anaphora.core.differences import Spans, differences
from anaphora.core.influence_marks import InfluenceMark
from anaphora.features.explain.rendered import (
    attention_share,
    contains_words,
    is_number,
    remembered_source,
    source_text,
    without_counts,
)
from anaphora_nmt.types import MIN_INFLUENCE, Explanation, MemoryUse, TokenTrace
from anaphora_text.chinese_words import cut, word_class
from anaphora_text.word_forms import (
    are_related,
    content_words,
    is_content,
    is_short_for,
    may_be_noun,
    shares_a_word,
)

MIN_OPPOSING_STRENGTH = 0.1
"""Minimum strength (`MemoryUse.strength`) of a reported word that opposes the output word."""


class Effect(Enum):
    """The effect of a remembered word on an output word.

    Attributes:
        DECISIVE: without the remembered word, the model would choose another output word.
        SUPPORTING: the remembered word made the output word noticeably likelier.
        AGAINST: the remembered word made the output word noticeably less likely.
        NONE: the remembered word hardly changed the probability of the output word.
    """

    DECISIVE = "decisive"
    SUPPORTING = "supporting"
    AGAINST = "against"
    NONE = "none"


def effect_of(use: MemoryUse) -> Effect:
    """The measured effect of a use; NONE if the effect was not measured."""
    if use.decisive:
        return Effect.DECISIVE
    influence = use.influence or 0.0
    if abs(influence) < MIN_INFLUENCE:
        return Effect.NONE
    return Effect.SUPPORTING if influence > 0 else Effect.AGAINST


def is_drafted(use: MemoryUse) -> bool:
    """True if a remembered word comes from an unconfirmed draft of the engine."""
    return bool(use.segment) and not use.confirmed


def causes(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """The remembered words because of which an output word was chosen.

    If there are decisive words: those that made the output word likelier, or all of them if none did so.
    Otherwise: the words that supported the output word, provided that the memory changed that word.
    """
    decisive = [use for use in token.uses if use.decisive]
    if decisive:
        return tuple(use for use in decisive if (use.influence or 0.0) > 0) or tuple(decisive)
    changed = token.without_memory is not None
    return tuple(use for use in token.uses if changed and effect_of(use) is Effect.SUPPORTING)


def effective_uses(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """The uses with an effect on an output word, in the engine's order.

    Words of unconfirmed drafts that only support the output word are omitted: they are not evidence.
    """
    changing = causes(token)
    return tuple(use for use in token.uses if use in changing or _is_evidence(use))


def _is_evidence(use: MemoryUse) -> bool:
    effect = effect_of(use)
    return effect is not Effect.NONE and not (effect is Effect.SUPPORTING and is_drafted(use))


def proposes_another_word(use: MemoryUse) -> bool:
    """True if a remembered word supports a different word than the output word, strongly enough to report."""
    return effect_of(use) is Effect.AGAINST and use.strength >= MIN_OPPOSING_STRENGTH


def words_with_effect(tokens: Iterable[TokenTrace], memory: str, section: str) -> dict[str, MemoryUse]:
    """By label, the strongest use of each word of a memory's section; only words that affect the output."""
    strongest: dict[str, MemoryUse] = {}
    for token in tokens:
        for use in effective_uses(token):
            previous = strongest.get(use.label)
            if (use.memory, use.section) == (memory, section) and (
                previous is None or abs(use.influence or 0.0) > abs(previous.influence or 0.0)
            ):
                strongest[use.label] = use
    return strongest


MIN_ATTENTION = 0.5
"""At least this share of an output word's attention must be on the source words of an ignored word."""
MIN_STRENGTH = 0.25
"""Minimum strength of a confirmed word that counts as ignored; marks for weaker words are wrong too often
(`tests/golden/remarks`)."""
MIN_EXPECTED = -4.0
"""Minimum log-probability of an ignored word in the segment that it comes from; does not apply to nouns. For
less likely words, the model's attention is often on the source of another word."""
_PARTICLES = frozenset(("over", "out", "up", "off", "down", "away", "back"))
"""Particles of phrasal verbs: "taken over", "figure out"."""


def influence_marks(explanation: Explanation) -> tuple[InfluenceMark, ...]:
    """The marks of a text, in order, at most one per word.

    A word is marked as followed if the model would choose another word without the remembered one, and if
    the draft without memory does not contain the word. There are no such marks while the draft without memory
    is unknown (`needs_comparison`). A word used instead of a confirmed one is also marked, see `is_ignored`.
    """
    if explanation.repeats:
        text = explanation.text
        return (InfluenceMark(0, len(text), text, explanation.repeats, "", True, is_repetition=True),)
    memory_spans = _spans_from_memory(explanation)
    marks = []
    for number, token in enumerate(explanation.tokens):
        decisive = _decisive_uses(token)
        if decisive:
            if _overlaps(token, memory_spans):
                marks.append(_mark(token, decisive[0], True))
            continue
        ignored = [use for use in token.uses if is_ignored(use, explanation, number)]
        if ignored:
            marks.append(_mark(token, max(ignored, key=lambda use: use.strength), False))
    return tuple(marks)


def needs_comparison(explanation: Explanation) -> bool:
    """True if the draft without memory is needed to find the memory's effect."""
    return (
        not explanation.repeats
        and explanation.draft_without_memory is None
        and any(map(_decisive_uses, explanation.tokens))
    )


def is_from_memory(explanation: Explanation, token: TokenTrace) -> bool | None:
    """True if the draft without memory lacks this word; None if the draft without memory is unknown."""
    if explanation.draft_without_memory is None:
        return None
    return _overlaps(token, _spans_from_memory(explanation))


def _overlaps(token: TokenTrace, spans: Spans) -> bool:
    return any(start < token.end and token.start < end for start, end in spans)


def _spans_from_memory(explanation: Explanation) -> Spans:
    draft = explanation.draft_without_memory
    return differences(draft, explanation.text)[1] if draft is not None else ()


def _decisive_uses(token: TokenTrace) -> list[MemoryUse]:
    changed = token.without_memory is not None
    return [use for use in causes(token) if changed and use.decisive]


def is_ignored(use: MemoryUse, explanation: Explanation, number: int) -> bool:
    """True if a text uses another word instead of a confirmed one, and the alignments are certain enough.

    The confirmed word must be a content word whose source words are also in this segment. The output word
    must render them, and it must neither be a form of the confirmed word nor be copied from the source.

    `number` is the index of the output word.
    """
    token, text = explanation.tokens[number], explanation.text
    return (
        use.confirmed
        and bool(use.segment)
        and bool(remembered_source(use))
        and proposes_another_word(use)
        and use.strength >= MIN_STRENGTH
        and is_content(use.label)
        and not is_number(use)
        and is_content(token.word)
        and use.label.casefold() not in text.casefold()
        and len(token.word) > 1
        and not shares_a_word(use.label, text)
        and not are_related(use.label, token.word)
        and not _is_copied(explanation, token.word)
        and not _has_word(use.sentence, token.word)
        and not any(map(is_content, use.rivals))
        and use.is_clear
        and (use.expected >= MIN_EXPECTED or _is_noun(use))
        and not is_short_for(use.label, token.word)
        and not _is_part_of_phrasal_verb(use)
        and contains_words(explanation, remembered_source(use))
        and _renders(explanation, number, remembered_source(use))
    )


def _is_copied(explanation: Explanation, word: str) -> bool:
    return any(word.casefold() == each.word.casefold() for each in explanation.source_words)


def _is_part_of_phrasal_verb(use: MemoryUse) -> bool:
    particle = re.search(rf"\b{re.escape(use.label)} ([a-z]+)", use.sentence)
    return particle is not None and particle.group(1) in _PARTICLES


def _is_noun(use: MemoryUse) -> bool:
    last = cut(remembered_source(use))[-1:]
    return bool(last) and word_class(last[0]).startswith("n") and may_be_noun(use.label)


def _has_word(sentence: str, word: str) -> bool:
    """True if a sentence contains a word in any form, or as part of another word (box in textbox)."""
    return (
        word.casefold() in sentence.casefold()
        or shares_a_word(word, sentence)
        or any(are_related(word, each) for each in content_words(sentence))
    )


def _renders(explanation: Explanation, number: int, source: str) -> bool:
    """True if an output word attends mostly to these source words, and no word attends to them more."""
    share = attention_share(explanation, number, source)
    return share >= MIN_ATTENTION and all(
        attention_share(explanation, index, source) <= share for index in range(len(explanation.tokens))
    )


def is_followed(use: MemoryUse, token: TokenTrace) -> bool:
    """True if a remembered content word supported an output word and is a form of it."""
    if effect_of(use) not in (Effect.DECISIVE, Effect.SUPPORTING) or not is_content(use.label):
        return False
    return use.label.casefold() == token.word.casefold() or shares_a_word(use.label, token.word)


def _mark(token: TokenTrace, use: MemoryUse, followed: bool) -> InfluenceMark:
    span = token.start, token.end
    source = remembered_source(use)
    return InfluenceMark(*span, use.label, use.segment, source, followed, is_drafted=is_drafted(use))


def with_remembered_word(text: str, mark: InfluenceMark) -> str:
    """A text in which the remembered word, capitalised like the marked word, replaces the marked word."""
    old, new = text[mark.start : mark.end], mark.word
    if old[:1].isupper() and new[:1].islower():
        new = new[:1].upper() + new[1:]
    return text[: mark.start] + new + text[mark.end :]


_ORDER = (Effect.DECISIVE, Effect.AGAINST, Effect.SUPPORTING)
"""The reported effects in the order of their importance for the user."""


@dataclass(frozen=True)
class Reason:
    """A remembered word with an effect on words of a translation.

    Attributes:
        remembered: the source words that this word renders in the segment it comes from; "" if unknown.
        source: the source words of the most affected output word; "" if unknown.
        words: the affected output words, each once.
        numbers: indices of the affected output words in the text.
        effect: the strongest reported effect.
    """

    use: MemoryUse
    remembered: str
    source: str
    words: tuple[str, ...]
    numbers: tuple[int, ...]
    effect: Effect


_Affected = tuple[Effect, MemoryUse, int]
"""Tuple of effect, remembered word, and index of the output word."""


def reasons(explanation: Explanation) -> tuple[Reason, ...]:
    """The reasons for a text, the strongest effects first.

    A remembered word has separate reasons as a drafted and as a confirmed word, and for opposing effects.
    Support for numbers does not count, because numbers change with the segment.
    """
    affected: dict[tuple[str, bool, bool], list[_Affected]] = {}
    for number, token in enumerate(explanation.tokens):
        for use in effective_uses(token):
            effect = _reported_effect(use, explanation, number)
            if effect is not None:
                key = use.label.casefold(), effect is Effect.AGAINST, is_drafted(use)
                affected.setdefault(key, []).append((effect, use, number))
    items = [_reason(explanation, uses) for uses in affected.values()]
    return tuple(sorted(items, key=lambda each: (_ORDER.index(each.effect), -abs(each.use.influence or 0.0))))


def _reported_effect(use: MemoryUse, explanation: Explanation, number: int) -> Effect | None:
    token, effect = explanation.tokens[number], effect_of(use)
    if use in causes(token) and is_from_memory(explanation, token) is not False:
        return effect
    if effect is Effect.AGAINST:
        return effect if is_ignored(use, explanation, number) else None
    supports = use.confirmed and use.segment and not is_number(use) and is_followed(use, token)
    return Effect.SUPPORTING if supports else None


def _reason(explanation: Explanation, uses: list[_Affected]) -> Reason:
    effect, use, strongest = min(
        uses, key=lambda each: (_ORDER.index(each[0]), -abs(each[1].influence or 0.0), each[2])
    )
    numbers = tuple(dict.fromkeys(number for _, _, number in uses))
    words = tuple(dict.fromkeys(explanation.tokens[number].word for number in numbers))
    remembered, source = remembered_source(use), source_text(explanation, strongest, use)
    label = use.label
    return Reason(
        use, without_counts(remembered, label), without_counts(source, label), words, numbers, effect
    )
