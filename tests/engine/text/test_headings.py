"""The number at the beginning of an article or chapter is one protected string."""

from __future__ import annotations

import pytest

from anaphora_nmt.text.protect import find_headings, is_heading


@pytest.mark.parametrize(
    ("text", "number", "rendering"),
    [
        ("第二条 乙方应交付全部货物。", "第二条", "Article 2"),
        ("第一百零五条", "第一百零五条", "Article 105"),
        ("第 3 步：导入代码", "第 3 步", "Step 3"),
        ("第十二章 总则", "第十二章", "Chapter 12"),
        ("第1部分: 数据", "第1部分", "Part 1"),
    ],
)
def test_numbers_at_the_beginning_are_headings(text: str, number: str, rendering: str) -> None:
    (found,) = find_headings(text)
    assert text[found.start : found.end] == number
    assert found.renderings[0] == rendering and is_heading(rendering)


@pytest.mark.parametrize(
    "text",
    [
        "第二条规定的罚款",
        "第二条、第三条之申请",
        "依第二条 办理",
        "第几条 规定",
        "第二天 他走了",
        "第七八条 ",
    ],
)
def test_numbers_inside_a_sentence_are_not_headings(text: str) -> None:
    assert not list(find_headings(text))
