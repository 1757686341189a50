"""Corrections learned from a post-edit: from a draft and what a translator confirmed in its place.

A comparison of the two texts finds the replaced words; the model's attention finds the source words that they
render. Only a clear replacement counts: words of content, of the same source words, which nothing else in the
sentence renders. A sentence that was rewritten teaches nothing.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from anaphora_nmt.corrections import Correction
from anaphora_nmt.pipeline.aligned_words import SourceWords, Span, TargetWords, read_words
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import PreparedLine
from anaphora_text.word_forms import lemmas, may_be_verb, stems

_MOST_CHANGES = 4
_LEAST_KEPT = 0.6
"""Share of the words of content that a sentence with several corrections keeps; else it was rewritten."""
_SIGN = re.compile(r"[^\w\s'’./+-]")


def learn_corrections(
    drafter: Drafter, source: PreparedLine, draft: str, confirmed: str, segment: str = ""
) -> tuple[Correction, ...]:
    """The corrections that a translator made in a draft.

    Args:
        draft, confirmed: with tags.
        segment: id of the segment.
    """
    if draft == confirmed or not draft.strip() or not confirmed.strip():
        return ()
    said = SourceWords.of(source.line.plain)
    before, after = (read_words(drafter, source, said, text) for text in (draft, confirmed))
    changes = _changes(before, after)
    different = {(before.said(was), after.said(now)) for was, now in changes}
    if len(different) > _MOST_CHANGES or (len(different) > 1 and _kept(before, after) < _LEAST_KEPT):
        return ()
    if len(different) > 1:  # a word more or fewer may belong to any of the changes
        changes = [(was, now) for was, now in changes if was[0] < was[1] and now[0] < now[1]]
    found: dict[Correction, None] = {}
    for was, now in changes:
        if (sources := _sources(said, before, after, was, now)) is None:
            continue
        old, new = before.rendering(sources, was), after.rendering(sources, now)
        if old is not None and new is not None:
            rejected, chosen = before.phrase(old), after.phrase(new)
            if _is_correction(phrase := said.phrase(sources), rejected, chosen):
                found[Correction(phrase, rejected, chosen, segment)] = None
    return tuple(found)


def _changes(before: TargetWords, after: TargetWords) -> list[tuple[Span, Span]]:
    """The words of content that differ: spans of the draft, and of the confirmed text in their place."""
    old, new = ([word.casefold() for word in text.words] for text in (before, after))
    changes = [
        (before.trimmed(first, last), after.trimmed(start, end))
        for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    return [(was, now) for was, now in changes if was[0] < was[1] or now[0] < now[1]]


def _kept(before: TargetWords, after: TargetWords) -> float:
    """The share of the words of content that stand in both texts, in the same order."""
    old, new = (
        [text.words[word].casefold() for word in text.content(text.whole)] for text in (before, after)
    )
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(1, len(old), len(new))


def _sources(
    source: SourceWords, before: TargetWords, after: TargetWords, was: Span, now: Span
) -> range | None:
    """The source words that replaced words render on both sides; None where that is not clear."""
    old, new = (
        {word for word in text.sources(span) if source.is_content(word)}
        for text, span in ((before, was), (after, now))
    )
    if was[0] < was[1] and now[0] < now[1]:
        if old == new or (old & new and source.joined(old | new) is not None):
            return source.joined(old | new)
        # Attention leads one of them astray: the words of the other one are without a rendering there.
        for some, text in ((old, after), (new, before)):
            if some and not some & text.sources(text.whole):
                return source.joined(some)
        return None
    # A word more, or fewer: it renders the same as a word that stands on both sides.
    sources = source.joined(old | new)
    is_shared = sources is not None and all(
        any(text.renders[word] in sources for word in text.content(text.whole)) for text in (before, after)
    )
    return sources if is_shared else None


def _is_correction(source: str, rejected: str, chosen: str) -> bool:
    """Whether one rendering in place of another one says how to translate a phrase."""
    is_copied = source.casefold() in rejected.casefold()
    has_signs = any(_SIGN.search(text) for text in (source, rejected, chosen))
    return not (is_copied or has_signs or _is_same_word(rejected, chosen))


def _is_same_word(one: str, other: str) -> bool:
    """Whether two phrases are the same, inflected otherwise, or a verb in place of its noun."""
    first, second = one.casefold().split(), other.casefold().split()
    return len(first) == len(second) and all(map(_are_forms, first, second))


def _are_forms(one: str, other: str) -> bool:
    if set(lemmas(one)) & set(lemmas(other)):
        return True
    return bool(stems(one) & stems(other)) and (may_be_verb(one) or may_be_verb(other))
