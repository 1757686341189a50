"""Signs, units, shares and limits of Chinese texts in their translations."""

from __future__ import annotations

import pytest

from anaphora.features.checks.quality import check_target


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("价格为¥98,000。", "The price is $98,000."),
        ("价格为€200。", "The price is °200."),
        ("误差为±0.5%。", "The error is °0.5%."),
        ("电压≥220V。", "The voltage is less than 220V."),
        ("长度≈5m。", "The length is −5m."),
        ("浓度为5‰。", "The concentration is 5."),
        ("厚度为50μm。", "The thickness is 50m."),
        ("容量为500毫升。", "The capacity is 500 milliseconds."),
        ("体重为3斤。", "It weighs 3 kg."),
        ("速度为3×10⁸m/s。", "The speed is 3×108m/s."),
        ("四分之一", "~4th"),
        ("三分之二的股东", "three halves of the shareholders"),
        ("万分之五", "five-thirds"),
        ("票数为七比五。", "seven times"),
        ("气温零下十五度。", "It is 15 degrees."),
        ("不少于五名", "no more than five"),
        ("不少于五名", "five people"),
        ("不超过五名", "at least five"),
        ("至多可选三项。", "Select more than three items."),
        ("3 次及以上", "3 or fewer times"),
        ("七日以内付款。", "Pay after seven days."),
        ("未满18岁", "over 18"),
        ("不得高于标准值。", "It must not be less than the standard."),
    ],
)
def test_a_quantity_or_limit_that_is_turned_is_found(source: str, target: str) -> None:
    assert check_target(source, target)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("该法令于平成十一年颁布，昭和五十年修订。", "The act was promulgated in 1999 and revised in 1975."),
        ("令和元年", "2019"),
        ("1½英寸的管子。", "A 1.5-inch pipe."),
        ("1½英寸的管子。", "A pipe of 1 1/2 inches."),
        ("1½英寸的管子。", "A pipe of one and a half inches."),
        ("二〇二四年", "2024"),
        ("不少于五名", "at least five"),
        ("不少于五名", "no fewer than five"),
        ("不少于五名", "five or more"),
        ("不超过五名", "It does not exceed five."),
        ("至少五名", "a minimum of five"),
        ("温度不得低于标准值。", "The temperature must not fall below the standard."),
        ("未满十八周岁者禁止入内。", "No one under 18 is admitted."),
        ("年龄应在18岁以上60岁以下。", "Applicants must be between 18 and 60."),
        ("三十天以内付款。", "Pay within 30 days."),
        ("面积为120㎡。", "The area is 120 square meters."),
        ("面积为120m²。", "The area is 120 m2."),
        ("浓度为5‰。", "The concentration is 0.5%."),
        ("价格为¥98,000。", "The price is RMB 98,000."),
        ("速度为3×10⁸m/s。", "The speed is 3 × 10^8 m/s."),
        ("三分之二的股东", "two thirds of the shareholders"),
        ("万分之五", "0.05%"),
        ("票数为七比五。", "The vote was seven to five."),
    ],
)
def test_a_right_quantity_raises_no_alarm(source: str, target: str) -> None:
    assert not check_target(source, target)
