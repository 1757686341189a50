"""Consistency: words shared with neighbouring sentences, and repeated terms that keep their translation.

Words count once a sentence: a decoder that loops says a word again and again, and would otherwise look
consistent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.bleu import check_parallel
from anaphora_text.han import is_han
from anaphora_text.stop_words import CHINESE_STOP_WORDS, STOP_WORDS
from experiments.measures.lexicon import Lexicon
from experiments.measures.tokens import chinese_tokens, content_words, english_tokens

_LEAST_SHARE = 0.03


@dataclass(frozen=True, slots=True)
class SharedWithContext:
    """Words of a translation that its context sentences have too, a sentence on average (CAMN, Table 3).

    Attributes:
        previous, following: with the `size` sentences before, and after.
        from_reference: how far documents are from their reference's `previous`; None without a reference.
    """

    previous: float
    following: float
    size: int
    from_reference: DistanceToReference | None = None


@dataclass(frozen=True, slots=True)
class DistanceToReference:
    """How far a count is from the reference's, the mean over documents: nearer is better on either side.

    Attributes:
        distance: missing + extra.
        missing: what the reference has more. extra: what it has less, such as words that loops repeat.
    """

    distance: float
    missing: float
    extra: float


@dataclass(frozen=True, slots=True)
class TermConsistency:
    """Whether source terms that recur in a document are rendered by the same word.

    Attributes:
        share: of the pairs of occurrences that are rendered alike.
        terms: recurring terms with a rendering that the lexicon knows. occurrences: of those.
        single: share of the terms with one rendering only.
        pairs: of occurrences of a term in a document.
    """

    share: float
    terms: int
    occurrences: int
    single: float
    pairs: int


def distance_to_reference(values: Sequence[float], reference: Sequence[float]) -> DistanceToReference:
    """The distance of documents' values from their reference's.

    Raises:
        CorpusError: no documents, or not as many of the reference.
    """
    if not values or len(values) != len(reference):
        raise CorpusError(f"{len(values)} documents and {len(reference)} of the reference cannot be compared")
    gaps = [right - value for value, right in zip(values, reference, strict=True)]
    missing, extra = (sum(max(0.0, sign * gap) for gap in gaps) / len(gaps) for sign in (1, -1))
    return DistanceToReference(missing + extra, missing, extra)


def shared_with_context(
    outputs: Sequence[str],
    documents: Sequence[object],
    size: int = 3,
    reference: Sequence[str] | None = None,
) -> SharedWithContext:
    """Count types of content words that also stand in the neighbouring sentences' translations.

    The paper counts words of the translation "which are also in the contextual sentences". Its context is
    source text; words of two languages cannot be equal, so the context's translations by the same system
    are taken. Stop words and punctuation are left out, as there.

    Args:
        reference: the outputs' reference, to say how far documents are from it.
    Raises:
        CorpusError: no outputs, or lists of different lengths.
    """
    check_parallel(outputs, [documents])
    counts = [_shared([outputs[n] for n in numbers], size) for numbers in _documents(documents)]
    previous, following = (
        sum(sum(side) for side in sides) / len(outputs) for sides in zip(*counts, strict=True)
    )
    if reference is None:
        return SharedWithContext(previous, following, size)
    check_parallel(reference, [documents])
    right = [_shared([reference[n] for n in numbers], size) for numbers in _documents(documents)]
    means = [[sum(before) / len(before) for before, _ in one] for one in (counts, right)]
    return SharedWithContext(previous, following, size, distance_to_reference(*means))


def _shared(outputs: Sequence[str], size: int) -> tuple[list[int], list[int]]:
    """For each sentence of a document, the types it shares with the `size` sentences before, and after."""
    bags = [set(content_words(output)) for output in outputs]
    before, after = [], []
    for place, bag in enumerate(bags):
        before.append(len(bag & set().union(*bags[max(0, place - size) : place])))
        after.append(len(bag & set().union(*bags[place + 1 : place + 1 + size])))
    return before, after


def term_consistency(
    sources: Sequence[str], outputs: Sequence[str], documents: Sequence[object], lexicon: Lexicon
) -> TermConsistency:
    """Lexical translation consistency of repeated source terms.

    A term is a Chinese word of two characters or more, no function word, that stands in at least two
    segments of a document. Its rendering in a segment is the likeliest of the lexicon's translations that
    the output has there (inflected forms are one); an occurrence without one does not count.

    Raises:
        CorpusError: no outputs, or lists of different lengths.
    """
    check_parallel(outputs, [sources, documents])
    same = pairs = terms = occurrences = single = 0
    for numbers in _documents(documents):
        renderings: defaultdict[str, list[str]] = defaultdict(list)
        for number in numbers:
            given = {_stem(token.text) for token in english_tokens(outputs[number])}
            for term in {token.text for token in chinese_tokens(sources[number])}:
                if _is_term(term) and (found := _rendering(term, given, lexicon)):
                    renderings[term].append(found)
        for found_ones in renderings.values():
            if len(found_ones) < 2:
                continue
            counts = Counter(found_ones).values()
            terms += 1
            occurrences += len(found_ones)
            single += len(counts) == 1
            pairs += len(found_ones) * (len(found_ones) - 1) // 2
            same += sum(count * (count - 1) // 2 for count in counts)
    return TermConsistency(
        same / pairs if pairs else 1.0, terms, occurrences, single / terms if terms else 1.0, pairs
    )


def _documents(documents: Sequence[object]) -> list[list[int]]:
    return [list(group) for _, group in groupby(range(len(documents)), key=lambda n: documents[n])]


def _is_term(text: str) -> bool:
    return len(text) > 1 and all(map(is_han, text)) and text not in CHINESE_STOP_WORDS


def _rendering(term: str, given: set[str], lexicon: Lexicon) -> str:
    options = lexicon.of(term, _LEAST_SHARE)
    present = [word for word in options if word not in STOP_WORDS and _stem(word) in given]
    return _stem(max(present, key=lambda word: options[word])) if present else ""


def _stem(word: str) -> str:
    """Without the endings of inflection, roughly: use, uses, used and using are one rendering."""
    word = word.lower()
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed", "e"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending)
    return word
