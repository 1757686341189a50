"""Substitution of terms for the model's own words in a draft that was searched without terms.

Attention, or else the effect of leaving out the source term, shows which words translate the term. Other
words of the sentence do not change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import islice, pairwise, product, takewhile

from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms
from anaphora_nmt.text.word_list import WordList, letter_words
from anaphora_text.unspaced import has_unspaced, is_unspaced, word_edges

_MAX_CANDIDATES = 12
_MIN_LOSS = 1.0
"""Minimum decrease, in nats, of a word's log-probability without the source term that it translates."""

Span = tuple[int, int]
Pieces = tuple[int, ...]
SelectInflected = Callable[[Pieces, list[Pieces]], list[Pieces]]


@dataclass(frozen=True, slots=True)
class Substitution:
    """A draft with substituted terms, and the number of forms without the old word's inflection."""

    pieces: Pieces
    changed_inflections: int = 0


@dataclass(frozen=True, slots=True)
class UnspacedWords:
    """Words of scripts without spaces in a draft.

    Attributes:
        inner: indexes of pieces that begin inside a word.
        split: indexes of pieces with the end of a word inside them.
    """

    inner: frozenset[int] = frozenset()
    split: frozenset[int] = frozenset()

    @classmethod
    def of(cls, pieces: Sequence[str]) -> UnspacedWords:
        text = "".join(pieces)
        if not has_unspaced(text):
            return cls()
        edges, inner, split, at = word_edges(text), set[int](), set[int](), 0
        for index, piece in enumerate(pieces):
            if piece and is_unspaced(piece[0]) and at and is_unspaced(text[at - 1]) and at not in edges:
                inner.add(index)
            if any(at < edge < at + len(piece) for edge in edges):
                split.add(index)
            at += len(piece)
        return cls(frozenset(inner), frozenset(split))


def substitute_terms(
    pieces: Pieces,
    attended: Sequence[int],
    terms: SentenceTerms,
    kinds: PieceKinds,
    unspaced: UnspacedWords = UnspacedWords(),
    inflected: SelectInflected | None = None,
) -> list[Substitution]:
    """Replace the words that translate terms by forms of the terms.

    The result is empty if the words for a term are not found, overlap those for another term, or share a
    piece with another word.

    Args:
        attended: for each piece, the source piece with the most attention.
        inflected: selects forms with the inflection of a word; if None, all forms count as such.
    """
    words = _words(pieces, kinds, unspaced.inner)
    chosen: list[tuple[Span, list[tuple[Pieces, bool]]]] = []
    for place in terms.places:
        span = _span(words, pieces, attended, place.columns, kinds)
        if span is None or not unspaced.split.isdisjoint(range(*span)):
            return []
        word, forms = pieces[slice(*span)], _matching_forms(pieces[span[0]], terms.forms[place.term], kinds)
        alike = [word] if word in forms else inflected(word, forms) if inflected is not None else forms
        other = [] if word in forms else [form for form in forms if form not in alike]
        chosen.append((span, [*((form, False) for form in alike), *((form, True) for form in other)]))
    chosen.sort(key=lambda each: each[0])
    if any(before[0][1] > after[0][0] for before, after in pairwise(chosen)):
        return []
    results = []
    for combination in islice(product(*(each for _, each in chosen)), _MAX_CANDIDATES):
        parts: list[int] = []
        end = 0
        for (span, _), (form, _) in zip(chosen, combination, strict=True):
            parts += (*pieces[end : span[0]], *form)
            end = span[1]
        results.append(Substitution((*parts, *pieces[end:]), sum(is_other for _, is_other in combination)))
    return results


def columns_by_loss(
    pieces: Pieces,
    losses: Sequence[Sequence[float]],
    terms: SentenceTerms,
    kinds: PieceKinds,
    inner: Set[int] = frozenset(),
) -> list[int]:
    """For each piece, a source piece of the term that the piece translates, or −1.

    A word translates the place without which its log-probability falls most.

    Args:
        losses: for each place of a term and each piece, log p minus log p without the place's source pieces.
    """
    words = _words(pieces, kinds, inner)
    of_words = [[sum(row[first:last]) for first, last in words] for row in losses]
    attended = [-1] * len(pieces)
    for number, (first, last) in enumerate(words):
        lost, place = max((row[number], place) for place, row in enumerate(of_words))
        if lost >= _MIN_LOSS and 2 * lost >= max(of_words[place]):
            attended[first:last] = [terms.places[place].columns[0]] * (last - first)
    return attended


def _words(pieces: Pieces, kinds: PieceKinds, inner: Set[int]) -> list[Span]:
    starts = [
        place
        for place, piece in enumerate(pieces)
        if place not in inner and (not kinds.continues[piece] or (place and kinds.opens[pieces[place - 1]]))
    ]
    return list(pairwise([*starts, len(pieces)]))


def _span(
    words: Sequence[Span], pieces: Pieces, attended: Sequence[int], columns: Sequence[int], kinds: PieceKinds
) -> Span | None:
    attends = [_attends(word, pieces, attended, columns, kinds) for word in words]
    if True not in attends:
        return None
    first = last = attends.index(True)
    while last + 1 < len(words):
        step = 2 if kinds.joins[pieces[words[last + 1][0]]] else 1
        follows = last + step
        if follows >= len(words) or not attends[follows]:
            break
        last = follows
    if first and pieces[words[first - 1][0]] in kinds.words.denying:
        first -= not {*attended[slice(*words[first - 1])]}.isdisjoint(columns)
    return words[first][0], words[last][1]


def _attends(
    word: Span, pieces: Pieces, attended: Sequence[int], columns: Sequence[int], kinds: PieceKinds
) -> bool:
    start, end = word
    first = pieces[start]
    has_letters = kinds.capital[first] or kinds.small[first] or kinds.closes[first]
    count = sum(column in columns for column in attended[start:end])
    return has_letters and first not in kinds.words.function and 2 * count > end - start


def _matching_forms(first: int, forms: Sequence[Pieces], kinds: PieceKinds) -> list[Pieces]:
    like = [form for form in forms if kinds.continues[form[0]] == kinds.continues[first]] or list(forms)
    if not kinds.closes[first]:
        like = [form for form in like if not kinds.closes[form[0]] or kinds.spaced[form[0]]] or like
    cased = [form for form in like if kinds.capital[form[0]] == kinds.capital[first]]
    return cased or like


_MIN_SHARED = 3
"""Minimum number of first letters that forms of a word share."""


def inflected_like(word: str, forms: Sequence[str], known: WordList | None) -> list[str]:
    """The forms with the same ending as a word, or the plain forms if no form has that ending.

    A form's ending is what it adds to the shortest form with the same first letters. Both kinds of forms are
    returned if there is no list of words, or if word plus ending is a word too ("statuses" for "status").
    """
    *_, word = ("", *letter_words(word))
    endings = {form: _ending(form.casefold(), forms) for form in forms}
    inflected = [form for form, ending in endings.items() if ending and _has_ending(word, ending, known)]
    plain = [form for form, ending in endings.items() if not ending]
    added = {text for form in inflected for text in (word + endings[form], f"{word}e{endings[form]}")}
    if known is None or any(text in known for text in added):
        return inflected + plain
    return inflected or plain


def _ending(form: str, forms: Sequence[str]) -> str:
    folded = [each.casefold() for each in forms]
    same = [each for each in folded if _count_shared(each, form) >= min(_MIN_SHARED, len(form), len(each))]
    shortest = min(same, key=len)
    return "" if len(shortest) == len(form) else form[_count_shared(shortest, form) :]


def _has_ending(word: str, ending: str, known: WordList | None) -> bool:
    shared = _count_shared(word[::-1], ending[::-1])
    if not shared or shared == len(word):
        return False
    bare = [word[:-size] for size in range(1, shared + 1)]
    stems = [stem for each in bare for stem in (each, f"{each}e", each.removesuffix("e"))]
    stems += [f"{each.removesuffix('ie')}y" for each in bare]
    return known is None or any(stem in known for stem in stems)


def _count_shared(first: str, second: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
