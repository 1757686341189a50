"""The sentence rules of the first version, on the same texts as the rules of today."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentence_samples import CHINESE, ENGLISH

from anaphora.formats.segmentation.version_1_rules import split_sentences


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
