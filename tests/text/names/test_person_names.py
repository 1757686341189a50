"""Names of Chinese persons are spelled in pinyin; words that only look like names are ignored."""

from __future__ import annotations

import pytest

from anaphora_text.names.person_names import find_persons


@pytest.mark.parametrize(
    ("text", "name", "spelling"),
    [
        ("王强说他明天来。", "王强", "Wang Qiang"),
        ("会议由李小明教授主持。", "李小明", "Li Xiaoming"),
        ("乙方代表：张伟", "张伟", "Zhang Wei"),
        ("乙方：王强", "王强", "Wang Qiang"),
        ("王强没有回答，只是看着月亮。", "王强", "Wang Qiang"),
    ],
)
def test_name_beside_person_words_is_found(text: str, name: str, spelling: str) -> None:
    (found,) = find_persons(text)
    assert (text[found.start : found.end], found.rendering) == (name, spelling)


@pytest.mark.parametrize(
    "text",
    [
        "张量是多维数组。",
        "张量说明如下。",
        "未经许可，不得复制。",
        "单元格的高度",
        "顾客表示满意",
        "汤姆说他很忙。",
        "请联系陈经理。",
        "王强很高兴。",
        "分封的王希律低声说着话。",
    ],
)
def test_words_that_look_like_names_are_left_out(text: str) -> None:
    assert find_persons(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("叫王强的人来了。", ["王强"]),
        ("他来了。王强没有回答。", ["王强"]),
        ("那天王强没有回答。", []),
        ("王强来了。", []),
        ("王强（签字）", ["王强"]),
        ("我和王强说过。", ["王强"]),
        ("李小明说他来。张伟说他不来。", ["李小明", "张伟"]),
        ("贺龙说他来。", ["贺龙"]),  # 199 times in the dictionary
        ("孙行者说他来。", []),  # 200 times
        ("王经理说他很忙。", []),
        ("是王强", []),
    ],
)
def test_spans_of_names(text: str, names: list[str]) -> None:
    assert [text[found.start : found.end] for found in find_persons(text)] == names
