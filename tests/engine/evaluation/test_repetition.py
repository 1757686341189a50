"""Detection of broken outputs."""

from __future__ import annotations

import pytest

from anaphora_nmt.evaluation.report import Repetition, has_loop, is_runaway, measure_repetition


@pytest.mark.parametrize(
    "text",
    [
        "the the the the",
        "It is the name of the name of the name of the",
        "Yes. No. Yes. No. Yes. No.",
        "The a b c d e f g h i j k " * 3,
        "我们我们我们",
        "start here and here and here and stop",
    ],
)
def test_loops(text: str) -> None:
    assert has_loop(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no, no, no",
        "Wait ......... what?",
        "| --- | --- | --- | --- |",
        "the cat and the dog and the bird",
        "very very very good",
        "It is said that it is said.",
    ],
)
def test_no_loops(text: str) -> None:
    assert not has_loop(text)


def test_runaway() -> None:
    assert is_runaway("你好。", "Hello and welcome to this place, where we all are very glad to see you.")
    assert not is_runaway("你好。", "Hello there, friend.")
    assert not is_runaway("", "")


def test_counts_of_a_test_set() -> None:
    sources = ["好。", "哈哈哈哈！", "这是第三个句子。", "空的。"]
    outputs = ["good good good good good good good good good good", "Ha ha ha ha!", "The third one.", "  "]
    result = measure_repetition(sources, outputs)
    assert result == Repetition(outputs=4, looping=1, empty=1, runaway=1)
    assert result.share == 0.25


def test_a_loop_counts_only_if_the_source_has_none() -> None:
    loop, fine = "so so so so so so", "It is fine."
    result = measure_repetition([fine, loop, loop, fine], [loop, loop, fine, fine])
    assert result == Repetition(outputs=4, looping=1, empty=0, runaway=0)
    nothing = measure_repetition([], [])
    assert nothing == Repetition(0, 0, 0, 0) and nothing.share == 0.0
