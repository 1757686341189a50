"""English renderings of Chinese numerals, dates, percentages and amounts; uncertain ones are ignored."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anaphora_text.numbers.chinese import value_of
from anaphora_text.numbers.numerals import Numeral, find_numerals


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("十", 10), ("十五", 15), ("二十", 20), ("九十九", 99), ("一百零五", 105), ("一百〇五", 105),
        ("一百一十", 110), ("一百一十五", 115), ("三百五", 350), ("一千零一", 1001), ("两千", 2000),
        ("一千零一十", 1010), ("三千五", 3500), ("一万", 10**4), ("一万二千三百四十五", 12345),
        ("三万五", 35000), ("三十七亿", 37 * 10**8), ("一亿二千万", 12 * 10**7), ("十万", 10**5),
        ("三万亿", 3 * 10**12), ("3.7亿", 37 * 10**7), ("1,200万", 12 * 10**6), ("1亿2千万", 12 * 10**7),
        ("5千万", 5 * 10**7), ("叁仟伍佰", 3500), ("三点五", "3.5"), ("二点五亿", 25 * 10**7), ("零", 0),
        ("一亿零五百", 10**8 + 500), ("一万零五十", 10050), ("两万二", 22000),
    ],
)  # fmt: skip
def test_value(written: str, value: int | str) -> None:
    assert value_of(written) == Decimal(value)


@pytest.mark.parametrize(
    "written", ["七八", "三四百", "十七八", "百千", "一百百", "二〇二五", "一百二百", "三亿五亿", "万亿"]
)
def test_malformed_or_vague_has_no_value(written: str) -> None:
    assert value_of(written) is None


def written_out(number: int) -> str:
    """A number in Chinese, digit by digit: the slow inverse of parsing."""
    if number >= 10**4:
        for scale, mark in ((10**8, "亿"), (10**4, "万")):
            if number >= scale:
                high, low = divmod(number, scale)
                zero = "零" if low and low < scale // 10 else ""
                return written_out(high) + mark + zero + (written_out(low) if low else "")
    text, pending = "", False
    for place, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // place % 10
        if digit:
            text += ("零" if pending and text else "") + "零一二三四五六七八九"[digit] + unit
            pending = False
        else:
            pending = True
    return text or "零"


@given(st.integers(0, 10**12 - 1))
def test_every_number_is_read_back(number: int) -> None:
    assert value_of(written_out(number)) == number


def only(text: str) -> Numeral:
    (found,) = find_numerals(text)
    return found


@pytest.mark.parametrize(
    ("text", "covered", "kind", "rendering"),
    [
        ("注册资本为三十七亿元", "三十七亿", "amount", "3.7 billion"),
        ("共3.7亿人民币", "3.7亿", "amount", "370 million"),
        ("约1200万人", "1200万", "amount", "12 million"),
        ("罚款五万元", "五万", "amount", "50,000"),
        ("自二〇二五年六月三十日起", "二〇二五年六月三十日", "date", "June 30, 2025"),
        ("2025年6月30日签订", "2025年6月30日", "date", "June 30, 2025"),
        ("于一九九八年十二月", "一九九八年十二月", "date", "December 1998"),
        ("二〇二五年的计划", "二〇二五", "year", "2025"),
        ("十月一日放假", "十月一日", "date", "October 1"),
        ("提高百分之三点五", "百分之三点五", "percent", "3.5%"),
        ("百分之百同意", "百分之百", "percent", "100%"),
        ("千分之五", "千分之五", "percent", "0.5%"),
        ("第一百零五条", "一百零五", "ordinal", "105"),
        ("第十五届", "十五", "ordinal", "15th"),
        ("二十一世纪", "二十一", "ordinal", "21st"),
        ("三十两银子", "三十", "number", "30"),
        ("为期十五年", "十五", "number", "15"),
        ("一千五百人", "一千五百", "number", "1500"),
        ("新华社北京六月三十日电", "六月三十日电", "date", "June 30"),
        ("以三比二战胜了对手", "三比二", "score", "3-2"),
        ("主队102比98险胜", "102比98", "score", "102-98"),
        ("出口到二十多个国家", "二十多", "more", "more than 20"),
        ("支持 50 多种语言", "50 多", "more", "more than 50"),
        ("十余年", "十余", "more", "more than 10"),
        ("两千余名员工", "两千余", "more", "more than 2000"),
        ("20多万人", "20多万", "more", "more than 200,000"),
        ("三百多万学生", "三百多万", "more", "more than 3 million"),
        ("三百多万元", "三百多万", "more", "more than 3 million"),
        ("1万多台", "1万多", "more", "more than 10,000"),
    ],
)
def test_found(text: str, covered: str, kind: str, rendering: str) -> None:
    found = only(text)
    assert (text[found.start : found.end], found.kind, found.renderings[0]) == (covered, kind, rendering)


@pytest.mark.parametrize(
    "text",
    ["四十多岁", "超过一千多个", "约 50 多种", "二十多边形", "32 多核", "25 多个", "第二十多个", "2025多年",
     "几十多个", "百多年", "按三比一的比例混合", "时间 12:30 平台", "一比一还原"],
)  # fmt: skip
def test_more_than_and_scores_are_found_if_certain(text: str) -> None:
    assert not {"more", "score"} & {found.kind for found in find_numerals(text)}


@pytest.mark.parametrize(
    "text",
    ["一个人十分高兴", "千万不要", "百万富翁", "七八十人", "九一八", "几十个", "数十万", "二十几岁", "万一",
     "三分之二", "统一", "2025年", "共 105 条", "十几万", "十六进制"],
)  # fmt: skip
def test_uncertain_numbers_are_left_out(text: str) -> None:
    assert [found for found in find_numerals(text) if found.kind != "year"] == []


@pytest.mark.parametrize("text", ["十三月一日", "二〇二五年十三月", "二〇二五年一月三十二日", "一月三十二日"])
def test_impossible_dates_are_left_out(text: str) -> None:
    assert "date" not in [found.kind for found in find_numerals(text)]


@given(st.text("零〇一二两三四五六七八九十百千万亿点第年月日百分之0123456789., 元", max_size=16))
@example("0亿一0万")
def test_any_text_is_read_without_an_error(text: str) -> None:
    for found in find_numerals(text):
        assert 0 <= found.start < found.end <= len(text) and all(found.renderings)
