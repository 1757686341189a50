"""Terms in drafts of the real default model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.types import SearchOptions, SourceSegment, SourceTerm

LINES = [
    "缓存保存每个区块的状态。",
    "每个节点读取{1}缓存{/1}，然后更新缓存。",
    "使用 https://example.org/cache 打开缓存（缓存是可选的）。",
    "没有术语。",
]
NO_MEMORY = SearchOptions(memories={"continuous_cache": False, "word_caches": False, "confirmed": False})


@pytest.fixture()
def opened(translator: Translator) -> Iterator[Translator]:
    translator.open_document("t", [SourceSegment(str(n), line) for n, line in enumerate(LINES)])
    yield translator
    translator.close_document("t")


def terms(line: str, text: str, *forms: str, forbidden: tuple[str, ...] = ()) -> list[SourceTerm]:
    return [
        SourceTerm(start, start + len(text), forms, forbidden)
        for start in range(len(line))
        if line.startswith(text, start)
    ]


def draft(translator: Translator, number: int, given: list[SourceTerm], beam: int = 5) -> str:
    options = SearchOptions(beam_size=beam, memories=NO_MEMORY.memories)
    return translator.translate("t", str(number), options, terms=given).text


@pytest.mark.slow
def test_an_empty_list_of_terms_has_no_effect(opened: Translator) -> None:
    assert draft(opened, 0, []) == opened.translate("t", "0", NO_MEMORY).text
    unused = [SourceTerm(0, 2, (), ("zebra",))]
    assert draft(opened, 0, unused) == draft(opened, 0, [])


@pytest.mark.slow
def test_an_improbable_term_replaces_the_models_word(opened: Translator) -> None:
    line = "删除缓存中的文件。"
    opened.open_document("t", [SourceSegment("0", line)])
    plain = draft(opened, 0, [])
    assert "cache" in plain.lower()
    text = draft(opened, 0, terms(line, "缓存", "larder", "larders"))
    assert "larder" in text.lower() and "cache" not in text.lower()
    assert len(text.split()) <= len(plain.split()) + 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "source", "own"),
    [
        ("该函数返回张量的形状。", "张量", "tensor"),
        ("如果缓存已满，则删除最旧的条目。", "缓存", "cache"),
        ("它在二维不可压缩流动中的涡度形式如下：", "涡度", None),
    ],
)
def test_a_very_improbable_term_is_substituted_in_the_models_draft(
    opened: Translator, line: str, source: str, own: str | None
) -> None:
    """A search with this requirement writes a different and worse sentence."""
    opened.open_document("t", [SourceSegment("0", line)])
    plain, text = draft(opened, 0, []), draft(opened, 0, terms(line, source, "bramble", "brambles"))
    assert "bramble" in text and (own is None or text.replace("bramble", own) == plain)


@pytest.mark.slow
def test_a_term_is_substituted_without_help_from_attention(opened: Translator) -> None:
    """A search with both requirements wrote "Editing lantern lantern hoard"."""
    line = "编辑图层"
    opened.open_document("t", [SourceSegment("0", line)])
    given = terms(line, "编辑", "lantern", "lanterns") + terms(line, "图层", "hoard", "hoards")
    assert draft(opened, 0, given).lower() == "lantern hoards"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "own", "wanted"),
    [("条目", "oldest entry is", "oldest kettle is"), ("图表", "all charts", "all kettles")],
)
def test_a_term_gets_the_number_of_the_replaced_word(
    opened: Translator, source: str, own: str, wanted: str
) -> None:
    line = "如果缓存已满，则删除最旧的条目。" if source == "条目" else "显示所有图表。"
    opened.open_document("t", [SourceSegment("0", line)])
    assert own in draft(opened, 0, []).lower()
    assert wanted in draft(opened, 0, terms(line, source, "kettle", "kettles")).lower()


@pytest.mark.slow
def test_forbidden_translations_do_not_change_the_rest_of_a_sentence(opened: Translator) -> None:
    """Without its own word the model uses "accuracy" for 性能, and the term is elsewhere."""
    line = "模型的性能取决于数据。"
    opened.open_document("t", [SourceSegment("0", line)])
    (free,) = terms(line, "性能", "bramble", "brambles")
    held = replace(free, forbidden=("performance", "performances"))
    wanted = draft(opened, 0, []).replace("performance", "bramble")
    assert "bramble" in wanted and draft(opened, 0, [held]) == draft(opened, 0, [free]) == wanted


BESIDE = [
    ("账本", "ledger", "tally", "每个节点保存账本的副本。"),
    ("列表", "list", "orchard", "将常用的词添加到列表中。"),
    ("文本", "text", "tally", "选择选中的文本。"),
    ("空格", "space", "harbour", "附加空格字符"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("word", "own", "term", "line"), BESIDE)
def test_the_models_own_word_does_not_stand_beside_a_term(
    opened: Translator, word: str, own: str, term: str, line: str
) -> None:
    opened.open_document("t", [SourceSegment("0", line)])
    assert own in draft(opened, 0, []).lower()
    text = draft(opened, 0, terms(line, word, term, f"{term}s")).lower()
    assert term in text and own not in text


def test_forbidden_translations_are_avoided(opened: Translator) -> None:
    text = draft(opened, 0, terms(LINES[0], "缓存", forbidden=("cache", "caches", "cached")))
    assert "cache" not in text.lower() and len(text.split()) >= 4


@pytest.mark.slow
def test_clashing_words_never_precede_a_form(opened: Translator) -> None:
    line = "双方当事人应当协商。"
    opened.open_document("t", [SourceSegment("0", line)])
    (term,) = terms(line, "双方", "both parties")
    assert "the both parties" in draft(opened, 0, [term]).lower()
    better = draft(opened, 0, [replace(term, clashes=("the both", "two both"))])
    assert "both parties" in better.lower() and "the both" not in better.lower()


def test_protected_strings_do_not_change(opened: Translator) -> None:
    text = draft(opened, 2, terms(LINES[2], "cache", "hoard") + terms(LINES[2], "缓存", "larder", "larders"))
    assert "https://example.org/cache" in text and text.lower().count("larder") == 2


def test_each_part_of_a_source_has_its_terms(opened: Translator) -> None:
    line = "每个节点读取缓存。\n\n缓存保存区块的状态。"
    opened.open_document("t", [SourceSegment("0", line)])
    text = draft(opened, 0, terms(line, "缓存", "larder", "larders"))
    assert all("larder" in part.lower() for part in text.split("\n\n")) and text.count("\n\n") == 1
