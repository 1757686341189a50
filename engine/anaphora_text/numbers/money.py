"""Sums of money in a Chinese text, with English renderings: 人民币三十七万元 is RMB 370,000.

A currency before a sum (人民币) also applies to later sums in 元. Vague sums (几百元) are left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from anaphora_text.function_words import read_table
from anaphora_text.numbers.numerals import Numeral, find_numerals

_CURRENCIES = [line.split("\t") for line in read_table("currencies.tsv").splitlines()]
_NAMES_BEFORE, _NAMES_AFTER = (
    {name: tuple(row[2].split("|")) for row in _CURRENCIES for name in row[column].split("|") if name}
    for column in (0, 1)
)
_YUAN = _NAMES_AFTER["块钱"]
_NO_CURRENCY = "组素件数次旦月年老帅首宵音气勋凶配祖宝语表操运函词分关式多"
"""Characters after which 元 is part of another word: 三元组, 十二元月, 十五日元宵."""
_PREFIX = re.compile(f"(?:{'|'.join(_NAMES_BEFORE)})[ ]?$")
_MAX_PREFIX = max(map(len, _NAMES_BEFORE)) + 1
_LONG = "|".join(f"{name}(?![{_NO_CURRENCY}])" if name[-1] == "元" else name for name in _NAMES_AFTER)
_SUFFIX = re.compile(f"[ ]?(?:(?P<long>{_LONG})|元(?:整|正)?(?![{_NO_CURRENCY}]))")
_FIGURES = re.compile(
    r"(?<![A-Za-z0-9_.,$-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d.,]*\d|[万萬亿億千百])"
)


def find_money(text: str) -> Iterator[Numeral]:
    last_end, usual_forms = 0, _YUAN
    for start, end, lead, figures in sorted((*_in_characters(text), *_in_figures(text))):
        prefix = _PREFIX.search(text, max(last_end, start - _MAX_PREFIX), start)
        suffix = _SUFFIX.match(text, end)
        if start < last_end or not (prefix or suffix):
            continue
        forms = usual_forms
        if prefix:
            forms = usual_forms = _NAMES_BEFORE[prefix.group().strip()]
        elif suffix and suffix["long"]:
            forms = _NAMES_AFTER[suffix["long"]]
        last_end = suffix.end() if suffix else end
        renderings = tuple(lead + form.format(each) for form in forms for each in figures)
        yield Numeral(prefix.start() if prefix else start, last_end, "money", renderings)


def _in_characters(text: str) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
    for numeral in find_numerals(text):
        lead = "more than " if numeral.kind == "more" else ""
        if lead or numeral.kind in ("number", "amount"):
            texts = (each.removeprefix(lead) for each in numeral.renderings if each.startswith(lead))
            figures = sorted((each for each in texts if each[0].isdigit()), key=_is_ungrouped)
            yield numeral.start, numeral.end, lead, tuple(figures)


def _is_ungrouped(figures: str) -> bool:
    return figures.isdigit() and len(figures) > 3


def _in_figures(text: str) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
    for match in _FIGURES.finditer(text):
        figures = match.group()
        grouped = f"{Decimal(figures):,}" if figures.isdigit() and figures[0] != "0" else figures
        yield match.start(), match.end(), "", tuple(dict.fromkeys((grouped, figures)))
