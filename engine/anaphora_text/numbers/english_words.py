"""English number words: twenty-one, two hundred, fifteenth."""

from __future__ import annotations

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ROUND = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


def in_words(number: int) -> str | None:
    """The number in words as prose writes it: to 100, and round ones above; None for others."""
    if not 0 <= number < 10**12:
        return None
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    for scale, name in _ROUND:
        if number >= scale:
            count, rest = divmod(number, scale)
            return f"{in_words(count)} {name}" if not rest and count < 100 else None
    return None


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th, 21st."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def ordinal_words(number: int) -> str | None:
    """Fifteenth, twenty-first; None where `in_words` is."""
    words = in_words(number)
    if words is None:
        return None
    head, mark, last = words.rpartition("-" if "-" in words else " ")
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return head + mark + last
