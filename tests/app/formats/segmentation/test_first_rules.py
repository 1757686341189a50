"""Sentence segmentation: each case is the list of sentences that a reader would cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.formats.segmentation.first_rules import split_sentences

CHINESE = [
    ["今天下雨。", "我们不出门！", "你呢？"],
    ["他说：“好的。”", "然后走了。"],
    ["（见附录。）", "下一节再谈。"],
    ["【警告！】", "请先备份。"],
    ["她问：「真的吗？」", "没人回答。"],
    ["“太好了！”，他喊道。"],
    ["先安装；再配置；最后重启。"],
    ["我……不知道。"],
    ["他沉默了……”", "门开了。"],
    ["真的吗？！", "是真的。"],
    ["圆周率约为3.14，版本是2.0.1。", "完。"],
    ["请访问 https://example.com/a?b=1.2!c 下载。", "谢谢。"],
    ["运行 setup.py 即可。", "Node.js 也要装。"],
    ["1. 安装依赖。", "再启动。"],
    ["没有标点的标题"],
]
ENGLISH = [
    ["It rains.", "We stay in!", "And you?"],
    ["Use a list, e.g. Python's own.", "Then stop."],
    ["Dr. Smith met J. R. Brown in the U.S. Army.", "They talked."],
    ["Version 2.0.1 costs 3.50 dollars.", "Buy it."],
    ["See https://example.com/a.html?x=1.", "Then go on."],
    ["He said “stop.”", "Nobody did."],
    ['He said "stop."', "Nobody did."],
    ["See Fig. 3 and No. 5 for details.", "The answer is no.", "Really."],
    ["Wait... what?", "Nothing."],
    ["Apples, pears, etc. are fruit."],
    ["Really?!", "Yes (of course.)", "Fine."],
    ["1. Install it.", "Then run it."],
]


@pytest.mark.parametrize("sentences", CHINESE, ids=lambda s: s[0])
def test_chinese(sentences: list[str]) -> None:
    text = "".join(sentences)
    assert [text[a:b] for a, b in split_sentences(text, "zh")] == sentences


@pytest.mark.parametrize("sentences", ENGLISH, ids=lambda s: s[0])
def test_english(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert [text[a:b] for a, b in split_sentences(text, "en")] == sentences


def test_a_full_stop_with_a_space_ends_a_chinese_sentence() -> None:
    text = "使用 vim. 然后保存文件。"
    assert [text[a:b] for a, b in split_sentences(text, "zh")] == ["使用 vim.", "然后保存文件。"]


def test_a_line_break_is_no_boundary_and_outer_space_belongs_to_nobody() -> None:
    text = "  一行\n还是这一句。\n\n 第二句 "
    assert [text[a:b] for a, b in split_sentences(text, "zh")] == ["一行\n还是这一句。", "第二句"]


def test_a_very_long_sentence_is_returned_whole() -> None:
    text = "很长" * 2500
    assert split_sentences(text, "zh") == [(0, 5000)]


def test_nothing_gives_nothing() -> None:
    assert split_sentences("", "zh") == []
    assert split_sentences(" \n\u3000", "en") == []


@pytest.mark.parametrize("language", ["zh", "en"])
@given(text=st.text(alphabet="ab。.！?…”）\"' \n中文1；,E", max_size=60))
def test_spans_are_ordered_and_cover_all_non_space_text(language: str, text: str) -> None:
    spans = split_sentences(text, language)
    position = 0
    for start, end in spans:
        assert text[position:start].strip() == ""
        assert start < end and not text[start].isspace() and not text[end - 1].isspace()
        position = end
    assert text[position:].strip() == ""
