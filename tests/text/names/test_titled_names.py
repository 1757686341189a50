"""A title precedes the name in English; words that only look like titled names are ignored."""

from __future__ import annotations

import pytest

from anaphora_text.names.person_names import find_persons, find_titled


@pytest.mark.parametrize(
    ("text", "name", "english"),
    [
        ("尊敬的陈女士：", "陈女士", "Ms. Chen"),
        ("销售经理张伟先生下个月将访问广州。", "张伟先生", "Mr. Zhang Wei"),
        ("会议由李小明教授主持。", "李小明教授", "Professor Li Xiaoming"),
        ("请联系欧阳小姐。", "欧阳小姐", "Miss Ouyang"),
        ("请联系陈经理。", "陈经理", "Manager Chen"),
        ("单先生来了。", "单先生", "Mr. Shan"),
        ("张伟警官来了。", "张伟警官", "Officer Zhang Wei"),
    ],
)
def test_title_precedes_the_name(text: str, name: str, english: str) -> None:
    (found,) = find_titled(text, find_persons(text))
    assert (text[found.start : found.end], found.rendering) == (name, english)


@pytest.mark.parametrize(
    "text",
    [
        "对于先生的要求，我们同意。",
        "两张先生的照片",
        "有害于律师之信誉。",
        "申请人委任律师在场。",
        "先生，您好。",
    ],
)
def test_words_ending_like_a_surname_are_left_out(text: str) -> None:
    assert find_titled(text, find_persons(text)) == []
