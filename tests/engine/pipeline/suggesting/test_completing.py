"""Completion of half-typed translations by the real model."""

from __future__ import annotations

import pytest

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.types import SourceSegment, SourceTerm

SENTENCES = (
    "自动微分是深度学习框架的核心功能。",
    "本教程介绍如何使用自动微分。",
    "运行`git status`命令，设置API_KEY，共有1024个。",
    "",
    "账本保存每个交易。",
    "每个节点读取账本。",
)


@pytest.fixture
def document(translator):
    translator.open_document("typed", [SourceSegment(str(n), text) for n, text in enumerate(SENTENCES)])
    yield "typed"
    translator.close_document("typed")


def test_each_further_letter_gives_the_result_of_a_new_search(translator, document):
    text = "This guide shows how to use"
    sizes = range(len(text) + 1)
    after_letters = [translator.complete(document, "1", text[:size], most=4) for size in sizes][::3]
    fresh = []
    for size in sizes[::3]:
        translator.close_document("another")  # drops what is kept of the last search
        fresh.append(translator.complete(document, "1", text[:size], most=4))
    assert after_letters == fresh
    assert any(one.text for one in fresh)


def test_the_typed_text_stays_and_determines_the_completion(translator, document):
    found = translator.complete(document, "1", "In this guide, we", most=30)
    assert found.ended
    assert "tutorial" not in found.text


@pytest.mark.parametrize("typed", ["You begi", "This tutorial intro"])
def test_an_incomplete_word_is_completed_as_a_word(translator, document, typed):
    """Its pieces are not those of the whole word: "begi" was completed as "beguiling" and the like."""
    word = typed.split()[-1] + translator.complete(document, "1", typed).text.split()[0]
    assert word.strip(".,") in {"begin", "begins", "beginning", "introduces", "introduction"}


@pytest.mark.parametrize(
    ("typed", "rest"),
    [("Set the API_K", "EY"), ("Run the command. There are 10", "24")],
)
def test_protected_strings_are_completed(translator, document, typed, rest):
    assert translator.complete(document, "2", typed).text.startswith(rest)


def test_completions_follow_confirmed_text(translator, document):
    before = translator.complete(document, "5", "Every node reads the").text
    translator.remember(document, "4", "The register keeps every transaction.")
    after = translator.complete(document, "5", "Every node reads the").text
    assert "register" not in before
    assert after.startswith(" register")


def test_completions_follow_the_terms(translator, document):
    start = SENTENCES[1].index("教程")
    term = SourceTerm(start, start + 2, forms=("walkthrough", "walkthroughs"))
    assert "walkthrough" in translator.complete(document, "1", "This ", terms=[term]).text


def test_a_completion_works_after_a_cancelled_one(translator, document):
    steps = iter([False, False, True])
    with pytest.raises(Cancelled):
        translator.complete(document, "1", "This is a", cancel=lambda: next(steps))
    found = translator.complete(document, "1", "This is a")
    translator.close_document("another")
    assert found == translator.complete(document, "1", "This is a")
    assert found.text
