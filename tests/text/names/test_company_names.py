"""Company names are spelled and ordered as in English; other texts stay as they are."""

from __future__ import annotations

import pytest

from anaphora_text.names.table import find_companies

NAMES = {
    "北京": "Beijing",
    "深圳市": "Shenzhen",
    "腾讯": "Tencent",
    "上海": "Shanghai",
    "浦东": "Pudong",
    "甲方": "Party A",
}


@pytest.mark.parametrize(
    ("text", "name", "english"),
    [
        ("甲方：北京远山科技有限公司", "北京远山科技有限公司", "Beijing Yuanshan Technology Co., Ltd."),
        ("甲方：远山科技有限公司", "远山科技有限公司", "Yuanshan Technology Co., Ltd."),
        ("远山（北京）科技有限公司", "远山（北京）科技有限公司", "Yuanshan (Beijing) Technology Co., Ltd."),
        (
            "由北京迅龙软件有限责任公司生产。",
            "北京迅龙软件有限责任公司",
            "Beijing Xunlong Software Co., Ltd.",
        ),
        (
            "深圳市腾讯计算机系统有限公司",
            "深圳市腾讯计算机系统有限公司",
            "Shenzhen Tencent Computer Systems Co., Ltd.",
        ),
    ],
)
def test_a_company_is_named_in_english(text: str, name: str, english: str) -> None:
    (found,) = find_companies(text, NAMES)
    assert (text[found.start : found.end], found.rendering) == (name, english)


@pytest.mark.parametrize(
    "text",
    [
        "本公司是一家科技有限公司。",
        "在北京设立科技有限公司的，应当申请。",
        "某科技有限公司",
        "有限责任公司的股东",
        "由远山科技有限公司生产。",
        "北京烟酒股份有限公司",
        "上海浦东发展有限公司",
    ],
)
def test_partly_understood_names_are_left_out(text: str) -> None:
    assert find_companies(text, NAMES) == []


@pytest.mark.parametrize(
    ("text", "renderings"),
    [
        ("远山科技有限公司", ["Yuanshan Technology Co., Ltd."]),  # the whole text
        ("甲方北京远山科技有限公司生产。", ["Beijing Yuanshan Technology Co., Ltd."]),
        (
            "甲方：北京远山科技有限公司和乙方：上海大海软件有限公司",
            ["Beijing Yuanshan Technology Co., Ltd.", "Shanghai Dahai Software Co., Ltd."],
        ),
        ("（远山科技有限公司）", ["Yuanshan Technology Co., Ltd."]),
        (
            "北京远山（上海）软件科技有限公司",
            ["Beijing Yuanshan (Shanghai) Software Technology Co., Ltd."],
        ),
        ("甲方：远山（北京）科技有限公司，", ["Yuanshan (Beijing) Technology Co., Ltd."]),
        ("腾讯科技有限公司", ["Tencent Technology Co., Ltd."]),
        ("北京腾讯科技有限公司", ["Beijing Tencent Technology Co., Ltd."]),
        ("北京远山大海科技有限公司", ["Beijing Yuanshandahai Technology Co., Ltd."]),  # four characters
        ("北京科技有限公司", ["Beijing Technology Co., Ltd."]),  # the name is only a place
        ("上海北京科技有限公司", ["Shanghai Beijing Technology Co., Ltd."]),
        ("：北京科技有限公司", ["Beijing Technology Co., Ltd."]),
        ("北京远山大海江科技有限公司", []),  # five
        ("北京山科技有限公司", []),  # one
        ("远山有限公司", []),  # its business is missing
        ("（北京）科技有限公司", []),  # a branch without a name
        ("远山（北京）科技有限公司生产", []),
        ("远山，北京）科技有限公司", []),
        ("由北京远山科技有限公司生产，远山科技有限公司生产", ["Beijing Yuanshan Technology Co., Ltd."]),
        ("科技有限公司", []),
        ("有限公司", []),
    ],
)
def test_where_a_name_begins_and_ends(text: str, renderings: list[str]) -> None:
    assert [found.rendering for found in find_companies(text, NAMES)] == renderings
