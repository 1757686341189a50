"""Quantities, signs and marks are protected with their English renderings."""

from __future__ import annotations

import pytest

from anaphora_nmt.text.normalize import normalize_source
from anaphora_nmt.text.protect import protect, protect_target, restored_sentence


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ("价格为¥98,000。", ["¥98,000"]),
        ("价格为£30和€200，共￥3.7亿元。", ["£30", "€200", "¥370 million"]),
        ("价格为RMB 300元。", ["RMB 300"]),
        ("误差为±0.5％，电压≥220V，长度≈5m。", ["±0.5%", "≥220V", "≈5m"]),
        ("浓度为5‰，厚度为50μm，面积为120㎡。", ["5‰", "50μm", "120m²"]),
        ("容量为500毫升，重量为3斤，距离为5里。", ["500 mL", "3 jin", "5 li"]),
        ("亩产一千二百斤，共计三百亩。", ["1,200 jin", "300 mu"]),
        ("5±0.1毫米，3至5公斤，5毫克/升", ["5±0.1 mm", "3-5 kg", "5 mg/L"]),
        ("3×10⁸m/s，x÷y×z，H₂O", ["3×10⁸m/s", "x÷y×z", "H₂O"]),
        ("温度为-40℃～+85℃，零下15℃，零下十五度", ["-40°C to +85°C", "-15°C", "minus 15 degrees"]),
        ("四分之一，万分之五，十六分之三", ["one-quarter", "0.05%", "3/16"]),
        ("三分之二的股东", ["two-thirds of"]),
        ("1½英寸的管子", ["1½-inch"]),
        ("1英寸", ["1 inch"]),
        ("票数为七比五，减少了三成", ["7 to 5", "30%"]),
        ("不少于五名，金额≥五百元", ["at least five", "≥500 yuan"]),
        ("面积不少于500m²，浓度不高于5‰，电压不大于36V", ["at least 500m²", "at most 5‰", "at most 36V"]),
        ("厚度不小于50μm，面积不少于300~500㎡", ["at least 50μm", "at least 300-500m²"]),
        ("不少于五百多元", ["more than 500 yuan"]),
        ("10分之9.5", ["9.5/10"]),
        ("平成十一年，昭和五十年，令和元年", ["1999", "1975", "2019"]),
        ("昭和五十年代", ["50"]),
        ("中华民国三十八年", ["1949"]),
        ("十万分之七，百万分之二", ["0.007%", "2 ppm"]),
        ("四分之三的人", ["three-quarters of people"]),
        ("租金为฿8,000，每股S$1.25，₱500", ["฿8,000", "S$1.25", "₱500"]),
        ("苹果¥3.5/斤，运费£3/公里，共￥12.5万", ["¥3.5/jin", "£3/km", "¥125,000"]),
        ("500泰铢，100澳元，8万韩元", ["500 baht", "A$100", "80,000 won"]),
        ("5.6毫摩尔/升，100兆比特每秒，80公里每小时", ["5.6 mmol/L", "100 Mbps", "80 km/h"]),
        ("2.998×10⁸米/秒，电流为10安", ["2.998×10⁸ m/s", "10 A"]),
        ("一个半小时，三年半，增长一倍半", ["1.5 hours", "3.5 years", "1.5 times"]),
        ("二十世纪九十年代，八十年代", ["the 1990s", "the 1980s"]),
        ("十人以内免费，参会人数在二十人以内", ["up to ten people", "up to 20 people"]),
        ("处三年以上七年以下有期徒刑", ["three to seven years"]),
        ("六个月以上一年以下的培训", ["six months to one year"]),
        ("罚款二百元以上、五百元以下", ["200 to 500 yuan"]),
        ("一百万元以上五百万元以下", ["1 million to 5 million yuan"]),
        ("比例为5%以上10%以下", ["5% to 10%"]),
        ("年满18周岁以上60周岁以下的公民", ["18 to 60 years of age"]),
        ("请在半小时以内充电", ["within half an hour"]),
        ("道光二十年", ["1840"]),
        (
            "存期不满半年，不到半小时，水深不到五米",
            ["less than half a year", "less than half an hour", "less than 5 m"],
        ),
        ("满65周岁的老人，年满十六岁", ["at least 65", "at least 16"]),
        ("至多不超过三次，误差在3毫米以内", ["at most three", "up to 3 mm"]),
        ("■ 注意", ["■"]),
        ("①先关闭电源", ["①"]),
        ("1、打开电源开关。", ["1."]),
    ],
)
def test_quantity_is_one_protected_string(text: str, strings: list[str]) -> None:
    assert list(protect(normalize_source(text)).strings) == strings


@pytest.mark.parametrize(
    "text",
    [
        "步骤 2 里",
        "几十斤",
        "七八十斤",
        "三比二大",
        "七比五增长",
        "1、2、3都可以",
        "七八成",
        "3升级",
        "文件→打开",
        "$x",
        "三年半载",
    ],
)
def test_uncertain_quantity_is_left_out(text: str) -> None:
    assert not protect(normalize_source(text)).strings


def test_quantity_in_words_is_capitalised_at_sentence_start() -> None:
    strings = protect(normalize_source("不少于五名专家。")).strings
    draft = restored_sentence("\ue000 experts.", strings)
    assert draft == "At least five experts."
    assert protect_target(draft, strings) == "\ue000 experts."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("温度不得高于60℃", "温度不得超过\ue000"),
        ("响应时间不得晚于24小时", "响应时间不得超过\ue000小时"),
        ("交货不得迟于6月30日", "交货不得迟于\ue000"),
        ("五分之三的代表", "\ue000个代表"),
        ("百分之三的税率", "\ue000的税率"),
        ("未满十四周岁的儿童", "未满\ue000岁的儿童"),
        ("误差在3毫米以内。", "误差为\ue000。"),
        ("会议在两小时以内结束", "会议在两小时以内结束"),
    ],
)
def test_expressions_that_models_reverse_are_replaced(text: str, expected: str) -> None:
    assert protect(text).text == expected
