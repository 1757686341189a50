"""Protected strings come back as they were, and only where both sides have them."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.text.protect import (
    MAX_PLACEHOLDERS,
    PLACEHOLDERS,
    protect,
    protect_pair,
    protect_target,
    restore,
    with_days_on,
    with_spaced_names,
)
from anaphora_text.names.found import ProperName
from anaphora_text.protected import TEMPLATE, find_protected

STRINGS = (
    "https://example.org/a/b?c=d#e",
    "mail@example.org",
    "os.path.join()",
    "snake_case_name",
    "camelCase",
    "--option=value",
    "-v",
    "/usr/local/bin",
    "config.yaml",
    "3.11.4",
    "v2.0",
    "2048",
    "50%",
    "${HOME}",
    "{{ name }}",
    "%(count)d",
    "$PATH",
    "@scope/package",
    "utf-8",
)
fragments = st.sampled_from((*STRINGS, "使用", "。", " ", "the", "a", "，", "1", "\n", "«", "%", "-", "."))
texts = st.one_of(st.text(), st.lists(fragments, max_size=30).map("".join))


def present(text: str) -> set[str]:
    """The placeholders in a text."""
    return set(PLACEHOLDERS) & set(text)


@pytest.mark.parametrize("string", STRINGS)
def test_each_kind_is_found_whole(string: str) -> None:
    text = f"请使用 {string} 来运行。"
    assert [text[start:end] for start, end in find_protected(text)] == [string]


@pytest.mark.parametrize("word", ["the", "Hello", "x", "7", "well-known", "使用", "...", "I'm"])
def test_plain_words_are_left_alone(word: str) -> None:
    assert find_protected(f"{word} 是") == []


@given(texts)
def test_round_trip(text: str) -> None:
    protected = protect(text)
    expected = re.sub("[\ue000-\uf8ff]", "\ufffd", text)
    assert restore(protected.text, protected.strings) == expected


@given(texts)
def test_spans_point_at_the_strings(text: str) -> None:
    protected = protect(text)
    last = 0
    for start, end, index in protected.spans:
        assert last <= start < end
        assert text[start:end] == protected.strings[index]
        last = end
    assert len(present(protected.text)) == len(protected.strings)


def test_equal_strings_share_a_placeholder() -> None:
    protected = protect("把 2048 和 512 换成 2048")
    assert protected.strings == ("2048", "512")
    assert [index for _, _, index in protected.spans] == [0, 1, 0]


def test_more_strings_than_placeholders_stay_as_text() -> None:
    numbers = [str(number) for number in range(100, 100 + MAX_PLACEHOLDERS + 3)]
    protected = protect(" ".join(numbers))
    assert protected.strings == tuple(numbers[:MAX_PLACEHOLDERS])
    assert protected.text.endswith(" ".join(numbers[MAX_PLACEHOLDERS:]))


@given(texts, texts)
def test_a_pair_shares_its_placeholders(source: str, target: str) -> None:
    protected_source, protected_target = protect_pair(source, target)
    assert present(protected_source) == present(protected_target)


def test_a_pair_protects_only_what_both_sides_have() -> None:
    source, target = protect_pair("设置 MAX_SIZE 为 2048，见 3.2 节。", "Set MAX_SIZE to 2048; see below.")
    assert source == f"设置 {PLACEHOLDERS[0]} 为 {PLACEHOLDERS[1]}，见 3.2 节。"
    assert target == f"Set {PLACEHOLDERS[0]} to {PLACEHOLDERS[1]}; see below."


def test_a_string_inside_a_longer_word_of_the_target_is_not_shared() -> None:
    source, target = protect_pair("大小为 204。", "The size is 2048.")
    assert (source, target) == ("大小为 204。", "The size is 2048.")


def test_the_longest_string_wins_in_the_target() -> None:
    assert (
        protect_target("run a.b.c and a.b", ["a.b", "a.b.c"])
        == f"run {PLACEHOLDERS[1]} and {PLACEHOLDERS[0]}"
    )


def test_a_placeholder_without_a_string_is_dropped() -> None:
    assert restore(f"x{PLACEHOLDERS[0]}y{PLACEHOLDERS[1]}", ["1"]) == "x1y"


@given(st.text(alphabet="a.-_/@%$0({", max_size=60).map(lambda text: text * 20))
def test_no_text_takes_long(text: str) -> None:
    protect(text)


def test_a_numeral_travels_as_the_english_that_it_is() -> None:
    found = protect("注册资本为三十七亿元，自二〇二五年六月三十日起，见第一百零五条。")
    marks = PLACEHOLDERS
    assert found.text == f"注册资本为{marks[0]}，自{marks[1]}起，见第{marks[2]}条。"
    assert found.strings == ("3.7 billion yuan", "June 30, 2025", "105")


def test_training_protects_the_rendering_that_the_target_has() -> None:
    source, target = protect_pair(
        "他有四十个儿子，十二个孙子。", "He had forty sons and 12 grandsons, not 120."
    )
    assert source == f"他有{PLACEHOLDERS[0]}个儿子，{PLACEHOLDERS[1]}个孙子。"
    assert target == f"He had {PLACEHOLDERS[0]} sons and {PLACEHOLDERS[1]} grandsons, not 120."


def test_training_leaves_a_numeral_that_the_target_renders_otherwise() -> None:
    assert protect_pair("他有四十个儿子。", "He had 140 sons.") == ("他有四十个儿子。", "He had 140 sons.")


def test_a_date_goes_before_the_numbers_in_it() -> None:
    assert protect("2025年6月30日").strings == ("June 30, 2025",)
    assert protect("2025年").strings == ("2025",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0:1", "Party A: Beijing"),
        ("0(1) signs", "Party A (Beijing) signs"),
        ("0,1;0", "Party A, Beijing; Party A"),
        ("2:2", "foo_bar:foo_bar"),  # code of the source
        ("3:4", "3:20"),  # numbers
        ("2(1)", "foo_bar(Beijing)"),
        ("0: 1", "Party A: Beijing"),
    ],
)
def test_names_that_meet_at_a_mark_have_a_space(text: str, expected: str) -> None:
    strings = ["Party A", "Beijing", "foo_bar", "3", "20"]
    given = "".join(PLACEHOLDERS[int(each)] if each.isdigit() else each for each in text)
    assert restore(with_spaced_names(given, strings, "甲方：北京 foo_bar 3:20"), strings) == expected


def test_a_day_stands_behind_on_and_a_month_behind_in() -> None:
    strings = ("June 30, 2025", "June 2025", "May 1", "20")
    days, month, lone, number = PLACEHOLDERS[:4]
    given = f"In {days} and in {month}, within {lone}, in {lone}; in {number} parts, in {PLACEHOLDERS[5]}"
    expected = f"On {days} and in {month}, within {lone}, on {lone}; in {number} parts, in {PLACEHOLDERS[5]}"
    assert with_days_on(given, strings) == expected


def test_who_is_greeted_is_dear() -> None:
    def names(text: str) -> list[ProperName]:
        found = text.find("陈女士")
        return [ProperName(found, found + 3, "Ms. Chen")] if found >= 0 else []

    assert protect("尊敬的陈女士：", names=names).strings == ("Dear Ms. Chen",)
    assert protect("亲爱的陈女士，您好！", names=names).text == PLACEHOLDERS[0] + "，您好！"
    for text in ("尊敬的陈女士来了。", "我尊敬的陈女士：", "陈女士："):
        assert protect(text, names=names).strings == ("Ms. Chen",)


def test_a_text_without_templates_is_passed_over_quickly() -> None:
    """A line of 3 million letters took 2 s to be read, as thirty alternatives were tried at each letter."""
    text = "x" * 300_000

    def seconds(pattern: re.Pattern[str]) -> float:
        begun = time.thread_time()
        assert pattern.search(text) is None
        return time.thread_time() - begun

    plain = re.compile("(?=[{<])y")
    assert min(seconds(TEMPLATE) for _ in range(5)) < 5 * min(seconds(plain) for _ in range(5))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("打开 a.b.c 和 a.b", "Open a.b.c"),
        ("版本 3.2 和 3.2.1", "Version 3.2.1"),
        ("用 a_b 和 a_b()", "Use a_b()"),
    ],
)
def test_a_string_that_the_target_has_only_in_a_longer_one_is_not_shared(source: str, target: str) -> None:
    longer = target.split()[1]
    protected = protect_pair(source, target)
    assert protected[1] == target.replace(longer, PLACEHOLDERS[0])
    assert protected[0] == PLACEHOLDERS[0].join(source.rsplit(longer, 1)), "the shorter one stays as text"


def test_what_shall_not_be_kept_stays_as_text() -> None:
    found = protect("把 2048 和 512 换成 64", lambda string: string != "512")
    assert found.strings == ("2048", "64")
    assert found.text == f"把 {PLACEHOLDERS[0]} 和 512 换成 {PLACEHOLDERS[1]}"
    assert protect("把 2048 换掉", lambda string: False) == protect("把 换掉").__class__(
        "把 2048 换掉", (), ()
    )


def test_more_strings_to_protect_are_given_by_their_places() -> None:
    found = protect("打开大海文件 42", whole=[(2, 4)])
    assert found.strings == ("大海", "42") and found.spans == ((2, 4, 0), (7, 9, 1))
    longer = protect("打开大海文件", whole=[(2, 3), (2, 4), (3, 5)])
    assert longer.strings == ("大海",), "of those that begin together the longer; none that begins in it"
    beside = protect("打开大海文件", whole=[(2, 4), (4, 6)])
    assert beside.strings == ("大海", "文件")


def test_a_full_table_takes_strings_that_it_has() -> None:
    numbers = [str(number) for number in range(100, 100 + MAX_PLACEHOLDERS)]
    found = protect(" ".join([*numbers, "999", numbers[0]]))
    assert found.strings == tuple(numbers) and found.text.endswith(f"999 {PLACEHOLDERS[0]}")


def test_no_strings_and_empty_ones_protect_nothing_in_the_target() -> None:
    assert protect_target("a b", []) == protect_target("a b", [""]) == "a b"
    assert protect_target("a\ue005b", []) == "a\ufffdb"
    assert protect_target("x1 1 1x _1 1_", ["1"]) == f"x1 {PLACEHOLDERS[0]} 1x _1 1_"


def test_a_placeholder_behind_the_last_string_is_none() -> None:
    first, last = PLACEHOLDERS[:2]
    assert with_spaced_names(f"{first}:{last}", ["Beijing"], "") == f"{first}:{last}"
    assert with_spaced_names(f"{last}({first}", ["Beijing"], "") == f"{last}({first}"
    assert with_days_on(f"in {last}", ["May 1"]) == f"in {last}"
    assert with_days_on(f"in {first}", ["May 1"]) == f"on {first}"
    assert restore(f"{first}{last}\uf8ff", ["a"]) == "a"
