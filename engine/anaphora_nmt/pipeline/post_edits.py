"""Corrections learned from a post-edit: from a draft and what a translator confirmed in its place.

A comparison of the two texts finds the replaced words; the model's attention finds the source words that they
render. Only a clear replacement counts: words of content, of the same source words, which nothing else in the
sentence renders. A sentence that was rewritten teaches nothing.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from anaphora_nmt.corrections import Correction
from anaphora_nmt.pipeline.aligned_words import SourceWords, Span, TargetWords, read_words
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import PreparedLine
from anaphora_text.word_forms import lemmas

_MOST_CHANGES = 4
_LEAST_KEPT = 0.5
"""Share of the words of content that a corrected sentence keeps."""
_FEW = 2
"""So many words of content may always be replaced: of a heading these are all."""


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
    if len(changes) > _MOST_CHANGES or not _is_kept(before, after):
        return ()
    found: dict[Correction, None] = {}
    for was, now in changes:
        if (sources := _sources(said, before, after, was, now)) is None:
            continue
        old, new = before.rendering(sources, was), after.rendering(sources, now)
        if old is not None and new is not None:
            rejected, chosen = before.phrase(old), after.phrase(new)
            if not _is_same_word(rejected, chosen):
                found[Correction(said.phrase(sources), rejected, chosen, segment)] = None
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


def _is_kept(before: TargetWords, after: TargetWords) -> bool:
    """Whether a text is still the draft, with some words replaced."""
    old, new = (
        [text.words[word].casefold() for word in text.content(text.whole)] for text in (before, after)
    )
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    longest = max(len(old), len(new))
    return longest - sum(block.size for block in blocks) <= max(_FEW, (1 - _LEAST_KEPT) * longest)


def _sources(
    source: SourceWords, before: TargetWords, after: TargetWords, was: Span, now: Span
) -> range | None:
    """The source words that replaced words render on both sides; None where that is not clear."""
    old, new = (
        {word for word in text.sources(span) if source.is_content(word)}
        for text, span in ((before, was), (after, now))
    )
    if was[0] == was[1] or now[0] == now[1]:  # a word more, or fewer: one of the words beside it is rendered
        sources = source.joined(old | new)
        return (
            sources
            if sources and _has_neighbour(before, was, sources) and _has_neighbour(after, now, sources)
            else None
        )
    if old & new:
        return source.joined(old | new)
    # Attention leads one of them astray: the words of the other one must be without a rendering there.
    for some, text in ((old, after), (new, before)):
        if some and not some & text.sources(text.whole):
            return source.joined(some)
    return None


def _has_neighbour(text: TargetWords, span: Span, sources: range) -> bool:
    return span[0] < span[1] or any(text.renders[word] in sources for word in text.content(text.whole))


def _is_same_word(one: str, other: str) -> bool:
    """Whether two phrases are the same, inflected otherwise."""
    first, second = one.casefold().split(), other.casefold().split()
    return len(first) == len(second) and all(
        set(lemmas(word)) & set(lemmas(with_)) for word, with_ in zip(first, second, strict=True)
    )
