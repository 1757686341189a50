"""Which corrections a draft does not follow yet, as the terms that it is to be held to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from anaphora_nmt.corrections import Correction
from anaphora_nmt.pipeline.aligned_words import SourceWords, TargetWords
from anaphora_nmt.pipeline.document_corrections import CorrectedPhrase
from anaphora_nmt.pipeline.lines import PreparedLine, raw_span
from anaphora_nmt.types import SourceTerm
from anaphora_text.determiners import clashes
from anaphora_text.word_forms import may_replace, shares_a_word

_AGREEING = 2
"""Corrections that agree count against a rendering that nobody has rejected."""

Read = Callable[[str], TargetWords]
"""Reads a draft by words."""


def held_corrections(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> tuple[SourceTerm, ...]:
    """What a draft is to call phrases that it calls otherwise; places of terms are left out.

    Args:
        phrases: of the source that corrections speak of.
        terms: of the term base.
        read: called where the words of the draft have to be known.
    """
    held = []
    for each in phrases:
        start, end = raw_span(source.line.tags, each.start, each.end)
        if any(term.start < end and start < term.end for term in terms):
            continue
        if chosen := _wanted(source, each, draft, read):
            rejected = [one for one in chosen if one.must_be_forbidden(draft)]
            held.append(_term((start, end), chosen, _forms(rejected, Correction.rejected_forms)))
    return tuple(held)


def other_corrections(
    source: PreparedLine, phrases: Sequence[CorrectedPhrase], draft: str, terms: Sequence[SourceTerm]
) -> tuple[SourceTerm, ...]:
    """For each phrase that somebody has called otherwise than a draft does: what else it was called."""
    held = []
    for each in phrases:
        span = raw_span(source.line.tags, each.start, each.end)
        is_settled = any(term.start < span[1] and span[0] < term.end for term in terms)
        if is_settled or not any(one.chosen_in(draft) for one in each.corrections):
            continue
        standing = _forms([one for one in each.corrections if one.chosen_in(draft)], Correction.forms)
        for one in {one.chosen.casefold(): one for one in each.corrections}.values():
            if not one.chosen_in(draft):
                held.append(_term(span, (one,), standing))
    return tuple(held)


def followed_corrections(phrases: Sequence[CorrectedPhrase], target: str) -> tuple[Correction, ...]:
    """The corrections that a target follows."""
    return tuple(dict.fromkeys(one for each in phrases for one in each.corrections if one.chosen_in(target)))


def follows_more(phrases: Sequence[CorrectedPhrase], target: str, other: str) -> bool:
    """Whether a target follows a correction that another one does not follow."""
    followed = followed_corrections(phrases, other)
    return any(each not in followed for each in followed_corrections(phrases, target))


def _term(span: tuple[int, int], chosen: Sequence[Correction], forbidden: Sequence[str]) -> SourceTerm:
    forms = _forms(chosen, Correction.forms)
    return SourceTerm(*span, forms, tuple(each for each in forbidden if each not in forms), clashes(forms))


def _forms(
    corrections: Sequence[Correction], forms: Callable[[Correction], tuple[str, ...]]
) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for each in corrections for form in forms(each)))


def _wanted(source: PreparedLine, phrase: CorrectedPhrase, draft: str, read: Read) -> tuple[Correction, ...]:
    """The corrections that a draft has to follow at a phrase."""
    corrections = phrase.corrections
    if any(each.rejected_in(draft) for each in corrections):
        said = " ".join(_rendering(source, phrase, read(draft)))
        is_rejected = any(shares_a_word(each.rejected, said) for each in corrections)
        return corrections if is_rejected or not said else ()
    agreeing = _agreeing(corrections)
    if not agreeing or any(each.chosen_in(draft) for each in corrections):
        return ()
    rendering = _rendering(source, phrase, read(draft))
    fits = [each for each in agreeing if rendering and may_replace(each.chosen.split()[-1], rendering[-1])]
    return tuple(fits)


def _agreeing(corrections: Sequence[Correction]) -> list[Correction]:
    """The corrections that several segments agree on."""
    segments = defaultdict(set)
    for each in corrections:
        segments[each.chosen.casefold()].add(each.segment)
    return [each for each in corrections if len(segments[each.chosen.casefold()]) >= _AGREEING]


def _rendering(source: PreparedLine, phrase: CorrectedPhrase, words: TargetWords) -> list[str]:
    """The words of content that stand for a phrase."""
    sources = SourceWords.of(source.line.plain).within(phrase.start, phrase.end)
    return [words.words[word] for word in words.content(words.whole) if words.renders[word] in sources]
