"""Sums of money keep their currency; words that only look like sums are ignored."""

from __future__ import annotations

import pytest

from anaphora_nmt.text.protect import protect, protect_pair
from anaphora_text.numbers.money import find_money


@pytest.mark.parametrize(
    ("text", "sum_", "rendering"),
    [
        ("合同总价为人民币三十七万元。", "人民币三十七万元", "RMB 370,000"),
        ("每月租金五千元", "五千元", "5,000 yuan"),
        ("共计人民币叁仟伍佰元整。", "人民币叁仟伍佰元整", "RMB 3,500"),
        ("注册资本为三十七亿元", "三十七亿元", "3.7 billion yuan"),
        ("新台币三万元以上", "新台币三万元", "NT$30,000"),
        ("定价 1280元", "1280元", "1,280 yuan"),
        ("售价 99.50 元", "99.50 元", "99.50 yuan"),
        ("投资了三十七亿美元", "三十七亿美元", "$3.7 billion"),
        ("花了 1,200 欧元", "1,200 欧元", "€1,200"),
        ("约3.7亿港元", "3.7亿港元", "HK$370 million"),
        ("十五块钱", "十五块钱", "15 yuan"),
        ("人民币 500", "人民币 500", "RMB 500"),
        ("五百元一张", "五百元", "500 yuan"),
        ("花了三百多元", "三百多元", "more than 300 yuan"),
        ("人民币三十多万元", "人民币三十多万元", "more than RMB 300,000"),
        ("投资 20 多亿美元", "20 多亿美元", "more than $2 billion"),
    ],
)
def test_sum_is_protected_with_its_currency(text: str, sum_: str, rendering: str) -> None:
    (found,) = find_money(text)
    assert text[found.start : found.end] == sum_
    assert found.renderings[0] == rendering
    assert protect(text).strings == (rendering,)


@pytest.mark.parametrize(
    "text",
    [
        "2 元组的数量",
        "二元词组",
        "三元表达式",
        "五元",
        "几百元",
        "上万元",
        "十二元月",
        "正月十五日元宵节",
        "一月一日元旦",
        "公元 1990 年",
        "第十五元",
        "v1.2元",
    ],
)
def test_uncertain_sum_is_left_out(text: str) -> None:
    assert not list(find_money(text))


def test_training_uses_rendering_in_target_or_the_number() -> None:
    source, target = protect_pair("罚款五千元。", "A fine of RMB 5,000.")
    assert source == "罚款\ue000。" and target == "A fine of \ue000."
    source, target = protect_pair("罚款五千元。", "Fined 5,000 coins.")
    assert source == "罚款\ue000元。" and target == "Fined \ue000 coins."


def test_sum_with_many_digits_is_found() -> None:
    figures = "1" * 5_000
    (found,) = find_money(f"{figures}元")
    assert found.renderings[0].replace(",", "") == f"{figures} yuan"
    assert protect(f"编号{figures}").strings == (figures,)
