"""Terms substituted for the model's own words in a draft that was searched for without them.

Attention shows which words render a term. The rest of the sentence keeps the words the model is sure of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import islice, pairwise, product, takewhile

from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms
from anaphora_nmt.text.word_list import WordList, letter_words
from anaphora_text.unspaced import has_unspaced, is_unspaced, word_edges

_MOST = 12
"""Candidates of a draft."""
_LEAST_LOSS = 1.0
"""Nats that a word loses, at least, without the source term that it renders."""

Span = tuple[int, int]
Pieces = tuple[int, ...]
Inflected = Callable[[Pieces, list[Pieces]], list[Pieces]]
"""Gives those of several forms that are inflected as a word is."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """A draft with its terms substituted; `others`: how many forms are not inflected as the draft's words."""

    pieces: Pieces
    others: int = 0


@dataclass(frozen=True, slots=True)
class UnspacedWords:
    """Places of a draft's pieces that begin within a word of a script without spaces, or that one ends
    across."""

    within: frozenset[int] = frozenset()
    across: frozenset[int] = frozenset()

    @classmethod
    def of(cls, written: Sequence[str]) -> UnspacedWords:
        text = "".join(written)
        if not has_unspaced(text):
            return cls()
        edges, within, across, at = word_edges(text), set[int](), set[int](), 0
        for place, piece in enumerate(written):
            if piece and is_unspaced(piece[0]) and at and is_unspaced(text[at - 1]) and at not in edges:
                within.add(place)
            if any(at < edge < at + len(piece) for edge in edges):
                across.add(place)
            at += len(piece)
        return cls(frozenset(within), frozenset(across))


def substitute_terms(
    pieces: Pieces,
    looked: Sequence[int],
    terms: SentenceTerms,
    kinds: PieceKinds,
    unspaced: UnspacedWords = UnspacedWords(),
    inflected: Inflected | None = None,
) -> list[Substitution]:
    """A draft with its words for the terms replaced by forms of these, in all combinations of the forms.

    None if the words for a term are not found, are those for another, or share a piece with another word.

    Args:
        looked: for each piece the source piece that it looked at most.
        inflected: selects forms with the inflection of a word; None: all.
    """
    words = _words(pieces, kinds, unspaced.within)
    chosen: list[tuple[Span, list[tuple[Pieces, bool]]]] = []
    for place in terms.places:
        span = _span(words, pieces, looked, place.columns, kinds)
        if span is None or not unspaced.across.isdisjoint(range(*span)):
            return []
        word, forms = pieces[slice(*span)], _like(pieces[span[0]], terms.forms[place.term], kinds)
        alike = [word] if word in forms else inflected(word, forms) if inflected is not None else forms
        other = [] if word in forms else [form for form in forms if form not in alike]
        chosen.append((span, [*((form, False) for form in alike), *((form, True) for form in other)]))
    chosen.sort(key=lambda each: each[0])
    if any(one[0][1] > other[0][0] for one, other in pairwise(chosen)):
        return []
    found = []
    for combination in islice(product(*(each for _, each in chosen)), _MOST):
        parts: list[int] = []
        done = 0
        for (span, _), (form, _) in zip(chosen, combination, strict=True):
            parts += (*pieces[done : span[0]], *form)
            done = span[1]
        found.append(Substitution((*parts, *pieces[done:]), sum(is_other for _, is_other in combination)))
    return found


def columns_by_loss(
    pieces: Pieces,
    losses: Sequence[Sequence[float]],
    terms: SentenceTerms,
    kinds: PieceKinds,
    within: Set[int] = frozenset(),
) -> list[int]:
    """For each piece a source piece of the term that it renders, −1 for none, from what words lose without a
    term.

    A word that loses the most without a term, or half as much, counts as one that looked at it.

    Args:
        losses: of each place of a term for each piece, log p minus that without the place's source pieces.
    """
    words = _words(pieces, kinds, within)
    of_words = [[sum(row[first:last]) for first, last in words] for row in losses]
    looked = [-1] * len(pieces)
    for number, (first, last) in enumerate(words):
        lost, place = max((row[number], place) for place, row in enumerate(of_words))
        if lost >= _LEAST_LOSS and 2 * lost >= max(of_words[place]):
            looked[first:last] = [terms.places[place].columns[0]] * (last - first)
    return looked


def _words(pieces: Pieces, kinds: PieceKinds, within: Set[int]) -> list[Span]:
    """The words of a draft, those after a bracket or hyphen, too."""
    starts = [
        place
        for place, piece in enumerate(pieces)
        if place not in within and (not kinds.goes_on[piece] or (place and kinds.opens[pieces[place - 1]]))
    ]
    return list(pairwise([*starts, len(pieces)]))


def _span(
    words: Sequence[Span], pieces: Pieces, looked: Sequence[int], columns: Sequence[int], kinds: PieceKinds
) -> Span | None:
    """The first words in a row that looked at the columns most, with hyphens between them, no function
    words but "no" and "non" before them: 不可抗力 is one term."""
    looks = [_looks(word, pieces, looked, columns, kinds) for word in words]
    if True not in looks:
        return None
    first = last = looks.index(True)
    while last + 1 < len(words):
        step = 2 if kinds.joins[pieces[words[last + 1][0]]] else 1
        follows = last + step
        if follows >= len(words) or not looks[follows]:
            break
        last = follows
    if first and pieces[words[first - 1][0]] in kinds.words.denying:
        first -= not {*looked[slice(*words[first - 1])]}.isdisjoint(columns)
    return words[first][0], words[last][1]


def _looks(
    word: Span, pieces: Pieces, looked: Sequence[int], columns: Sequence[int], kinds: PieceKinds
) -> bool:
    """True for a content word most of whose pieces attend to the columns."""
    start, end = word
    first = pieces[start]
    has_letters = kinds.capital[first] or kinds.small[first] or kinds.closes[first]
    count = sum(column in columns for column in looked[start:end])
    return has_letters and first not in kinds.words.function and 2 * count > end - start


def _like(first: int, forms: Sequence[Pieces], kinds: PieceKinds) -> list[Pieces]:
    """The forms that begin as a word does: with a space or none, with a capital or none; else without it."""
    like = [form for form in forms if kinds.goes_on[form[0]] == kinds.goes_on[first]] or list(forms)
    if not kinds.closes[first]:
        like = [form for form in like if not kinds.closes[form[0]] or kinds.spaced[form[0]]] or like
    cased = [form for form in like if kinds.capital[form[0]] == kinds.capital[first]]
    return cased or like


_BEGINNING = 3
"""Letters at the beginning that forms of one word share, at least."""


def inflected_like(word: str, forms: Sequence[str], known: WordList | None) -> list[str]:
    """The forms that end as a word does, or the plain ones where none does; both where it is in doubt.

    The ending of a form is its difference from the shortest one with the same beginning. A word has that
    ending if it shares its last letters, and is a word without these. It is in doubt if there are words that
    add the ending to it ("statuses" to "status"), and for unknown words.
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
    """The ending of a form compared with the shortest one of its word; empty for that one."""
    others = [each.casefold() for each in forms]
    same = [each for each in others if _shared(each, form) >= min(_BEGINNING, len(form), len(each))]
    shortest = min(same, key=len)
    return "" if len(shortest) == len(form) else form[_shared(shortest, form) :]


def _has_ending(word: str, ending: str, known: WordList | None) -> bool:
    """True if a word shares the last letters of an ending, and may be a word without them."""
    shared = _shared(word[::-1], ending[::-1])
    if not shared or shared == len(word):
        return False
    bare = [word[:-size] for size in range(1, shared + 1)]
    stems = [stem for each in bare for stem in (each, f"{each}e", each.removesuffix("e"))]
    stems += [f"{each.removesuffix('ie')}y" for each in bare]
    return known is None or any(stem in known for stem in stems)


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
