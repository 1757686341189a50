"""Protected strings are restored, and for training they must be on both sides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.text.protect import (
    MAX_PLACEHOLDERS,
    PLACEHOLDERS,
    protect,
    protect_pair,
    restore,
    with_days_on,
    with_spaced_names,
)
from anaphora_text.names.person_names import ProperName
from anaphora_text.protected import find_protected

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
def test_spans_point_at_the_strings(text: str) -> None:
    protected = protect(text)
    last = 0
    for start, end, index in protected.spans:
        assert last <= start < end
        assert text[start:end] == protected.strings[index]
        last = end
    assert len(present(protected.text)) == len(protected.strings)


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


@given(st.text(alphabet="a.-_/@%$0({", max_size=60).map(lambda text: text * 20))
def test_no_text_takes_long(text: str) -> None:
    protect(text)


def test_placeholder_represents_english_numeral() -> None:
    found = protect("注册资本为三十七亿元，自二〇二五年六月三十日起，见第一百零五条。")
    marks = PLACEHOLDERS
    assert found.text == f"注册资本为{marks[0]}，自{marks[1]}起，见第{marks[2]}条。"
    assert found.strings == ("3.7 billion yuan", "June 30, 2025", "105")


def test_training_protects_rendering_in_target() -> None:
    source, target = protect_pair(
        "他有四十个儿子，十二个孙子。", "He had forty sons and 12 grandsons, not 120."
    )
    assert source == f"他有{PLACEHOLDERS[0]}个儿子，{PLACEHOLDERS[1]}个孙子。"
    assert target == f"He had {PLACEHOLDERS[0]} sons and {PLACEHOLDERS[1]} grandsons, not 120."


def test_training_ignores_numeral_with_other_rendering() -> None:
    assert protect_pair("他有四十个儿子。", "He had 140 sons.") == ("他有四十个儿子。", "He had 140 sons.")


def test_date_takes_precedence_over_its_numbers() -> None:
    assert protect("2025年6月30日").strings == ("June 30, 2025",)
    assert protect("2025年").strings == ("2025",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0:1", "Party A: Beijing"),
        ("0(1) signs", "Party A (Beijing) signs"),
        ("0,1;0", "Party A, Beijing; Party A"),
        ("2:2", "foo_bar:foo_bar"),  # code in the source
        ("3:4", "3:20"),  # numbers
        ("2(1)", "foo_bar(Beijing)"),
        ("0: 1", "Party A: Beijing"),
    ],
)
def test_names_joined_by_a_mark_get_a_space(text: str, expected: str) -> None:
    strings = ["Party A", "Beijing", "foo_bar", "3", "20"]
    given = "".join(PLACEHOLDERS[int(each)] if each.isdigit() else each for each in text)
    assert restore(with_spaced_names(given, strings, "甲方：北京 foo_bar 3:20"), strings) == expected


def test_on_precedes_days_and_in_precedes_months() -> None:
    strings = ("June 30, 2025", "June 2025", "May 1", "20")
    days, month, lone, number = PLACEHOLDERS[:4]
    given = f"In {days} and in {month}, within {lone}, in {lone}; in {number} parts, in {PLACEHOLDERS[5]}"
    expected = f"On {days} and in {month}, within {lone}, on {lone}; in {number} parts, in {PLACEHOLDERS[5]}"
    assert with_days_on(given, strings) == expected


def test_salutation_becomes_dear() -> None:
    def names(text: str) -> list[ProperName]:
        found = text.find("陈女士")
        return [ProperName(found, found + 3, "Ms. Chen")] if found >= 0 else []

    assert protect("尊敬的陈女士：", names=names).strings == ("Dear Ms. Chen",)
    assert protect("亲爱的陈女士，您好！", names=names).text == PLACEHOLDERS[0] + "，您好！"
    for text in ("尊敬的陈女士来了。", "我尊敬的陈女士：", "陈女士："):
        assert protect(text, names=names).strings == ("Ms. Chen",)
