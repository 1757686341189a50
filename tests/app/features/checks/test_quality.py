"""Warnings about a segment."""

from __future__ import annotations

import pytest

from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.features.checks.quality import (
    check_segment,
    check_target,
    check_terms_of,
    remark_of_engine,
)
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.usage import check_terms

GOOD = [
    ("缓存有 500 个槽。", "The cache has 500 slots."),
    ("一共１２３４个", "1,234 in all"),
    ("见{1}文档{/1}和{2/}。", "See {2/} and {1}the document{/1}."),
    ("访问 https://a.example/b?c=1。", "Visit https://a.example/b?c=1."),
    ("写着{1}", "says {1}"),
    ("%s有%d个文件，%%d", "%2$d files in %1$s, %%d"),
    ("Linux", "Linux"),
    ("", ""),
]


@pytest.mark.parametrize(("source", "target"), GOOD)
def test_good_translations_give_no_warning(source: str, target: str) -> None:
    assert check_target(source, target) == ()


BAD = [
    ("缓存", " ", "is empty"),
    ("缓存", "缓存", "same as the source"),
    ("500 个槽", "many slots", "number 500 is missing"),
    ("500 和 500", "500 once", "number 500 is missing"),
    ("版本 2.5", "version 2.6", "number 2.5 is missing"),
    ("许多槽", "500 slots", "number 500 is not in the source"),
    ("访问 https://a.example/b。", "Visit it.", "https://a.example/b is missing"),
    ("见{1}它{/1}", "See it", "tag {1} is missing"),
    ("见{1/}", "See {1/}{1/}", "tag {1/} appears too often"),
    ("见它", "See {3}it", "no tag {3}"),
    ("见{1}它{/1}", "See {/1}it{1}", "out of order"),
    ("缓存和内存", "cache and 内存", "Untranslated Chinese text: “内存”"),
    ("打开文件", "Open the the file", "Repeated word: “the”"),
    ("打开，关闭", "Open， close", "Full-width punctuation mark in the translation: ，"),
    ("打开文件。", "Open the  file.", "“e␣␣f”"),
    ("打开文件。", "Open the file .", "“e␣.”"),
    ("打开,关闭", "Open,close", "“en,cl”"),
    ("打开文件吗？", "Open the file.", "but the translation is not"),
    ("%s有%d个文件", "%d files in %s", "The format string %2$d is missing"),
    ("共有文件", "There are {count} files", "no format string {count}"),
    ("每个节点读取账本并更新缓存的状态", "Nodes read it", "very short"),
    ("每个节点读取账本和缓存", "Each of the nodes " * 8 + "reads it", "very long"),
]


@pytest.mark.parametrize(("source", "target", "warning"), BAD)
def test_bad_translations_give_one_warning(source: str, target: str, warning: str) -> None:
    warnings = check_target(source, target)
    assert any(warning in each for each in warnings), warnings
    assert all(each.endswith(".") for each in warnings)


def test_segments_that_are_not_started_are_not_checked() -> None:
    assert check_segment(Segment("1", "缓存")) == ()
    assert check_segment(Segment("1", "缓存", SegmentState("", Status.EDITED))) == (
        "The translation is empty.",
    )


def test_a_translation_into_chinese_may_be_chinese() -> None:
    assert check_target("Open the file", "打开文件") == ()
    assert check_target("Open {1}the file{/1}", "打开文件") != ()


def test_characters_that_a_file_cannot_store_are_reported() -> None:
    assert check_target("账本", "Led\x07ger") == (
        "The file cannot store this character, so it will be omitted: U+0007.",
    )
    assert check_target("账本", "Ledger\ud800") == (
        "The file cannot store this character, so it will be omitted: U+D800.",
    )
    assert check_target("账本", "one\r\ntwo\x0bthree") == ()


def test_direction_marks_and_times_of_subtitles_are_reported() -> None:
    assert check_target("账本", "Led\u202eger") == ("Direction control character not in the source: U+202E.",)
    assert check_target("账本\u202e字", "Led\u202eger") == ()
    found = check_target("账本", "He reads:\n00:00:02,500 --> 00:00:03,000\nmore")
    assert "A line looks like a subtitle time: “00:00:02,500 --> 00:00:03,000”." in found


def test_messages_of_the_engine_can_be_translated() -> None:
    lost = remark_of_engine("Missing: a.json, b.json")
    assert lost == remark_of_engine("Missing: a.json, b.json")
    assert lost.localised(lambda text: text.replace("Missing", "Fehlt")) == "Fehlt: a.json, b.json"
    other = remark_of_engine("Something else")
    assert other.localised(lambda text: text.replace("Missing", "Fehlt")) == "Something else"


def test_terms_that_are_ignored_or_forbidden_are_reported() -> None:
    target = "Open the setup, the Setup and the setup."
    segment = Segment("1", "打开配置、账本和节点。", SegmentState(target, Status.EDITED))
    entries = (
        TermEntry("配置", (TargetTerm("configuration"), TargetTerm("setup", Usage.FORBIDDEN))),
        TermEntry("账本", (TargetTerm("ledger"), TargetTerm("register", Usage.ADMITTED))),
    )
    uses = check_terms(Recogniser(entries).find(segment.source), target)
    assert check_terms_of(segment, uses) == (
        "“setup”, “Setup” must not be used for the term “配置”.",
        "“账本” should be translated as “ledger”, “register”.",
    )
    assert check_terms_of(segment, check_terms(Recogniser(entries[1:]).find("账本"), "The ledger")) == ()


def test_punctuation_must_have_the_target_languages_width() -> None:
    narrow = "Latin punctuation mark in Chinese text: ,."
    assert check_target("Hello, world.", "你好,世界。", pair=LanguagePair("en", "zh")) == (narrow,)
    assert check_target("Hello, world.", "こんにちは,世界。", pair=LanguagePair("en", "ja")) == ()
    assert check_target("账本，节点", "Ledger，nodes") == (
        "Full-width punctuation mark in the translation: ，.",
    )


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("删除 {0} 行吗？", "Delete {0} lines?"),
        ("已从 {0} 更改为 {1}。", "Changed from {0} to {1}."),
        ("错误：{0}", "Error: {0}"),
        ("该 {2} 的", "the {2} the"),
        ("（{0}）", "({0})"),
        ("{1}粗{/1}的 {0} 行", "{1}bold{/1} {0} lines"),
    ],
)
def test_text_that_looks_like_a_tag_counts_as_a_word(source: str, target: str) -> None:
    assert check_target(source, target) == ()


def test_a_space_behind_text_that_looks_like_a_tag_is_found() -> None:
    said = check_target("第 {0} 行，完", "Line {0} , done")
    assert [str(each) for each in said] == ["Missing or extra space: “x␣,”."]
