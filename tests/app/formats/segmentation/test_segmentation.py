"""Sentence rules: expected sentences of the built-in rules, errors, time limits."""

from __future__ import annotations

import time

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_samples import CHINESE, ENGLISH, OTHERS

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.segment import SegmentState
from anaphora.formats.registry import fill, read_bytes
from anaphora.formats.segmentation.segmenter import (
    DEFAULT_SEGMENTER,
    Breaker,
    Rule,
    SegmentationError,
    Segmenter,
    default_rules,
    read_srx,
    rules_for,
    write_srx,
)

QUOTED_AND_NUMBERED = [
    ["The answer is no.", "I know."],
    ["It came in Dec. 2020.", "It left in Dec.", "The end."],
    ["《书名。》是好书。", "我读过。"],
    ["他看了《去哪儿？》《来了！》两部电影。", "好看。"],
    ["他读了《你好！世界》。", "还读了《书。》。"],
    ["1. 第一条；2. 第二条。", "3. 第三条。"],
    ["步骤：1. 打开；2. 关闭。", "完。"],
]
LONG = (
    "账本保存每个交易（见附录）。",
    "We met Mr. Smith at 3.5 p.m. in the U.S. Army. ",
    "很长",
    '"',
    "。”",
    "...",
    " ",
)


def cut(text: str, segmenter: Segmenter | None = None) -> list[str]:
    return [text[a:b] for a, b in (segmenter or DEFAULT_SEGMENTER).spans(text)]


def ruleset(*rules: Rule) -> str:
    return write_srx(rules)


@pytest.mark.parametrize("sentences", CHINESE, ids=lambda s: s[0])
def test_chinese(sentences: list[str]) -> None:
    assert cut("".join(sentences)) == sentences


@pytest.mark.parametrize("sentences", [*ENGLISH, *QUOTED_AND_NUMBERED], ids=lambda s: s[0])
def test_english(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages(language: str) -> None:
    sentences = OTHERS[language]
    assert cut(("" if language == "ja" else " ").join(sentences)) == sentences


def test_line_breaks_are_not_boundaries_and_outer_space_is_dropped() -> None:
    assert cut("  一行\n还是这一句。\n\n 第二句 ") == ["一行\n还是这一句。", "第二句"]
    assert cut("使用 vim. 然后保存文件。") == ["使用 vim.", "然后保存文件。"]
    assert cut("") == cut(" \n\u3000") == []


@given(text=st.text(alphabet="ab。.！?…”）\"' \n中文1；,E", max_size=60))
def test_spans_are_ordered_and_cover_all_non_space_text(text: str) -> None:
    position = 0
    for start, end in DEFAULT_SEGMENTER.spans(text):
        assert text[position:start].strip() == ""
        assert start < end and not text[start].isspace() and not text[end - 1].isspace()
        position = end
    assert text[position:].strip() == ""


@pytest.mark.parametrize("unit", LONG)
@pytest.mark.slow
def test_line_of_a_megabyte_takes_less_than_two_seconds(unit: str) -> None:
    text = unit * (10**6 // len(unit))
    begin = time.process_time()
    DEFAULT_SEGMENTER.spans(text)
    assert time.process_time() - begin < 2.0


def test_rules_survive_round_trip() -> None:
    rules = read_srx(default_rules())
    assert read_srx(write_srx(rules)) == rules


def test_user_rule_applies() -> None:
    rules = read_srx(default_rules())
    own = (Rule(True, "；", "", "zh.*"), Rule(False, r"\bInc\.", r"\s", "zh.*"))
    segmenter = Segmenter(write_srx((*own, *rules)))
    assert cut("先安装；再重启。完。", segmenter) == ["先安装；", "再重启。", "完。"]
    assert cut("由 Acme Inc. 公司开发。", segmenter) == ["由 Acme Inc. 公司开发。"]
    assert cut("one; two. Three.", segmenter) == ["one; two.", "Three."]


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        (default_rules().replace("\\s</afterbreak>", "(</afterbreak>", 1), "line 18"),
        (default_rules().replace("</srx>", "</sr>"), "line"),
        (default_rules().replace('name="Chinese"/>', 'name="Klingon"/>'), "line"),
        ("<srx/>", "line 1"),
        ("<html/>", "line 1"),
        ('<!DOCTYPE srx [<!ENTITY a "b">]><srx>&a;</srx>', "line"),
        ("no rules at all", "line 1"),
    ],
)
def test_error_in_rule_file_names_the_line(broken: str, line: str) -> None:
    with pytest.raises(SegmentationError, match=line) as caught:
        read_srx(broken)
    assert caught.value.advice


def test_a_rule_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anaphora.formats.segmentation.segmenter.SECONDS", 0.2)
    segmenter = Segmenter(ruleset(Rule(True, r"(a|aa)+b", "")))
    with pytest.raises(SegmentationError, match="too long"):
        segmenter.spans("a" * 5000)


def test_document_is_written_with_its_segmentation() -> None:
    own = Segmenter(ruleset(Rule(True, "；", "")))
    data = "一二三；四。五。\n".encode()
    source = read_bytes(data, "a.txt", None, own)
    assert [segment.source for segment in source.segments] == ["一二三；", "四。五。"]
    translated = [each.with_state(SegmentState(pseudo_translation(each.source))) for each in source.segments]
    assert fill(data, "txt", translated).decode() == "[··一二三；] [··四。五。]\n", "no rules are applied"


ODD_RULES = (
    Rule(False, r"b\.", r"\s"),
    Rule(True, r"(a)\1*", ""),
    Rule(True, r"[.。]+(*PRUNE)b?", ""),
    Rule(True, r"\s", "a"),
    Rule(True, "", "。$"),
)


def breaks_by_definition(rules: tuple[Rule, ...], text: str) -> list[int]:
    """The ends of sentences by a literal implementation of SRX: each breaking rule from left to right."""
    found: set[int] = set()
    exceptions: list[regex.Pattern[str]] = []
    for rule in rules:
        after = f"(?={rule.after})" if rule.after else ""
        if not rule.breaks:
            exceptions.append(regex.compile(f"(?<={rule.before}){after}", regex.V1))
            continue
        places = {
            match.end() for match in regex.finditer(f"(?:{rule.before}){after}", text, regex.V1)
        } - found
        found |= {place for place in places if not any(each.match(text, place) for each in exceptions)}
    return sorted(found - {0, len(text)})


@pytest.mark.parametrize(
    "rules", [ODD_RULES, rules_for(read_srx(default_rules()), "zh")], ids=["odd", "ours"]
)
@settings(deadline=None)
@given(text=st.text("ab.。 ”", max_size=12))
def test_quick_test_misses_no_break(rules: tuple[Rule, ...], text: str) -> None:
    assert Breaker(rules).breaks(text) == breaks_by_definition(rules, text)
