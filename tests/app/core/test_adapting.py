"""Adapting a translation to a source that differs in tags, numbers or case."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.core.differences import Change, differences, merged
from anaphora.core.matching import TaggedText, adapt
from anaphora.core.tags import MARK
from anaphora.core.text import fold


def tagged(text: str) -> TaggedText:
    return TaggedText(text, tuple(match.group() for match in MARK.finditer(text)))


@pytest.mark.parametrize(
    ("old", "target", "new", "expected"),
    [
        ("保存文件", "Save the file", "保存文件", "Save the file"),
        # numbers
        ("第3章", "Chapter 3", "第12章", "Chapter 12"),
        ("第３章", "Chapter 3", "第4章", "Chapter 4"),
        ("共1000行", "1,000 lines", "共25000行", "25,000 lines"),
        ("共1,000行", "1000 lines", "共2,500行", "2500 lines"),
        ("从2到5", "from 2 to 5", "从5到2", "from 5 to 2"),
        ("共3页，第3页", "Page 3 of 3", "共5页，第5页", "Page 5 of 5"),
        ("边长10²米", "10² metres", "边长20²米", "20² metres"),
        ("1. 打开", "1. Open", "2. 打开", "2. Open"),
        ("第1步：保存", "Step 1: save", "第2步：保存", "Step 2: save"),
        ("3 days", "3天", "1 days", "1天"),
        ("第2个节点在2保存", "Node 2 saves at 2", "第1个节点在1保存", "Node 1 saves at 1"),
        ("int8量化", "int8 quantisation", "int16量化", "int16 quantisation"),
        ("版本1.2", "Version 1.2", "版本1.10", "Version 1.10"),
        # case
        ("使用python", "Use python", "使用Python", "Use Python"),
        # tags: renamed, left out, put around, moved along
        ("{1}保存{/1}文件", "{1}Save{/1} the file", "{3}保存{/3}文件", "{3}Save{/3} the file"),
        ("{1}{2}保存{/2}{/1}", "{1}{2}Save{/2}{/1}", "{2}{1}保存{/1}{/2}", "{2}{1}Save{/1}{/2}"),
        ("{1}保存{/1}文件", "{1}Save{/1} the file", "保存文件", "Save the file"),
        ("保存文件", "Save the file", "{1}保存文件{/1}", "{1}Save the file{/1}"),
        ("保存文件", "Save the file", "{1/}保存文件", "{1/}Save the file"),
        ("{1}保存{/1}3个文件", "{1}Save{/1} 3 files", "{2}保存{/2}12个文件", "{2}Save{/2} 12 files"),
        # width and blanks
        ("保存（文件）", "Save (file)", "保存(文件)", "Save (file)"),
    ],
)
def test_adapts(old: str, target: str, new: str, expected: str) -> None:
    assert fold(old, tagged(old).marks) == fold(new, tagged(new).marks)
    assert adapt(target, tagged(old), tagged(new)) == expected


@pytest.mark.parametrize(
    ("old", "target", "new"),
    [
        ("10月", "October", "11月"),  # the number is a word in the target
        ("第3章", "Chapter 3 of 3", "第4章"),  # one of two
        ("从2到2", "2 twice", "从2到7"),
        ("从2到2", "from 2 to 2", "从2到7"),
        ("共3页，第3页", "Page 3 of 3", "共5页，第2页"),
        ("共3页，第3页", "Page 3 (the last)", "共5页，第2页"),
        ("第1名", "1st place", "第2名"),
        ("第22名", "22nd place", "第24名"),
        ("第1名", "1er lugar", "第3名"),
        ("第1名", "1º lugar", "第3名"),
        ("1个文件", "1 file", "2个文件"),
        ("2个文件", "2 files", "1个文件"),
        ("第3页，共3页", "page 3 of 3 pages", "第1页，共1页"),
        ("8点开始", "It starts at 8 a.m.", "18点开始"),
        ("12点开始", "It starts at 12 noon.", "13点开始"),
        ("12个月", "12 months (1 year)", "24个月"),
        ("在3天内付款", "Payment within three (3) days", "在5天内付款"),
        ("2个文件", "2 файла", "5个文件"),
        ("7点提醒", "a 7-point reminder", "8点提醒"),
        ("3月5日开会", "Meeting on Tuesday, March 5", "3月6日开会"),
        ("2024-03-05", "Tuesday, 2024-03-05", "2024-03-06"),
        ("保存文件", "Save the file", "{1}保存{/1}文件"),  # which word?
        ("{1}保存{/1}文件", "{1}Save{/1} the file", "保存{1}文件{/1}"),  # the tags are in other places
        ("{1/}保存文件", "Save {1/} the file", "保存{1/}文件"),
    ],
)
def test_uncertain_places_are_reported(old: str, target: str, new: str) -> None:
    assert fold(old, tagged(old).marks) == fold(new, tagged(new).marks)
    assert adapt(target, tagged(old), tagged(new)) is None


@pytest.mark.parametrize("numbers", [range(1000, 3000), [1000] * 2000])
def test_a_long_text_with_many_numbers_is_adapted_quickly(numbers: Sequence[int]) -> None:
    old, new = ("，".join(f"甲{number + more}项" for number in numbers) for more in (0, 5000))
    target, expected = (", ".join(f"item {number + more}" for number in numbers) for more in (0, 5000))
    begun = time.process_time()
    assert adapt(target, TaggedText(old), TaggedText(new)) == expected
    assert time.process_time() - begun < 2


def test_digits_of_tags_are_not_numbers() -> None:
    assert adapt("{1/} is 1", tagged("{1/}是1"), tagged("{1/}是2")) == "{1/} is 2"


def test_braces_that_are_not_tags_are_text() -> None:
    old, new = TaggedText("用{0}和{1}", ()), TaggedText("用{0}和{2}", ())
    assert adapt("{0} with {1}", old, new) == "{0} with {2}"


def test_differences_are_words_and_chinese_characters() -> None:
    assert differences("更新缓存", "更新全部缓存") == ((), ((2, 4),))
    assert differences("用int8存3.5次", "用int16存4次") == (((4, 5), (6, 9)), ((4, 6), (7, 8)))
    old, new = "Save the file", "Save every file now"
    gone, come = differences(old, new)
    assert [old[a:b] for a, b in gone] == ["the"]
    assert [new[a:b] for a, b in come] == ["every", " now"]


@settings(deadline=None)
@given(st.text(alphabet="甲乙丙 a1", max_size=12), st.text(alphabet="甲乙丙 a1", max_size=12))
def test_merged_differences_contain_both_texts(old: str, new: str) -> None:
    parts = merged(old, new)
    assert "".join(text for change, text in parts if change is not Change.NEW) == old
    assert "".join(text for change, text in parts if change is not Change.GONE) == new


def test_folding_keeps_significant_differences() -> None:
    assert fold("第 3 章") == fold("第 12 章") != fold("第章")
    assert fold("Python") == fold("PYTHON")
    assert fold("保存{1/}", ("{1/}",)) == "保存"
    assert fold("保存{1/}") != "保存"
    assert fold("面积１０²米") == fold("面积20²米") != fold("面积102米")
    assert fold("水H₂O") != fold("水H2O") and fold("①保存") != fold("1保存") and fold("½杯") != fold("1⁄2杯")
