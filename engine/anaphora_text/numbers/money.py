"""Sums of money in a Chinese text, with how English writes them: 人民币三十七万元 is RMB 370,000.

A currency that was named before holds for the sums after it. A single Chinese digit (五元), vague numbers
(几百元) and words that only begin like a currency (三元组) are left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora_text.numbers.numerals import Numeral, find_numerals

_YUAN: tuple[str, ...] = ("{} yuan", "RMB {}", "RMB{}", "{} RMB", "¥{}", "CNY {}", "{} Yuan", "NT${}", "${}")
_RENMINBI: tuple[str, ...] = ("RMB {}", *(form for form in _YUAN if form != "RMB {}"))
_DOLLARS = ("${}", "US${}", "US$ {}", "{} US dollars", "{} dollars", "USD {}")
_HONG_KONG = ("HK${}", "{} Hong Kong dollars", "HK$ {}")
_TAIWAN = ("NT${}", "NT$ {}", "NTD {}", "TWD {}", "{} New Taiwan dollars")
_BEFORE = {
    "人民币": _RENMINBI, "新台币": _TAIWAN, "新臺币": _TAIWAN, "新臺幣": _TAIWAN, "新台幣": _TAIWAN,
    "港币": _HONG_KONG, "美金": _DOLLARS,
}  # fmt: skip
_AFTER = {
    "元人民币": _RENMINBI,
    "美元": _DOLLARS,
    "美金": _DOLLARS,
    "欧元": ("€{}", "{} euros", "{} Euros", "EUR {}"),
    "英镑": ("£{}", "{} pounds"),
    "日元": ("{} yen", "¥{}", "JPY {}"),
    "港元": _HONG_KONG,
    "港币": _HONG_KONG,
    "块钱": _YUAN,
    "元": _YUAN,
}
_NO_CURRENCY = "组素件数次旦月年老帅首宵音气勋凶配祖宝语表操运函词分关式多"
"""What makes another word of 元: 三元组, 十二元月, 十五日元宵."""
_PREFIX = re.compile(f"(?:{'|'.join(_BEFORE)})[ ]?$")
_LONG = "|".join(f"{name}(?![{_NO_CURRENCY}])" if name[-1] == "元" else name for name in list(_AFTER)[:-1])
_SUFFIX = re.compile(f"[ ]?(?:(?P<long>{_LONG})|元(?:整|正)?(?![{_NO_CURRENCY}]))")
_FIGURES = re.compile(
    r"(?<![A-Za-z0-9_.,$-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d.,]*\d|[万萬亿億千百])"
)


def find_money(text: str) -> Iterator[Numeral]:
    """The certain sums of a text, in order; their `start` and `end` hold the currency, kind "money"."""
    last, usual = 0, _YUAN
    for start, end, lead, figures in sorted((*_written(text), *_in_figures(text))):
        prefix = _PREFIX.search(text, last, start)
        suffix = _SUFFIX.match(text, end)
        if start < last or not (prefix or suffix):
            continue
        forms = usual
        if prefix:
            forms = usual = _BEFORE[prefix.group().strip()]
        elif suffix and suffix["long"]:
            forms = _AFTER[suffix["long"]]
        last = suffix.end() if suffix else end
        renderings = tuple(lead + form.format(one) for form in forms for one in figures)
        yield Numeral(prefix.start() if prefix else start, last, "money", renderings)


def _written(text: str) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
    """Numbers with a Chinese character, as figures, and what English puts in front of the sum."""
    for numeral in find_numerals(text):
        lead = "more than " if numeral.kind == "more" else ""
        if lead or numeral.kind in ("number", "amount"):
            given = (one.removeprefix(lead) for one in numeral.renderings if one.startswith(lead))
            figures = sorted((one for one in given if one[0].isdigit()), key=_by_commas)
            yield numeral.start, numeral.end, lead, tuple(figures)


def _by_commas(figures: str) -> bool:
    """3,500 before 3500; 3.7 billion stays first."""
    return figures.isdigit() and len(figures) > 3


def _in_figures(text: str) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
    for match in _FIGURES.finditer(text):
        figures = match.group()
        grouped = f"{int(figures):,}" if figures.isdigit() and figures[0] != "0" else figures
        yield match.start(), match.end(), "", tuple(dict.fromkeys((grouped, figures)))
