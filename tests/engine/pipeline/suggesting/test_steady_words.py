"""Topic and recent words are read in documentation; recent words follow confirmed text."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.memory.word_caches import WordCaches
from anaphora_nmt.types import MemoryRule, SearchOptions, SourceSegment

PLACE = "7"
UNREAD = SearchOptions(memories={WordCaches.name: False})


@pytest.fixture
def sample(translator: Translator) -> Iterator[Translator]:
    text = files("anaphora_resources").joinpath("samples", "sample.zh.md").read_text("utf-8")
    lines = [line for line in text.split("\n") if line]
    translator.open_document("s", [SourceSegment(str(number), line) for number, line in enumerate(lines)])
    yield translator
    translator.close_document("s")


def reads_words(
    translator: Translator, document: str, segment: str, options: SearchOptions = SearchOptions()
) -> bool:
    text = translator.translate(document, segment, options).text
    tokens = translator.explain(document, segment, text, influence=False, options=options).tokens
    return any(token.share_of(WordCaches.name) for token in tokens)


def test_topic_words_are_read_if_the_topic_is_sure(sample: Translator) -> None:
    assert reads_words(sample, "s", PLACE)
    text = sample.translate("s", PLACE).text
    unread = sample.explain("s", PLACE, text, influence=False, options=UNREAD).tokens
    assert not any(token.share_of(WordCaches.name) for token in unread)
    sample.open_document("short", [SourceSegment("1", "编写一个自定义训练循环。")])
    assert not reads_words(sample, "short", "1")
    sample.close_document("short")


def words(translator: Translator, document: str = "s") -> list[str]:
    """The recent words in the segment's memory."""
    view = translator.memory(document, PLACE)
    return [entry.label for each in view.sections if each.name == "dynamic" for entry in each.entries]


def test_recent_words_follow_confirmations_without_changing_drafts(sample: Translator) -> None:
    sample.translate("s", "2")
    first, before = sample.translate("s", PLACE), words(sample)
    assert before
    sample.remember("s", "2", "Another page with other words.")
    assert sample.translate("s", PLACE).text == first.text
    assert {"page", "words"} <= {*words(sample)}, "confirmed words enter at once"
    shown = sample.memory("s", PLACE).section("word_caches", "dynamic").entries
    assert all(
        (entry.segment, entry.confirmed) == ("2", True) for entry in shown if entry.label in ("page", "words")
    )
    sample.steer("s", [MemoryRule("page", weight=0.0)])
    assert "page" not in words(sample), "rules are followed"
    sample.steer("s", [])
    sample.forget("s", "2")
    assert words(sample) == before
