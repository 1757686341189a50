"""Numbers of Chinese texts in their translations."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.features.checks.quality import check_target
from anaphora.features.checks.segment.numbers import Comparison, compare_numbers, differing_numbers

RIGHT_PAIRS = Path(__file__).parents[3] / "golden" / "checks" / "right_pairs.tsv"

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
    ("周期 1 出现一个异常", "one exception in epoch 1"),
    ("參萬伍仟元", "35,000 yuan"),
    ("半小时后", "after 30 minutes"),
    ("一米八的个子", "1.8 m tall"),
    ("早上六点四十五分", "a quarter to seven in the morning"),
]


@pytest.mark.parametrize(("source", "target"), GOOD)
def test_present_numbers_are_not_reported(source: str, target: str) -> None:
    assert differing_numbers(source, target, CHINESE_TO_ENGLISH) == ([], [])


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
        ("价格是三万五元", "30,005 yuan", ["三万五"], ["30,005"]),
        ("人口约一亿二", "about 100,000,002 people", ["一亿二"], ["100,000,002"]),
        ("三十七億美元", "37 dollars", ["三十七億"], ["37"]),
        ("两千零五人", "2,500 people", ["两千零五"], ["2,500"]),
        ("打八折", "8% off", ["打八折"], ["8"]),
        ("三点半开会", "The meeting is at 4:30.", ["三点半"], ["4"]),
        ("下午3点", "at 5 p.m.", ["下午3点"], ["5"]),
        ("20世纪90年代", "the 1980s", ["20世纪90年代"], ["1980"]),
        ("参加者廿一人", "20 people took part", ["廿一"], ["20"]),
        ("一百万美元", "one billion dollars", ["一百万"], []),
        ("百分之五", "15%", ["百分之五"], ["15"]),
        ("三块五", "5.3 yuan", ["三块五"], ["5.3"]),
        ("10至20万人", "10,000 to 200,000 people", ["10至20万"], ["10,000"]),
    ],
)
def test_missing_numbers_are_reported(source: str, target: str, missing: list[str], added: list[str]) -> None:
    assert differing_numbers(source, target, CHINESE_TO_ENGLISH) == (missing, added)


@pytest.mark.parametrize("pair", RIGHT_PAIRS.read_text(encoding="utf-8").splitlines())
def test_correct_pairs_are_not_reported(pair: str) -> None:
    source, target = pair.split("\t")
    assert check_target(source, target) == ()


def test_a_number_counts_once_for_each_reading() -> None:
    assert compare_numbers("20个和20个", "20 and 20") == Comparison((), ())
    (missing,) = compare_numbers("20个和20个", "20 of them").chinese
    assert missing.text == "20"
    assert [each.text for each in compare_numbers("20个", "20, 30 and 30").english] == ["30", "30"]


def test_numbers_from_ten_thousand_on_may_be_rounded() -> None:
    for chinese, english in (("10012人", "10,000 people"), ("9876人", "9,900 people")):
        comparison = compare_numbers(chinese, english)
        assert (not comparison.chinese and not comparison.english) is (chinese == "10012人")
