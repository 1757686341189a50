"""Quantities, signs and marks travel as English writes them."""

from __future__ import annotations

import pytest

from anaphora_nmt.text.normalize import normalize_source
from anaphora_nmt.text.protect import protect


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
        ("■ 注意", ["■"]),
        ("①先关闭电源", ["①"]),
        ("1、打开电源开关。", ["1."]),
    ],
)
def test_a_quantity_travels_as_one_string(text: str, strings: list[str]) -> None:
    assert list(protect(normalize_source(text)).strings) == strings


@pytest.mark.parametrize(
    "text",
    ["步骤 2 里", "几十斤", "七八十斤", "三比二大", "1、2、3都可以", "七八成", "3升级", "文件→打开", "$x"],
)
def test_what_is_no_certain_quantity_is_left(text: str) -> None:
    assert not protect(normalize_source(text)).strings
