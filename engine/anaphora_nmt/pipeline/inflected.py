"""Which form of a term is inflected as the word whose place it takes: "caches" asks for "larders"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from anaphora_nmt.text.word_list import WordList, letter_words

_BEGINNING = 3
"""Letters at the beginning that forms of one word share, at least."""


def inflected_like(word: str, forms: Sequence[str], known: WordList | None) -> list[str]:
    """The forms that end as a word does, or the plain ones where none does; both where it is in doubt.

    What a form adds to the shortest one that begins as it does is its ending. A word has that ending if it
    shares its last letters, and is a word without these. It is in doubt where there are words that add the
    ending to it ("statuses" to "status"), and where nobody knows the words.
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
    """What a form adds to the shortest one of its word; nothing for that one."""
    others = [each.casefold() for each in forms]
    same = [each for each in others if _shared(each, form) >= min(_BEGINNING, len(form), len(each))]
    shortest = min(same, key=len)
    return "" if len(shortest) == len(form) else form[_shared(shortest, form) :]


def _has_ending(word: str, ending: str, known: WordList | None) -> bool:
    """Whether a word shares the last letters of an ending, and may be a word without them."""
    shared = _shared(word[::-1], ending[::-1])
    if not shared or shared == len(word):
        return False
    bare = [word[:-size] for size in range(1, shared + 1)]
    stems = [stem for each in bare for stem in (each, f"{each}e", each.removesuffix("e"))]
    stems += [f"{each.removesuffix('ie')}y" for each in bare]
    return known is None or any(stem in known for stem in stems)


def _shared(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
