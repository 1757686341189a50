"""The draft is the best candidate within a limit of length."""

from __future__ import annotations

from itertools import count

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.types import SearchOptions, SourceSegment, Suggestion, WhatIf

SOURCES = (
    "请输入您的用户名和密码以登录系统。",
    "是否要删除选中的项目？",
    "点击 {1/} 按钮打开设置。",
)
_names = count()


def suggested(translator: Translator, source: str, most: int, best: int = 1) -> Suggestion:
    name = f"limited {next(_names)}"
    translator.open_document(name, [SourceSegment("0", source, most)])
    options = SearchOptions(n_best=best)
    made = translator.translate(name, "0", options)
    (preview,) = translator.preview(name, ("0",), WhatIf(), options)
    translator.close_document(name)
    assert preview.text == made.text, "a preview returns the existing draft"
    return made


def length(text: str) -> int:
    return len(text.replace("{1/}", ""))


@pytest.mark.parametrize("source", SOURCES)
def test_the_best_candidate_within_the_limit_is_the_draft(translator: Translator, source: str) -> None:
    free = suggested(translator, source, 0, 5)
    candidates = (free.text, *free.alternatives)
    most = max(length(each) for each in candidates if length(each) < length(free.text))
    held = suggested(translator, source, most, 5)
    assert held.text == next(each for each in candidates if length(each) <= most)
    assert {held.text, *held.alternatives} == {*candidates}
    assert held.quality is not None and held.quality != free.quality
    assert suggested(translator, source, most).text == held.text
    assert suggested(translator, source, length(free.text)).text == free.text


def test_without_a_candidate_within_the_limit_the_best_is_used(translator: Translator) -> None:
    assert suggested(translator, SOURCES[0], 5).text == suggested(translator, SOURCES[0], 0).text
