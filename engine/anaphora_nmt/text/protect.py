"""Replace numbers, names, URLs and code-like tokens with placeholders during translation.

A placeholder is one character of the private use area. It stands for the same target string on both sides.
For a Chinese numeral or name, this string is the English rendering: "3.7 billion" for 三十七亿, "5,000 yuan"
for 五千元 (`anaphora_text/numbers`), "Wang Qiang" for 王强 (`text/proper_names.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from anaphora_text.names.person_names import ProperName
from anaphora_text.numbers.chinese import STARTS, value_of
from anaphora_text.numbers.english import is_number_word
from anaphora_text.numbers.money import find_money
from anaphora_text.numbers.numerals import Numeral, find_numerals, is_day
from anaphora_text.numbers.quantities import find_quantities, with_limits
from anaphora_text.numbers.signs import find_signs, is_mark
from anaphora_text.protected import find_protected
from anaphora_text.punctuation import COLONS, COMMAS, SEMICOLONS, WIDE_COMMAS, WIDE_SENTENCE_ENDS

_HEADING_NAMES = {
    "条": "Article", "章": "Chapter", "节": "Section", "编": "Part", "部分": "Part", "篇": "Part",
    "卷": "Volume", "课": "Lesson", "步": "Step",
}  # fmt: skip
_NUMBER = "[0-9零〇○一二三四五六七八九十百千两]+"
_HEADING = re.compile(
    rf"\s*(?P<all>第[ ]?(?P<number>{_NUMBER})[ ]?(?P<name>{'|'.join(_HEADING_NAMES)}))(?=[ .{COLONS}]|$)"
)
_ITEM = re.compile(
    rf"\s*(?P<all>(?P<number>\d{{1,3}}|[一二三四五六七八九十]{{1,3}})[{WIDE_COMMAS[1]}])(?=\S)"
    r"(?![\d一二三四五六七八九十])"
)
"""The number of a list item, as in 1、; 一、二年级 does not begin with one."""
_HEADING_RENDERING = re.compile(rf"(?:{'|'.join(dict.fromkeys(_HEADING_NAMES.values()))}) \d+|\d+\.")


def is_heading(rendering: str) -> bool:
    """True if a protected string is the usual rendering of a heading's number, or a bullet."""
    return _HEADING_RENDERING.fullmatch(rendering) is not None or is_mark(rendering)


def find_headings(text: str) -> Iterator[Numeral]:
    """Yield the number of a heading or list item at the beginning of a text; its kind is "heading"."""
    match = _HEADING.match(text) or _ITEM.match(text)
    if match is None or (value := value_of(match["number"])) is None:
        return
    if match.re is _ITEM:
        yield Numeral(match.start("all"), match.end("all"), "heading", (f"{value}.",))
        return
    name = _HEADING_NAMES[match["name"]]
    renderings = (f"{name} {value}", f"{name.upper()} {value}", f"{name.lower()} {value}")
    yield Numeral(match.start("all"), match.end("all"), "heading", renderings)


MAX_PLACEHOLDERS = 16
FIRST_PLACEHOLDER = 0xE000
PLACEHOLDERS = tuple(chr(FIRST_PLACEHOLDER + index) for index in range(MAX_PLACEHOLDERS))
_ALL_PLACEHOLDERS = "".join(PLACEHOLDERS)
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_IN_BEFORE = re.compile(rf"\b([Ii])n (?=([{_ALL_PLACEHOLDERS}]))")
_SALUTATION = re.compile(r"(?:尊敬|敬爱|亲爱|敬愛|親愛)的[ ]?")
_SALUTATION_END = re.compile(rf"[ ]?(?:[{COLONS}{COMMAS}]|$)")
_STOPS = f"{WIDE_COMMAS}{WIDE_SENTENCE_ENDS}{SEMICOLONS}"
_CLEARER_FORMS = {
    re.compile("(?<=不得)(?:[高多大长快]于|[晚迟]于(?=[0-9]+ ?个?[天小分秒工]))"): "超过",
    re.compile(rf"(?<=[^百千万]分之[{STARTS}0-9])的(?![人是])(?=[^\W\d])"): "个",
    re.compile(rf"在(?=[^{_STOPS}时天年月日钟秒周期]{{1,8}}[以之]内(?:[{_STOPS}]|$))"): "为",
}
"""Replacements, of equal length, for expressions whose meaning models reverse or lose, such as 不得高于."""
_FIRST_QUANTITY_WORDS = ("at", "force", "more", "less", "up", "half", "within", "minus", "the")
_ADJACENT = re.compile(rf"([{_ALL_PLACEHOLDERS}])([:;,(])(?=([{_ALL_PLACEHOLDERS}]))")


FindNames = Callable[[str], Iterable[ProperName]]


def no_names(text: str) -> tuple[ProperName, ...]:
    """Find no names, so that the model translates them."""
    return ()


@dataclass(frozen=True, slots=True)
class Protected:
    """A text with placeholders for its protected strings.

    Attributes:
        text: the text with placeholders.
        strings: the target string of each placeholder, by the placeholder's index.
        spans: (start, end, placeholder's index) of each protected string in the original text.
    """

    text: str
    strings: tuple[str, ...]
    spans: tuple[tuple[int, int, int], ...]


def protect(
    text: str,
    keep: Callable[[str], bool] | None = None,
    names: FindNames = no_names,
    extra_spans: Sequence[tuple[int, int]] = (),
) -> Protected:
    """Replace up to `MAX_PLACEHOLDERS` different strings of a normalised text with placeholders.

    Strings beyond this number stay. Other characters of the private use area become U+FFFD.

    Args:
        keep: returns True for strings to protect (in training: those that the other side contains); None
            accepts all. The string of a numeral is the first of its renderings that `keep` accepts.
        names: finds the proper names in a text; the string of a name is its rendering.
        extra_spans: (start, end) of further strings to protect.
    """
    text = _PRIVATE.sub("\ufffd", text)
    for pattern, clearer in _CLEARER_FORMS.items():
        text = pattern.sub(clearer, text)
    index: dict[str, int] = {}
    parts: list[str] = []
    spans: list[tuple[int, int, int]] = []
    last = 0
    for start, end, renderings in _candidates(text, names, extra_spans):
        string = next((each for each in renderings if keep is None or keep(each)), None)
        if start < last or string is None:
            continue
        if string not in index:
            if len(index) == MAX_PLACEHOLDERS:
                continue
            index[string] = len(index)
        parts += (text[last:start], PLACEHOLDERS[index[string]])
        spans.append((start, end, index[string]))
        last = end
    parts.append(text[last:])
    return Protected("".join(parts), tuple(index), tuple(spans))


def _candidates(
    text: str, names: FindNames, extra: Sequence[tuple[int, int]]
) -> list[tuple[int, int, tuple[str, ...]]]:
    """(start, end, renderings) of strings to protect, by start; at the same start, longer ones first."""
    kept = (Numeral(*span, "kept", (text[slice(*span)],)) for span in chain(find_protected(text), extra))
    numbers = chain(kept, find_numerals(text), find_money(text), find_quantities(text), find_signs(text))
    every = chain(with_limits(text, numbers), find_headings(text))
    candidates = [(each.start, each.end, each.renderings) for each in every]
    salutation = _SALUTATION.match(text)
    for name in names(text):
        candidates.append((name.start, name.end, (name.rendering,)))
        if salutation and salutation.end() == name.start and _SALUTATION_END.match(text, name.end):
            candidates.append((salutation.start(), name.end, (f"Dear {name.rendering}",)))
    return sorted(candidates, key=lambda candidate: (candidate[0], -candidate[1]))


def protect_target(text: str, strings: Sequence[str]) -> str:
    """Replace the source's protected strings with placeholders where a target contains them as whole words.

    A quantity in words is also found with a capital letter at the beginning of the target.
    """
    text = _PRIVATE.sub("\ufffd", text)
    if not strings:
        return text
    pattern = _whole_word("|".join(map(re.escape, sorted(strings, key=len, reverse=True))))
    lookup = {string: PLACEHOLDERS[number] for number, string in enumerate(strings)}
    lowered = text[:1].lower() + text[1:]
    text = lowered if any(lowered.startswith(each) and _is_words(each) for each in strings) else text
    return re.sub(pattern, lambda match: lookup[match.group()], text)


def protect_pair(source: str, target: str, names: FindNames = no_names) -> tuple[str, str]:
    """Both texts of a training pair, in which a string is a placeholder on both sides or on neither."""
    candidates = protect(source, lambda string: _occurs_in(target, string), names)
    covered = protect_target(target, candidates.strings)
    missing = {string for n, string in enumerate(candidates.strings) if PLACEHOLDERS[n] not in covered}
    if missing:
        candidates = protect(
            source, lambda string: _occurs_in(target, string) and string not in missing, names
        )
        covered = protect_target(target, candidates.strings)
    return candidates.text, covered


def _occurs_in(text: str, string: str) -> bool:
    """True if a text contains a string as a whole word."""
    return string in text and re.search(_whole_word(re.escape(string)), text) is not None


def _whole_word(pattern: str) -> str:
    return rf"(?<![A-Za-z0-9_])(?:{pattern})(?![A-Za-z0-9_])"


def with_spaced_names(text: str, strings: Sequence[str], source: str) -> str:
    """Add missing spaces: between a name and "(", and between another punctuation mark and a name.

    Models often omit the space at a mark between two placeholders, as in 甲方：上海大海有限公司. Only a
    capitalised string that is not in the source is a name; other strings, such as code, get no space.
    """

    def is_name(placeholder: str) -> bool:
        number = ord(placeholder) - FIRST_PLACEHOLDER
        return number < len(strings) and strings[number][:1].isupper() and strings[number] not in source

    def spaced(match: re.Match[str]) -> str:
        before, mark, after = match.groups()
        if mark == "(":
            return f"{before} (" if is_name(before) else match.group()
        return f"{before}{mark} " if is_name(after) else match.group()

    return _ADJACENT.sub(spaced, text)


def with_days_on(text: str, strings: Sequence[str]) -> str:
    """Change "in" to "on" before the placeholder of a day, because models take days for months."""

    def preposition(match: re.Match[str]) -> str:
        number = ord(match[2]) - FIRST_PLACEHOLDER
        stands_for_day = number < len(strings) and is_day(strings[number])
        return ("On " if match[1] == "I" else "on ") if stands_for_day else match.group()

    return _IN_BEFORE.sub(preposition, text)


def restore(text: str, strings: Sequence[str]) -> str:
    """Replace placeholders with their strings, and remove those without a string."""
    return _PRIVATE.sub(
        lambda match: strings[n] if (n := ord(match.group()) - FIRST_PLACEHOLDER) < len(strings) else "", text
    )


def restored_sentence(text: str, strings: Sequence[str]) -> str:
    """Like `restore`, but capitalise a quantity in words at the beginning: At least five."""
    restored = restore(text, strings)
    return restored[:1].upper() + restored[1:] if _PRIVATE.match(text) and _is_words(restored) else restored


def _is_words(text: str) -> bool:
    """True if a text begins like a quantity in words, such as "five" or "at least five"."""
    first = re.split("[ -]", text, maxsplit=1)[0]
    return first in _FIRST_QUANTITY_WORDS or is_number_word(first)
