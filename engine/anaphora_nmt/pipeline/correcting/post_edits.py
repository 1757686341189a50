"""Corrections learned from a post-edit, by comparing a draft with the confirmed text.

A comparison of the two texts finds the replaced words. The model's attention finds the source words that
these words translate. A change counts only if its source words are certain: both texts translate
them, and no other word of the sentence does. From a rewritten sentence, only names are learned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from anaphora_nmt.corrections import Correction
from anaphora_nmt.pipeline.correcting.aligned_words import SourceWords, Span, TargetWords, read_words
from anaphora_nmt.pipeline.correcting.replaced_words import ARTICLES, apply_replacements, replacements
from anaphora_nmt.pipeline.judging.quality import DraftPair, judge
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, prepare_target
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_text.function_words import FUNCTION_WORDS
from anaphora_text.inflections import PARTICLES, in_singular, is_noun, may_take_place_of, regular_singular
from anaphora_text.word_forms import lemmas, may_be_verb, stems

_MAX_CHANGES = 4  # different changes; a sentence with more of them counts as rewritten
_MIN_KEPT = 0.6
"""Minimum share of words that a sentence with several corrections keeps; otherwise it counts as rewritten."""
_MAX_WORDS = 200
"""Maximum number of words of a text that is decoded to measure how well a chosen rendering fits."""
_MIXED = re.compile("[a-z][A-Z]")
_SIGN = re.compile(r"[^\w\s'’./+-]")
_POSSESSIVE = re.compile(r"['’]s\b|(?<=s)['’]")


@dataclass(frozen=True)
class _Change:
    """Words of the draft, and the words that replace them; one of the spans may be empty."""

    removed: Span
    added: Span
    is_clear: bool  # the function words around these words are the same in both texts, except articles

    @property
    def is_replacement(self) -> bool:
        return self.removed[0] < self.removed[1] and self.added[0] < self.added[1]


def learn_corrections(
    drafter: Drafter,
    source: PreparedLine,
    draft: str,
    confirmed: str,
    segment: str = "",
    texts: Sequence[str] = (),
) -> tuple[Correction, ...]:
    """The corrections that a translator made in a draft; none if a text is empty.

    Args:
        draft, confirmed: texts with tags.
        segment: id of the segment.
        texts: all sources of the document.
    """
    if draft == confirmed or not draft.strip() or not confirmed.strip():
        return ()
    words = SourceWords.of(source.line.plain)
    before, after = (read_words(drafter, source, words, text) for text in (draft, confirmed))
    changes = _changes(before, after)
    different = {(before.folded(each.removed), after.folded(each.added)) for each in changes}
    many = len(different) > 1
    is_rewritten = len(different) > _MAX_CHANGES or (many and _share_kept(before, after) < _MIN_KEPT)
    corrections: dict[tuple[str, str, str], Correction] = {}
    for each in changes:
        if (is_rewritten or not each.is_clear) and not _is_name(after, each.added, texts):
            continue
        # With several changes, an added or removed word may belong to any of them.
        if (many and not each.is_replacement) or (sources := _sources(words, before, after, each)) is None:
            continue
        both = before.folded(each.removed) + after.folded(each.added)
        prefixed = len(both) == 2 and both[1].endswith(both[0])  # "rescheduling" for "scheduling"
        sources = _widen(words, before, after, sources, prefixed)
        old, new = before.rendering(sources, each.removed), after.rendering(sources, each.added)
        if old is not None and new is not None:
            if each.is_replacement:
                old, new = _match_edges(before, after, each, old, new)
                if after.folded(new)[0] in PARTICLES and after.folded(new)[0] == before.folded(old)[0]:
                    old, new = (old[0] + 1, old[1]), (new[0] + 1, new[1])  # particle of a verb: "clean up"
            new = (new[0], max(new[1], each.added[1]))
            if not each.is_replacement and _growth(old, new) != _growth(each.removed, each.added):
                continue  # the rendering includes unrelated words: "receipt is lost" for "receipt"
            key = words.phrase(sources), *in_singular(before.phrase(old), after.phrase(new))
            is_valid = _is_correction(*key) and (each.is_replacement or _is_part(*key[1:]))
            if is_valid and key not in corrections:
                learned = Correction(*key, segment)
                fit = _measure_fit(drafter, source, confirmed, after, sources, learned)
                corrections[key] = replace(learned, fit=fit)
    return tuple(corrections.values())


def _match_edges(
    before: TargetWords, after: TargetWords, change: _Change, old: Span, new: Span
) -> tuple[Span, Span]:
    """Remove the words beside a change that only one of the two renderings includes.

    Example: "River Service" became "Canal Service", and attention aligns "Service" with the name in only one
    of the texts. The result is River → Canal. The words after the change stay if they translate a source
    word that the removed words do not translate.
    """
    removed, added = change.removed, change.added
    behind = removed[1], old[1]
    if before.sources(behind) - before.sources(removed) and added[1] == new[1]:
        longer = added[0], added[1] + old[1] - removed[1]
        new = longer if before.folded(behind) == after.folded((added[1], longer[1])) else new
    if before.folded((old[0], removed[0])) != after.folded((new[0], added[0])):
        old, new = (removed[0], old[1]), (added[0], new[1])
    if before.folded((removed[1], old[1])) != after.folded((added[1], new[1])):
        old, new = (old[0], removed[1]), (new[0], added[1])
    return old, new


def _measure_fit(
    drafter: Drafter,
    source: PreparedLine,
    confirmed: str,
    words: TargetWords,
    sources: range,
    learned: Correction,
) -> float | None:
    """`Correction.fit` of a learned correction; None if the text is too long or no change can be reversed."""
    if len(words.words) > _MAX_WORDS:
        return None
    reverse = replace(learned, rejected=learned.chosen, chosen=learned.rejected)
    reverse_changes = replacements(confirmed, words, sources, [reverse])
    if not reverse_changes:
        return None
    actual, *rejected = (
        float(evidence.log_probs.sum())
        for text in (confirmed, *apply_replacements(confirmed, reverse_changes))
        for _, evidence in judge(drafter, [_draft_pair(drafter, source, text)], frozenset())
    )
    return round(actual - max(rejected), 2)


def _draft_pair(drafter: Drafter, source: PreparedLine, text: str) -> DraftPair:
    return DraftPair(source, prepare_target(text, source.line.strings, drafter.target))


def _changes(before: TargetWords, after: TargetWords) -> list[_Change]:
    """The stretches of both texts with different content words."""
    old, new = ([word.casefold() for word in text.words] for text in (before, after))
    changes = [
        _change(before, after, (first, last), (start, end))
        for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    return [each for each in changes if each.removed[0] < each.removed[1] or each.added[0] < each.added[1]]


def _change(before: TargetWords, after: TargetWords, old: Span, new: Span) -> _Change:
    """A change, trimmed to content words.

    The change is clear if the trimmed function words are the same in both texts, ignoring articles. If "is
    displayed" became "appears", it is not clear: a later draft would keep the "is". A particle belongs to its
    verb: "look at" for "observe".
    """
    removed, added = before.trimmed(*old), after.trimmed(*new)
    texts = (before, old, removed), (after, new, added)
    heads = [_function_words(text, outer[0], inner[0]) for text, outer, inner in texts]
    tails = [_function_words(text, inner[1], outer[1]) for text, outer, inner in texts]
    is_clear = heads[0] == heads[1] and tails[0] == tails[1]
    is_one_word = added[1] - added[0] == 1
    if heads[0] == heads[1] and not tails[0] and is_one_word and tails[1] and tails[1][0] in PARTICLES:
        last = after.words[added[1] - 1].casefold()
        return _Change(removed, (added[0], added[1] + 1), len(tails[1]) == 1 and may_be_verb(last))
    return _Change(removed, added, is_clear)


def _function_words(text: TargetWords, first: int, last: int) -> list[str]:
    words = (word.casefold() for word in text.words[first:last])
    return [word for word in words if word.isalpha() and word not in ARTICLES]


def _is_name(words: TargetWords, span: Span, sources: Sequence[str]) -> bool:
    """True for a word such as StarMap, unless it is in a source and therefore was merely copied."""
    name = words.phrase(span) if span[1] - span[0] == 1 else ""
    return _MIXED.search(name) is not None and not any(name in source for source in sources)


def _growth(removed: Span, added: Span) -> int:
    return added[1] - added[0] - removed[1] + removed[0]


def _share_kept(before: TargetWords, after: TargetWords) -> float:
    """The share of words that both texts have in the same order."""
    old, new = (text.folded(text.whole) for text in (before, after))
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(1, len(old), len(new))


def _sources(source: SourceWords, before: TargetWords, after: TargetWords, change: _Change) -> range | None:
    """The source words that the changed words translate on both sides; None if that is unclear."""
    old, new = before.sources(change.removed), after.sources(change.added)
    if change.is_replacement:
        # Attention sometimes aligns a new word with the source word of an unchanged neighbour.
        fixed_sources = _fixed_sources(before, change.removed) & _fixed_sources(after, change.added)
        old, new = old - fixed_sources or old, new - fixed_sources or new
        if old == new or (old & new and source.range_of(old | new) is not None):
            return source.range_of(old | new)
        # If no word of the other text seems to translate these source words, its attention is wrong.
        for numbers, text in ((old, after), (new, before)):
            if numbers and not numbers & text.sources(text.whole):
                return source.range_of(numbers)
        return None
    if (place := _preceding_noun(after, change)) is not None and new <= before.sources(before.whole):
        return source.range_of({after.renders[place]})
    # An added or removed word must translate a source word that both texts translate.
    sources = source.range_of(old | new)
    is_shared = all({*(sources or ())} & text.sources(text.whole) for text in (before, after))
    return sources if is_shared else None


def _widen(source: SourceWords, old: TargetWords, new: TargetWords, words: range, prefixed: bool) -> range:
    """Extend a phrase by characters that are translated with it, although they are separate source words.

    `prefixed`: whether a prefix of the new target word translates one of these characters.
    """
    for wider in (range(words.start - 1, words.stop), range(words.start, words.stop + 1)):
        (part,) = {*wider} - {*words}
        if source.may_be_part(part, words, prefixed) and all(text.are_adjacent(wider) for text in (old, new)):
            return _widen(source, old, new, wider, False)
    return words


def _fixed_sources(words: TargetWords, change: Span) -> set[int]:
    """The source words that words outside a change translate."""
    return words.sources((0, change[0])) | words.sources((change[1], len(words.words)))


def _preceding_noun(after: TargetWords, change: _Change) -> int | None:
    """The noun before an added noun that ends its phrase: "warehouse", if "receipt" was added to it."""
    first, last = change.added
    if first == last or first == 0 or after.content((last, min(last + 1, len(after.words)))):
        return None
    is_joined = after.content((first - 1, first)) and after.content(change.added) == [*range(first, last)]
    return first - 1 if is_joined and all(map(is_noun, after.words[first - 1 : last])) else None


def _is_part(rejected: str, chosen: str) -> bool:
    """True if one phrase is a part of the other one: a translator added or removed a word."""
    shorter, longer = sorted((f" {text.casefold()} " for text in (rejected, chosen)), key=len)
    return shorter in longer


def _is_correction(source: str, rejected: str, chosen: str) -> bool:
    """True if a replacement shows how to translate a phrase."""
    is_copied = source.casefold() in rejected.casefold() or rejected in FUNCTION_WORDS
    has_signs = any(_SIGN.search(text) for text in (source, rejected, chosen))
    if is_copied or has_signs or _is_same_word(rejected, chosen) or _is_shortened(rejected, chosen):
        return False
    return may_take_place_of(chosen, rejected)


def _is_same_word(*phrases: str) -> bool:
    """True if two phrases have forms of the same words: "install", "installed" and "installation"."""
    first, second = (_POSSESSIVE.sub("", text.casefold().replace("-", " ")).split() for text in phrases)
    return len(first) == len(second) and all(map(_are_forms, first, second))


def _is_shortened(rejected: str, chosen: str) -> bool:
    """True if the chosen phrase has only some of the rejected phrase's words, in other forms."""
    first, second = rejected.casefold().split(), chosen.casefold().split()
    is_shorter = len(second) < len(first) and not _is_part(rejected, chosen)
    return is_shorter and all(any(_are_forms(old, new) for old in first) for new in second)


def _are_forms(word: str, other: str) -> bool:
    if set(lemmas(word)) & set(lemmas(other)) or regular_singular(word) == regular_singular(other):
        return True
    return bool(stems(word) & stems(other)) and (may_be_verb(word) or may_be_verb(other))
