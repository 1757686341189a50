"""Recurring terms, their renderings, and the chosen rendering."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from anaphora.core.consistency import Origin, Rendering, Term, TermReport
from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.terms.consistency import find_renderings, recurring_terms, with_choices
from anaphora.features.terms.renderings import reconcile, renderings_of
from anaphora.features.terms.word_book import WordBook, open_word_book
from anaphora.system.locations import glossary
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import (
    Explanation,
    MemoryVersion,
    MemoryView,
    SourceWord,
    StretchInfluence,
    TokenTrace,
)

VERSION = MemoryVersion("d", 1)
GOLDEN = Path(__file__).parents[3] / "golden" / "genres"


def segment(identifier: str, source: str, target: str = "", status: Status = Status.DRAFT) -> Segment:
    return Segment(identifier, source, SegmentState(target, status if target else Status.NOT_STARTED))


@cache
def book() -> WordBook:
    return open_word_book(glossary("zh", "en"), None)


def terms_of(segments: Iterable[Segment]) -> tuple[Term, ...]:
    return recurring_terms(segments, book())


def explain(identifier: str, source: str, target: str, links: dict[str, str]) -> Explanation:
    """An explanation whose attention links some target words to source words."""
    words: list[SourceWord] = []
    for word in source.split("|"):
        start = sum(len(each.word) for each in words)
        words.append(SourceWord(word, start, start + len(word)))
    tokens = []
    position = 0
    for word in target.split() if " " in target else target:
        start = target.index(word, position)
        position = start + len(word)
        goal = links.get(word)
        spread = 1 / len(words)
        attention = tuple(0.9 if w.word == goal else 0.02 if goal else spread for w in words)
        tokens.append(TokenTrace(word, start, position, -1.0, attention))
    return Explanation(identifier, target, tuple(words), tuple(tokens), MemoryView(identifier, VERSION))


@pytest.fixture
def document() -> Document:
    return Document(
        "a.txt",
        [
            segment("1", "缓存保存最近的词。", "The cache keeps recent words."),
            segment("2", "清空缓存。", "Clear the buffer."),
            segment("3", "缓存的大小。", "Sizes of caches.", Status.CONFIRMED),
            segment("4", "两个缓存。", "Buffers come in twos.", Status.CONFIRMED),
            segment("5", "使用缓存。", "A buffer, an old buffer and buffers."),
            segment("6", "缓存与缓存。"),
        ],
    )


EXPLANATIONS = {
    "1": explain(
        "1", "缓存|保存|最近|的|词|。", "The cache keeps recent words.", {"cache": "缓存", "The": "缓存"}
    ),
    "2": explain("2", "清空|缓存|。", "Clear the buffer.", {"buffer.": "缓存", "the": "缓存"}),
    "3": explain("3", "缓存|的|大小|。", "Sizes of caches.", {"caches.": "缓存", "Sizes": "大小"}),
}


@pytest.mark.slow
def test_terms_recur_in_several_segments(document: Document) -> None:
    terms = {term.text: term for term in terms_of(document)}
    assert terms["缓存"].count == 7
    assert terms["缓存"].segments == ("1", "2", "3", "4", "5", "6")
    assert "大小" not in terms


@pytest.mark.slow
def test_common_words_tags_and_addresses_are_not_terms() -> None:
    source = "如果我们使用 {1}Docker{/1} 方法，the API 见 https://api.example/API 。"
    terms = [term.text for term in terms_of(segment(str(n), source) for n in range(4))]
    assert sorted(terms) == ["API", "Docker"]
    assert terms_of([segment("1", "缓存缓存缓存缓存")]) == ()


def test_the_term_contract_is_found_in_a_contract() -> None:
    """jieba's dictionary has 本合同 and 解除合同 as words, and 合同 as an adjective."""
    (contract,) = read_documents(GOLDEN / "contract.jsonl")
    segments = [segment(str(number), source) for number, (source, _) in enumerate(contract.pairs)]
    first, *others = terms_of(segments)
    assert (first.text, first.count) == ("合同", 15)
    assert first.segments == tuple(each.id for each in segments if "合同" in each.source)
    assert "本合同" not in [term.text for term in others]


@pytest.mark.parametrize("source", ["更新的简单文件。", "很重要，也很简单。"])
def test_an_adjective_is_not_a_term(source: str) -> None:
    found = terms_of(segment(str(number), source) for number in range(4))
    assert {term.text for term in found} <= {"文件"}


def test_words_that_always_occur_together_are_one_term() -> None:
    segments = [segment(str(n), "主题模型决定主题模型的词。") for n in range(3)]
    terms = [term.text for term in terms_of(segments)]
    assert "主题模型" in terms and "主题" not in terms and "模型" not in terms


def test_a_word_with_a_suffix_is_a_separate_term() -> None:
    """数据集 (dataset) is not a second rendering of 数据 (data), though jieba splits it into two words."""
    sources = ["数据集有数据。", "这个数据集没有数据。", "请打开数据集和数据。", "每个迭代器都是迭代器。"]
    terms = {term.text: term.count for term in terms_of(map(segment, "1234", sources))}
    assert terms == {"数据集": 3, "数据": 3}
    twice = terms_of(map(segment, "12", sources[3:] * 2))
    assert [(term.text, term.count) for term in twice] == [("迭代器", 4)]


def test_renderings_come_from_alignments(document: Document) -> None:
    terms = [term for term in terms_of(document) if term.text == "缓存"]
    (report,) = find_renderings(terms, document, EXPLANATIONS)
    assert [(r.text, r.segments) for r in report.renderings] == [("cache", ("1", "3")), ("buffer", ("2",))]
    assert not report.is_consistent


def test_renderings_in_a_text_without_spaces_are_its_words() -> None:
    chinese = Document(
        "",
        [
            segment("1", "This contract ends.", "本合同终止。"),
            segment("2", "Sign the contract.", "签署合同。"),
            segment("3", "The contract and all goods.", "合约与全部货物。"),
            segment("4", "All goods of the contract.", "合同的全部货物。"),
        ],
    )

    def of(identifier: str, source: str, target: str, alignment: dict[str, str]) -> Explanation:
        return explain(identifier, source, target, alignment)

    both = {"货": "goods", "物": "goods", "全": "goods"}
    explanations = {
        "1": of("1", "This |contract| ends.", "本合同终止。", {"合": "contract", "同": "contract"}),
        "2": of("2", "Sign |the |contract|.", "签署合同。", {"合": "contract"}),
        "3": of("3", "The |contract| and |all |goods|.", "合约与全部货物。", both | {"约": "contract"}),
        "4": of("4", "All |goods| of |the |contract|.", "合同的全部货物。", both | {"同": "contract"}),
    }
    terms = [Term("contract", ("1", "2", "3", "4"), 4), Term("goods", ("3", "4"), 2)]
    contract, goods = find_renderings(terms, chinese, explanations)
    assert {each.text: each.segments for each in contract.renderings} == {
        "合同": ("1", "2", "4"),
        "合约": ("3",),
    }
    assert [each.text for each in goods.renderings] == ["全部货物"]


def test_an_explanation_of_another_text_is_ignored(document: Document) -> None:
    terms = [term for term in terms_of(document) if term.text == "缓存"]
    stale = {"1": explain("1", "缓存|保存", "The store keeps.", {"store": "缓存"})}
    (report,) = find_renderings(terms, document, stale)
    assert report.renderings == ()


def test_a_latin_term_is_not_found_inside_another_word() -> None:
    source = "TensorFlow|函数|需要|Tensor|对象|。"
    target = "TensorFlow functions need Tensor objects."
    links = {"TensorFlow": "TensorFlow", "Tensor": "Tensor", "functions": "函数", "objects.": "对象"}
    held = segment("1", source.replace("|", ""), target)
    explained = {"1": explain("1", source, target, links)}
    (report,) = find_renderings([Term("Tensor", ("1",), 1)], [held], explained)
    assert [rendering.text for rendering in report.renderings] == ["Tensor"]


def test_a_term_in_copied_code_and_file_names_is_its_own_rendering() -> None:
    sources = ("打开|options.cdn|。", "options|对象|。", "preview-options")
    targets = ("Open options.cdn.", "The options object.", "preview-options")
    held, explained = [], {}
    for key, source, target in zip("123", sources, targets, strict=True):
        links = {"options.cdn.": "options.cdn", "options": "options", "preview-options": "preview-options"}
        held.append(segment(key, source.replace("|", ""), target))
        explained[key] = explain(key, source, target, links)
    (report,) = find_renderings([Term("options", ("1", "2", "3"), 3)], held, explained)
    assert [(each.text, each.segments) for each in report.renderings] == [("options", ("1", "2", "3"))]


def test_words_with_little_attention_do_not_render_a_term() -> None:
    source, target = "详见|变量|。", "See details."
    explained = explain("1", source, target, {"See": "详见", "details.": "变量"})
    faint = tuple(replace(token, attention=(0.5, 0.25, 0.25)) for token in explained.tokens)
    held = segment("1", source.replace("|", ""), target)
    terms = [Term("变量", ("1",), 1)]
    (clear,) = find_renderings(terms, [held], {"1": explained})
    (unclear,) = find_renderings(terms, [held], {"1": replace(explained, tokens=faint)})
    assert clear.renderings and not unclear.renderings


def test_a_rendering_without_other_occurrences_must_be_clear() -> None:
    source, target = "缓存|满|了|。", "Nothing works here now."
    clear = explain("3", source, target, {"works": "缓存"})
    links = {word: {"cache": "缓存"} for word in ("full", "empty")}
    found = [
        (name, each)
        for name, held in links.items()
        for each in renderings_of("缓存", "缓存满了。", explain(name, source, f"The cache is {name}.", held))
    ]
    tokens = tuple(
        replace(token, attention=(0.45, 0.2, 0.2, 0.15)) if token.word == "works" else token
        for token in clear.tokens
    )
    for explanation, wanted in ((clear, "works"), (replace(clear, tokens=tokens), None)):
        third = [("3", reading) for reading in renderings_of("缓存", "缓存满了。", explanation)]
        assert third[0][1].text == "works"
        said = {each.segment: each.text for each in reconcile([*found, *third])}
        assert said.get("3") == wanted
        assert reconcile(third)[0].text == "works", "the best rendering if no other is known"


@pytest.mark.slow
def test_dictionaries_are_loaded_late_and_silently() -> None:
    script = (
        "import sys, anaphora.features.terms.consistency\n"
        "assert 'jieba' not in sys.modules and 'torch' not in sys.modules\n"
        "from anaphora.core.segment import Segment\n"
        "from anaphora.features.terms.word_book import WordBook\n"
        "anaphora.features.terms.consistency.recurring_terms([Segment('1', '缓存')], WordBook(None, {}))\n"
        "assert 'jieba' in sys.modules\n"
    )
    result = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", script], capture_output=True, timeout=300
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def renderings_in(term: str, *explained: tuple[str, str, dict[str, str]]) -> list[str]:
    """The renderings by alignments, each given as (source words, target, links)."""
    found = []
    for number, (source, target, links) in enumerate(explained):
        explanation = explain(str(number), source, target, links)
        found += [(str(number), each) for each in renderings_of(term, source.replace("|", ""), explanation)]
    return [occurrence.text for occurrence in reconcile(found)]


@pytest.mark.slow
def test_a_rendering_is_corrected_by_other_segments() -> None:
    plain = ("结束|进程", "End the process", {"process": "进程"})
    wide = ("训练|进程", "Training process", {"Training": "进程", "process": "进程"})
    weak: tuple[str, str, dict[str, str]] = ("进程|退出", "The process ends here now", {})
    assert renderings_in("进程", plain, plain, wide) == ["process"] * 3
    assert renderings_in("进程", wide) == ["Training process"]
    assert renderings_in("进程", plain, plain, weak) == ["process"] * 3


@pytest.mark.slow
def test_function_words_are_not_renderings() -> None:
    assert renderings_in(
        "甲方",
        (
            "甲方|付款",
            "Then Party A shall pay",
            {"Party": "甲方", "A": "甲方", "shall": "甲方", "pay": "付款", "After": "付款"},
        ),
    ) == ["Party A"]
    assert renderings_in(
        "妻子", ("妻子|问", "His wife asked", {"His": "妻子", "wife": "妻子", "asked": "问"})
    ) == ["wife"]
    assert (
        renderings_in(
            "租金",
            (
                "租金|五千",
                "shall pay 5000 now",
                {"5000": "租金", "shall": "五千", "pay": "五千", "now": "五千"},
            ),
        )
        == []
    )
    assert renderings_in(
        "信用证",
        (
            "开|信用证",
            "open a letter of credit",
            {"letter": "信用证", "of": "信用证", "credit": "信用证", "open": "开"},
        ),
    ) == ["letter of credit"]
    assert renderings_in(
        "公司", ("公司|收入", "The company's revenue", {"company's": "公司", "revenue": "收入"})
    ) == ["company"]


@pytest.mark.slow
def test_a_word_with_a_hyphen_is_one_rendering() -> None:
    spaced = explain(
        "1", "使用|自动微分|计算。", "Use auto - differentiation here.", {"differentiation": "自动微分"}
    )
    places = ((0, 3), (4, 8), (8, 9), (9, 24), (25, 30))
    tokens = [replace(each, start=a, end=b) for each, (a, b) in zip(spaced.tokens, places, strict=True)]
    explanation = replace(spaced, text="Use auto-differentiation here.", tokens=tuple(tokens))
    (reading,) = renderings_of("自动微分", "使用自动微分计算。", explanation)
    assert reading.text == "auto-differentiation"
    assert renderings_in("自动微分", ("自动|微分", "Automatic Differentiation", {})) == [
        "Automatic Differentiation"
    ]


def test_a_word_inside_a_longer_one_is_not_an_occurrence() -> None:
    links = {"database": "数据库", "data": "数据", "keeps": "保存"}
    assert renderings_in("数据", ("数据库|保存|数据", "The database keeps data", links)) == ["data"]


@pytest.mark.slow
def test_the_lost_probability_shows_the_rendering() -> None:
    """The head is off by a word ("contract"); a verb depends on its subject without rendering it."""
    source, target = "双方|同意|合同|。", "Both parties agreed the contract"
    links = {"Both": "双方", "parties": "双方", "agreed": "同意", "contract": "双方"}
    explanation = explain("1", source, target, links)
    lost = StretchInfluence(0, 2, (4.0, 5.0, 3.0, 0.0, -2.0))
    (reading,) = renderings_of("双方", source.replace("|", ""), replace(explanation, stretches=(lost,)))
    assert reading.text == "Both parties"
    other = replace(lost, words=(0.0, 0.0, 0.0, 0.0, 0.0))
    (weaker,) = renderings_of("双方", source.replace("|", ""), replace(explanation, stretches=(other,)))
    assert max(weaker.mass) < max(reading.mass)


CACHE, BUFFER = Rendering("cache", ("1",), ("cache", "Caches")), Rendering("buffer", ("2", "3"), ("buffer",))
REPORT = TermReport("缓存", (BUFFER, CACHE), 3)


def statuses(*each: Status) -> list[Segment]:
    return [segment(str(number), "缓存", "x", status) for number, status in enumerate(each, 1)]


@pytest.mark.parametrize(
    ("segments", "allowed", "chosen", "origin", "accepted"),
    [
        (statuses(Status.DRAFT, Status.EDITED, Status.LOCKED), (), "buffer", Origin.DRAFT, False),
        (statuses(Status.CONFIRMED, Status.DRAFT, Status.DRAFT), (), "cache", Origin.CONFIRMED, False),
        (statuses(Status.CONFIRMED, Status.CONFIRMED), (), "buffer", Origin.CONFIRMED, False),
        (statuses(Status.CONFIRMED), ("cache", "store"), "cache", Origin.TERM_BASE, False),
        (statuses(Status.CONFIRMED), ("Caches", "a buffer"), "Caches", Origin.TERM_BASE, True),
    ],
)
def test_the_rendering_of_a_term_and_its_origin_are_shown(
    segments: list[Segment], allowed: tuple[str, ...], chosen: str, origin: Origin, accepted: bool
) -> None:
    (found,) = with_choices([REPORT], {"缓存": allowed, "别的": ("other",)}, segments)
    assert found == replace(REPORT, chosen=chosen, origin=origin, accepted=accepted)


def test_untranslated_terms_get_the_term_bases_translation() -> None:
    nothing = TermReport("缓存", (), 2)
    assert with_choices([nothing], {}, statuses(Status.CONFIRMED)) == (nothing,)
    (found,) = with_choices([nothing], {"缓存": ("cache",)}, [])
    assert (found.chosen, found.origin) == ("cache", Origin.TERM_BASE)
    one, two = TermReport("甲", (CACHE,), 9), TermReport("乙", (BUFFER, CACHE), 2)
    assert [each.term for each in with_choices([one, two], {}, [])] == ["乙", "甲"], "several first"


def test_a_rendering_is_as_long_as_in_the_term_base() -> None:
    text = "The buffer cache keeps a node."
    explained = {"1": explain("1", "缓存|保存", text, {"cache": "缓存", "buffer": "保存"})}
    terms, texts = [Term("缓存", ("1", "gone"), 1)], [segment("1", "缓存保存", text)]

    def called(*allowed: str) -> list[str]:
        (found,) = find_renderings(terms, texts, explained, allowed={"缓存": allowed})
        return [each.text for each in found.renderings]

    assert called() == ["cache"] == called("node") == called("store")
    assert called("buffer cache") == ["buffer cache"] == called("node", "buffer cache")
