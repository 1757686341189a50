"""Topic and recent words are read of documentation; other recent words turn no draft that stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources import files

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.types import WORD_CACHES, MemoryRule, SearchOptions, SourceSegment

Searches = list[Mapping[str, bool]]
PLACE = "7"
UNREAD = SearchOptions(memories={WORD_CACHES: False})


@pytest.fixture
def sample(translator: Translator) -> Iterator[Translator]:
    text = files("anaphora_resources").joinpath("samples", "sample.zh.md").read_text("utf-8")
    lines = [line for line in text.split("\n") if line]
    translator.open_document("s", [SourceSegment(str(number), line) for number, line in enumerate(lines)])
    yield translator
    translator.close_document("s")


@pytest.fixture
def searches(sample: Translator, monkeypatch: pytest.MonkeyPatch) -> Searches:
    """The memories of each search."""
    made, draft = Searches(), sample._drafter.draft

    def counting(sources, memories, options, *others):
        made.append(options.memories)
        return draft(sources, memories, options, *others)

    monkeypatch.setattr(sample._drafter, "draft", counting)
    return made


def reads_words(translator: Translator, document: str, segment: str) -> bool:
    text = translator.translate(document, segment).text
    tokens = translator.explain(document, segment, text, influence=False).tokens
    return any(token.share_of(WORD_CACHES) for token in tokens)


def test_they_are_read_where_the_topic_is_sure_or_somebody_chose_a_word(sample: Translator) -> None:
    assert reads_words(sample, "s", PLACE)
    text = sample.translate("s", PLACE).text
    unread = sample.explain("s", PLACE, text, influence=False, options=UNREAD).tokens
    assert not any(token.share_of(WORD_CACHES) for token in unread)
    sample.open_document("short", [SourceSegment("1", "编写一个自定义训练循环。")])
    assert not reads_words(sample, "short", "1")
    sample.steer("short", [MemoryRule("loop", topic=True)])
    assert reads_words(sample, "short", "1")
    sample.close_document("short")


def test_recent_words_turn_no_draft_that_stands(sample: Translator, searches: Searches) -> None:
    first = sample.translate("s", PLACE)
    assert len(searches) == 1
    sample.steer("s", [MemoryRule("nothing", weight=0.5, segment="0")])
    assert sample.translate("s", PLACE).text == first.text and len(searches) == 1
    kept = sample._document("s").plain._kept
    made_from, draft = kept[int(PLACE)]
    kept[int(PLACE)] = made_from, replace(draft, text="The words of the time.")
    sample.remember("s", "2", "Another page with other words.")
    assert sample.translate("s", PLACE).text == "The words of the time.", "as if the words had turned it"
    assert all(searches[-1].values()), "what is confirmed may turn it"
    sample.steer("s", [MemoryRule("gradient", topic=True)])
    assert sample.translate("s", PLACE).text == first.text, "topic words that somebody chose may, too"
