"""Numbers of a segment do not explain another one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anaphora.features.explain.marking import reasons
from anaphora.features.explain.rendered import is_number, without_counts
from anaphora_nmt.types import Explanation, MemoryUse, MemoryVersion, MemoryView, SourceWord, TokenTrace

USE = MemoryUse("confirmed", "files", "2", 0.7, 3.0, confirmed=True, decisive=True, translates="十个文件")


@pytest.mark.parametrize(
    ("label", "source", "expected"),
    [
        ("ten", "十个", True),
        ("two", "", True),
        ("thirds", "三分之二", True),
        ("twenty-one", "二十一", True),
        ("Hundreds", "几百", True),
        ("fourth", "第四季度", True),
        ("second", "秒", False),
        ("files", "十个文件", False),
        ("third-party", "第三方", False),
        ("tenant", "十", False),
        ("binary", "二进制", False),
    ],
)
def test_a_number_is_recognised_by_its_source(label: str, source: str, expected: bool) -> None:
    assert is_number(replace(USE, label=label, translates=source)) is expected


@pytest.mark.parametrize(
    ("source", "label", "expected"),
    [
        ("十个文件", "files", "文件"),
        ("个连接", "connections", "连接"),
        ("第四季度", "quarter", "季度"),
        ("第四季", "season", "第四季"),  # a single letter would not be a word
        ("六千个节点", "nodes", "节点"),
        ("3 台服务器", "servers", "服务器"),
        ("第三方", "third-party", "第三方"),
        ("二进制", "binary", "二进制"),
        ("十个", "some", "十个"),
        ("三明治", "sandwich", "三明治"),
        ("个性", "personality", "个性"),
        ("Chrome 浏览器", "browser", "Chrome 浏览器"),
        ("", "word", ""),
    ],
)
def test_numerals_and_measure_words_are_removed(source: str, label: str, expected: str) -> None:
    assert without_counts(source, label) == expected


def explained(use: MemoryUse, word: str) -> Explanation:
    source = (SourceWord("十个", 0, 2), SourceWord("文件", 2, 4))
    token = TokenTrace(word, 0, len(word), -0.1, (0.3, 0.7), (use,), without_memory="x")
    return Explanation("9", word, source, (token,), MemoryView("9", MemoryVersion("d", 1)))


def test_the_card_shows_things_without_numerals() -> None:
    (reason,) = reasons(explained(USE, "files"))
    assert (reason.remembered, reason.source) == ("文件", "文件")
    ten = replace(USE, label="ten", translates="十个")
    merely = explained(replace(ten, decisive=False), "ten")
    assert reasons(replace(merely, tokens=(replace(merely.tokens[0], without_memory=None),))) == ()
    assert len(reasons(explained(ten, "ten"))) == 1, "it decided the word"
