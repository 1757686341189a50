"""Numbers of Chinese texts in their translations."""

from __future__ import annotations

import pytest

from anaphora.services.quality_numbers import added_numbers, missing_numbers

GOOD = [
    ("三十七亿美元", "3.7 billion dollars"),
    ("3.7亿人", "370 million people"),
    ("二〇二五年六月三十日", "June 30, 2025"),
    ("2025年1月1日至1月10日", "from January 1 to January 10, 2025"),
    ("五百二十三页", "523 pages"),
    ("一百零五万人", "1.05 million people"),
    ("二十一个", "twenty-one of them"),
    ("三百零五个", "three hundred and five"),
    ("第十二章", "Chapter XII"),
    ("第十五届", "the fifteenth session"),
    ("上世纪八十年代", "the 1980s"),
    ("百分之三十五", "35 percent"),
    ("十二点五万", "125,000"),
    ("三分之二", "two thirds"),
    ("千分之一，万分之五，千分之二点五", "0.1%, 0.05% and 0.25%"),
    ("千分之3", "3 in 1,000"),
    ("几十个人，成千上万", "dozens of people, thousands upon thousands"),
    ("十分重要，千万不要，万一", "very important: never; just in case"),
    ("一个人和两个人", "a person and a couple"),
    ("10至20个", "10–20"),
    ("约123456人", "some 123,000 people"),
    ("1.2.3 版", "version 1.2.3"),
    ("二十多个", "more than a score"),
]


@pytest.mark.parametrize(("source", "target"), GOOD)
def test_numbers_that_are_there(source: str, target: str) -> None:
    assert missing_numbers(source, target) == []
    assert added_numbers(source, target) == []


@pytest.mark.parametrize(
    ("source", "target", "missing", "added"),
    [
        ("三十七亿美元", "37 million dollars", ["三十七亿"], ["37"]),
        ("3.7亿人", "3.7 million people", ["3.7亿"], []),
        ("二〇二五年六月三十日", "2035-035,0,0.", ["二〇二五", "三十"], ["2035", "035,0,0"]),
        ("二〇二五年六月三十日", "June 3, 2025", ["三十"], ["3"]),
        ("2025年6月30日", "July 30, 2025", ["6"], []),
        ("10至20个", "10 to 30", ["20"], ["30"]),
        ("第十二章", "Chapter 2", ["十二"], ["2"]),
        ("五百二十三页", "many pages", ["五百二十三"], []),
        ("许多", "42 of them", [], ["42"]),
        ("千分之一", "0.2%", [], ["0.2"]),
    ],
)
def test_numbers_that_are_not(source: str, target: str, missing: list[str], added: list[str]) -> None:
    assert missing_numbers(source, target) == missing
    assert added_numbers(source, target) == added
