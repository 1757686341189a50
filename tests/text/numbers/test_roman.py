"""Roman numerals in English texts, and other words of their letters."""

from __future__ import annotations

from itertools import product

import pytest

from anaphora_text.numbers.english import english_numbers


@pytest.mark.parametrize(
    ("text", "value"), [("Chapter XII", 12), ("Louis XIV", 14), ("Part IV", 4), ("XXXIX", 39), ("IX", 9)]
)
def test_a_roman_numeral_is_a_number(text: str, value: int) -> None:
    assert [number.items for number in english_numbers(text)] == [(value,)]


def test_other_words_of_the_same_letters_are_no_numbers() -> None:
    words = ["".join(letters) for length in range(1, 6) for letters in product("IVX", repeat=length)]
    read = {word for word in words if english_numbers(f"the {word} index")}
    assert {"I", "VIII", "XXIX"} <= read and read.isdisjoint({"VIX", "IIII", "XXXX", "IIX"})
    assert len(read) == len({number.items for word in read for number in english_numbers(word)})
