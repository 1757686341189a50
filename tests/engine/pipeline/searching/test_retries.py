"""New searches for drafts that lost something or repeat themselves."""

from __future__ import annotations

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.types import SearchOptions, SourceSegment


@pytest.mark.parametrize("beam", [1, 5])
def test_unknown_latin_words_are_carried_over(translator: Translator, beam: int) -> None:
    words = ["Qwazzle", "Orrùbek", "zvenimor"]
    sources = [f"请用 {word} 模块打开文件，不要关闭它。" for word in words]
    drafts = translator.corpus().translate([sources], SearchOptions(beam_size=beam))[0]
    assert all(word in draft for word, draft in zip(words, drafts, strict=True)), drafts


def test_a_word_with_another_confirmed_spelling_is_not_required(translator: Translator) -> None:
    sources = [f"请用 Qwazzle 模块打开{thing}。" for thing in ("文件", "目录")]
    translator.open_document("words", [SourceSegment(str(n), text) for n, text in enumerate(sources)])
    options = SearchOptions(beam_size=1)
    assert "Qwazzle" in translator.translate("words", "1", options).text
    translator.remember("words", "0", "Please use the quick module to open the file.")
    after = translator.translate("words", "1", options)
    assert "Qwazzle" not in (after.withheld or after.text)
    translator.forget("words", "0")
    assert "Qwazzle" in translator.translate("words", "1", options).text
    translator.close_document("words")


@pytest.mark.slow
def test_a_long_list_of_numbers_is_carried_over(translator: Translator) -> None:
    numbers = [str(1000 + 37 * n) for n in range(14)]
    source = "，".join(f"{number}表示第{place}个词对应的编号" for place, number in enumerate(numbers)) + "。"
    translator.open_document("numbers", [SourceSegment("1", source)])
    draft = translator.translate("numbers", "1", SearchOptions(beam_size=1)).text
    translator.close_document("numbers")
    kept = sum(number in draft for number in numbers)
    assert kept >= 12, draft
