"""Numbers in Chinese texts are read correctly in every form, without other readings."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from functools import cache

import cn2an
import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_text.numbers.chinese import value_of
from anaphora_text.numbers.english import english_numbers
from anaphora_text.numbers.readings import Item, Reading
from anaphora_text.numbers.source_numbers import read_numbers

VALUES = 2_000
"""Numbers that are written and read in each form."""
_SCALES = ((10**12, "万亿"), (10**8, "亿"), (10**4, "万"), (10**3, "千"))


def drawn() -> list[int]:
    """Numbers of all sizes, and round ones, below 10^12."""
    chance = random.Random(7)
    sizes = (chance.randrange(1, 13) for _ in range(VALUES))
    return [
        chance.randrange(10 ** (size - 1), 10**size) // 10 ** chance.randrange(size) * 10 for size in sizes
    ]


def only(text: str) -> Reading:
    (reading,) = read_numbers(text)
    return reading


def item_of(text: str) -> Item:
    return Decimal(text) if text[0].isdigit() else text


@cache
def traditional() -> opencc.OpenCC:
    return opencc.OpenCC("s2t")


def spoken(number: int) -> str:
    """The spoken form: 12 is 十二, 两 before 千, 万 and 亿."""
    written = cn2an.an2cn(number, "low")
    written = written.removeprefix("一") if written.startswith("一十") else written
    written = written.replace("二千", "两千")
    return f"两{written[1:]}" if written[:2] in ("二万", "二亿") else written


def mixed(number: int) -> str:
    """Figures with the greatest scale that gives at most two decimals: 1.2万亿."""
    for scale, mark in _SCALES:
        share = Decimal(number) / scale
        if share >= 1 and share == round(share, 2):
            return f"{share.normalize():f}{mark}"
    return f"{number:,}"


FORMS: dict[str, Callable[[int], str]] = {
    "in characters": lambda number: cn2an.an2cn(number, "low"),
    "as said": spoken,
    "financial": lambda number: cn2an.an2cn(number, "up"),
    "traditional": lambda number: traditional().convert(cn2an.an2cn(number, "low")),
    "traditional financial": lambda number: traditional().convert(cn2an.an2cn(number, "up")),
    "figures and scales": mixed,
    "full-width scales": lambda number: traditional().convert(mixed(number)),
    "figures": str,
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_random_numbers_are_read_back(form: Callable[[int], str]) -> None:
    for number in drawn():
        written = form(number)
        reading = only(f"共{written}个。")
        assert (reading.text, reading.ways) == (written, ((Decimal(number),),)), written
        assert reading.value == number or len(written) == 1


@pytest.mark.slow
def test_random_decimals_and_percentages_are_read_back() -> None:
    for number in drawn():
        value = Decimal(number) / 1000
        written = cn2an.an2cn(f"{value.normalize():f}", "low")
        assert value in {way[0] for way in only(f"长{written}。").ways}, written
        assert only(f"占百分之{written}。").ways[0] == (value,), written


@pytest.mark.slow
def test_every_year_is_read_in_all_ways() -> None:
    for year in range(1000, 2100):
        row = cn2an.an2cn(year, "direct")
        for written in (row, row.replace("零", "〇"), str(year)):
            assert only(f"自{written}年起").value == year, written


@pytest.mark.slow
def test_every_minute_of_the_day_is_read_in_all_ways() -> None:
    for hour in range(24):
        for minute in range(60):
            figures = only(f"于{hour}:{minute:02}出发").ways
            minutes = cn2an.an2cn(minute, "low")
            written = f"{cn2an.an2cn(hour, 'low')}点{'零' * (0 < minute < 10)}{minutes}分"
            assert figures[0] == (Decimal(hour), Decimal(minute))
            way = (Decimal(hour), Decimal(minute)) if minute else (Decimal(hour),)
            assert way in only(f"于{written}出发").ways, written


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("三万五元", [("35000",)]),
        ("一亿二人", [("120000000",)]),
        ("两千零五人", [("2005",)]),
        ("廿一人", [("21",)]),
        ("卅六人", [("36",)]),
        ("三十七億人", [("3700000000",)]),
        ("貳拾萬元", [("200000",)]),
        ("1.2万亿元", [("1200000000000",)]),
        ("3千米", [("3",), ("3000",)]),
        ("20世纪90年代", [("1990",), ("90", "20")]),
        ("1990年代", [("1990",)]),
        ("三点半开会", [("3", "30"), ("15", "30"), ("3", "half")]),
        ("下午3点", [("3",), ("15",)]),
        ("打八折", [("20",), ("80",)]),
        ("八五折", [("15",), ("85",)]),
        ("增加三成", [("30",)]),
        ("百分之三点五", [("3.5",)]),
        ("千分之五", [("0.5",), ("5", "1000")]),
        ("三分之二", [("2", "3")]),
        ("三五个", [("3",), ("5",), ("3", "5")]),
        ("七八十个", [("70",), ("80",)]),
        ("半年", [("half",), ("6",)]),
        ("第十五届", [("15",)]),
        ("10至20万元", [("100000", "200000")]),
        ("98年", [("98",), ("1998",)]),
        ("三块五", [("3.5",)]),
    ],
)
def test_possible_translations_of_numbers(text: str, ways: list[tuple[str, ...]]) -> None:
    wanted = {tuple(map(item_of, way)) for way in ways}
    assert wanted <= {way for reading in read_numbers(text) for way in reading.ways}


@pytest.mark.parametrize(
    "text", ["三五个", "七八十人", "打八折", "98年", "三点半", "几十万", "十多万", "半年", "一个"]
)
def test_an_ambiguous_number_has_no_single_value(text: str) -> None:
    assert all(reading.value is None for reading in read_numbers(text))


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("3.7 billion", ["3700000000"]),
        ("a hundred million", ["100000000"]),
        ("twenty-one", ["21"]),
        ("three hundred and five", ["305"]),
        ("at 15:00", ["15"]),
        ("at 3:30", ["3", "30"]),
        ("half a million", ["half", "500000"]),
        ("tenfold", ["10"]),
        ("the nineties", ["90"]),
        ("Chapter XII", ["12"]),
        ("in June", ["month 6"]),
        ("hexadecimal", ["base 16"]),
    ],
)
def test_english_numbers(text: str, items: list[str]) -> None:
    assert {*map(item_of, items)} <= {item for number in english_numbers(text) for item in number.items}


ANY = (
    "零〇一二两三四五六七八九十百千万亿廿卅点第年月日时半刻分之成折块倍翻世纪代百分之"
    "0123456789.,:%-至 元米亩壹貳億"
)


@given(st.text(ANY, max_size=24))
def test_any_text_is_read_without_an_error(text: str) -> None:
    last = 0
    for reading in read_numbers(text):
        assert last <= reading.start < reading.end <= len(text)
        assert reading.text == text[reading.start : reading.end]
        last = reading.end
    value_of(text)
    english_numbers(text)
