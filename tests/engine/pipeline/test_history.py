"""A segment's history consists of the earlier segments of its own document."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.types import SearchOptions, SourceSegment

SAME, OTHER = "打开文件。", "关闭窗口。"
CONFIRMED = "Zebras gallop."
GREEDY = SearchOptions(beam_size=1)
EVERY = SearchOptions(
    beam_size=1, memories=dict.fromkeys(("continuous_cache", "word_caches", "confirmed"), True)
)


def open_lines(translator: Translator, *lines: str) -> None:
    translator.open_document("h", [SourceSegment(str(number), line) for number, line in enumerate(lines)])


@pytest.fixture()
def opened(translator: Translator) -> Iterator[Translator]:
    open_lines(translator, SAME, OTHER, SAME)
    yield translator
    translator.close_document("h")


def test_a_sentence_is_not_in_its_own_history(opened: Translator) -> None:
    draft = opened.translate("h", "0", EVERY).text
    explained = opened.explain("h", "0", CONFIRMED, options=EVERY)
    opened.remember("h", "0", CONFIRMED)
    assert "Zebras" in opened.translate("h", "2", EVERY).text, "a history can be seen"
    assert opened.translate("h", "0", EVERY).text == draft
    assert not any(section.entries for section in opened.memory("h", "0").sections if section.of_segments)
    again = opened.explain("h", "0", CONFIRMED, options=EVERY)
    assert [token.log_probability for token in again.tokens] == [
        token.log_probability for token in explained.tokens
    ]
    assert [token.uses for token in again.tokens] == [token.uses for token in explained.tokens]


@pytest.mark.slow
def test_a_reopened_document_begins_without_a_history(opened: Translator) -> None:
    fresh = [opened.translate("h", str(number), GREEDY).text for number in range(3)]
    opened.remember("h", "0", CONFIRMED)
    assert "Zebras" in opened.translate("h", "2", GREEDY).text
    open_lines(opened, SAME, OTHER, SAME)
    assert [opened.translate("h", str(number), GREEDY).text for number in range(3)] == fresh


@pytest.mark.slow
def test_documents_in_a_batch_have_separate_histories(opened: Translator) -> None:
    alone = opened.translate("h", "0", GREEDY).text
    ((_, after_other),) = opened.corpus(1).translate([[OTHER, SAME]], GREEDY)
    for batch in (1, 8):
        found = opened.corpus(batch).translate(
            [[SAME, SAME], [SAME, SAME], [OTHER, SAME]],
            GREEDY,
            [[CONFIRMED, None], [None, None], [None, CONFIRMED]],
        )
        assert "Zebras" in found[0][1]
        assert [found[0][0], *found[1], found[2][1]] == [alone, alone, alone, after_other]
