"""Completions end with the sentence and do not repeat deleted text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from anaphora.features.drafting.completions import (
    DeletedTexts,
    is_finished,
    without_faults,
    without_inventions,
    without_junk,
)
from anaphora_nmt.types import Completion

FINISHED = (
    ("账本保存每个交易。", "The ledger keeps every transaction."),
    ("账本保存每个交易。", "The ledger keeps every transaction. "),
    ("他说：“好。”", "He said: “Good.”"),
    ("为什么？", "Why?"),
    ("停！", "Stop!"),
    ("{1}账本{/1}。", "{1}The ledger.{/1}"),
    ("标题", "Done."),
    ("Fertig.", "完成。"),
    ("第一句。第二句。", "The first one. The second one."),
    ("乙方应将全部货物交付甲方。", "Party B shall deliver all goods to Party A."),
    ("办公设备包括桌椅等。", "The office equipment includes desks, chairs, etc."),
)
OPEN = (
    ("账本保存每个交易。", "The ledger keeps"),
    ("账本保存每个交易。", "The ledger keeps "),
    ("账本保存每个交易。", ""),
    ("史密斯先生来了。", "Mr."),
    ("例如，账本。", "A ledger, e.g."),
    ("版本 2.5 发布。", "Version 2.5"),
    ("违约金为每日千分之一。", "The penalty is 0."),
    ("约翰·史密斯来了。", "John F."),
    ("第一句。第二句。", "The first one."),
    ("第一句。第二句。", "The first one. "),
)


@pytest.mark.parametrize(("source", "target"), FINISHED)
def test_finished_translations_are_recognised(source: str, target: str) -> None:
    assert is_finished(source, target)


@pytest.mark.parametrize(("source", "target"), OPEN)
def test_unfinished_translations_are_recognised(source: str, target: str) -> None:
    assert not is_finished(source, target)


def deleted(*texts: str) -> DeletedTexts:
    result = DeletedTexts()
    for before, after in pairwise(texts):
        result.note(before, after)
    return result


def test_a_deleted_word_is_not_proposed_again() -> None:
    found = deleted("reads the ledger.", "reads the ")
    assert found.is_deleted("reads the ", "ledger of the")
    assert found.is_deleted("reads the ", "Ledger.")
    assert not found.is_deleted("reads the ", "register.")
    found.note("reads the ", "reads the l")
    assert found.is_deleted("reads the l", "edger.")
    for more in ("reads the le", "reads the led"):
        found.note(more[:-1], more)
    assert not found.is_deleted("reads the led", "ger."), "the user types it again"


def test_letters_deleted_one_by_one_are_one_deletion() -> None:
    text = "reads the ledgers."
    found = deleted(*(text[:end] for end in range(len(text), 12, -1)))
    assert found.is_deleted("reads the led", "gers") and found.is_deleted("reads the led", "ger")
    assert not found.is_deleted("reads the led", "s")
    found = deleted("the ledger.", "the ledger")
    assert found.is_deleted("the ledger", ".") and not found.is_deleted("the ledger", " of")
    assert not deleted("the ledgers", "the ledger").is_deleted("the ledger", " system")


def test_another_typed_word_does_not_restore_it() -> None:
    found = deleted("reads the ledger.", "reads the ", "reads the r", "reads the ")
    assert found.is_deleted("reads the ", "ledger.") and found.is_deleted("reads the ", "r")
    assert not found.is_deleted("reads the ", "book")


def test_typing_and_suggestions_are_not_deletions() -> None:
    found = deleted("", "reads", "reads the")
    assert not found.is_deleted("reads the", " ledger")
    assert not deleted("The ledger.", "T", "Th", "The", "The ").is_deleted("The ", "ledger."), (
        "typed over all of it"
    )
    found = deleted("reads the ledger.", "Another text.")
    assert not found.is_deleted("Another text.", " reads")
    assert not deleted("The ledger.", "", "T").is_deleted("T", "he ledger."), "the field was emptied"


def test_a_completion_ends_before_junk():
    source = "第二条 产品（见附件）"
    assert without_junk(source, "The ", "second\u2011products[[") == ""
    assert without_junk(source, "The ", "second product of 1530::") == "second product of"
    assert without_junk(source, "The ", "list {0} of them") == "list"
    assert without_junk(source, "Yuanshan Co., ", "Ltd..") == "Ltd."
    assert without_junk("见 [附件]", "See ", "[annex] 2") == "[annex] 2", "the source has them"
    assert without_junk("运行 get_model()", "Run ", "get_model() first") == "get_model() first"
    assert without_junk("等等……", "And ", "so on... and -- well (yes)") == "so on... and -- well (yes)"
    assert without_junk("价格：５＄", "", "Price: $5") == "Price: $5", "in full width in the source"


@pytest.mark.parametrize(
    ("typed", "proposed", "ended", "expected"),
    [
        ("sat by the river", "sary every day.", True, ""),
        ("sat by the ", "riversary every day.", True, ""),
        ("sat by the ri", "ver every riversary day.", True, "ver every"),
        ("sat by the ", "river, every riversary", True, "river, every"),
        ("sat by the ", "river every riversary", False, "river every riversary"),
        ("sat by the riversary", " every day.", True, " every day."),
        ("sat by the ", "river's side.", True, "river's side."),
    ],
)
def test_invented_words_end_a_completion(typed: str, proposed: str, ended: bool, expected: str) -> None:
    assert without_inventions(typed, proposed, ended, lambda text: ("riversary",)) == expected


@pytest.mark.parametrize(
    ("typed", "proposed", "expected"),
    [
        ("Party B shall deliver ", "it to Party A. The party shall", "it to Party A."),
        ("Party B shall deliver ", "the goods the goods to Party A.", "the goods"),
        ("Party B shall deliver to Party", " Party A all goods.", ""),
        ("Party B shall ", "deliver all goods to Party A", "deliver all goods to Party A"),
        ("37,000 yuan, ", "100, 100, 100,", "100"),
        ("It is ", "at 20, 20 and 30", "at 20, 20 and 30"),
    ],
)
def test_a_completion_ends_before_repetitions_and_at_the_end(
    typed: str, proposed: str, expected: str
) -> None:
    found = without_faults("乙方应交付甲方。", typed, Completion(proposed), lambda text: ())
    assert found == Completion(expected, ended=expected != proposed)
