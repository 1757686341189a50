"""Recurring names and terms are proposed with possible renderings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from anaphora.core.long_work import CancelledError, LongWork
from anaphora.core.segment import Segment
from anaphora.features.terms.first_sight import (
    Candidate,
    FoundIn,
    WordDraft,
    propose,
    with_drafts,
)
from anaphora.features.terms.phrases import PhraseKind
from anaphora.features.terms.requests import word_drafts
from anaphora.features.terms.word_book import WordBook, read_names
from anaphora.system.locations import known_names
from anaphora_nmt.errors import Cancelled

sys.path.insert(0, str(Path(__file__).parents[3] / "golden"))
from first_terms.annotation import annotated, judged, pairs_of


@pytest.fixture(scope="module")
def book(dictionary) -> WordBook:
    return WordBook(dictionary, read_names(known_names("zh", "en")))


def segments_of(*sources: str) -> list[Segment]:
    return [Segment(str(number), source) for number, source in enumerate(sources)]


def proposed(book: WordBook, *sources: str, **given) -> dict[str, Candidate]:
    return {each.text: each for each in propose(segments_of(*sources), book, **given)}


def test_annotated_terms_are_proposed_and_few_others(book) -> None:
    names = found_names = needed = missed = candidates = nonsense = 0
    for document, known in annotated().items():
        sources = [source for source, _ in pairs_of(document)]
        texts = [each.text for each in propose(segments_of(*sources), book)]
        assert len(set(texts)) == len(texts)
        found = judged(known, texts, "\n".join(sources))
        every = [each for each in known.values() if each.is_needed]
        names += sum(each.is_name for each in every)
        found_names += sum(each.is_name for each in every) - sum(each.is_name for each in found.missed)
        needed, missed = needed + len(every), missed + len(found.missed)
        candidates, nonsense = candidates + found.proposed, nonsense + len(found.nonsense)
    assert names > 30 and needed > 100
    assert found_names >= 0.9 * names
    assert needed - missed >= 0.9 * needed
    assert nonsense <= 0.2 * candidates


@pytest.mark.parametrize(
    ("text", "kind", "rendering"),
    [
        ("林秋生", PhraseKind.PERSON, "Lin Qiusheng"),
        ("欧阳建平", PhraseKind.PERSON, "Ouyang Jianping"),
        ("桥弄街", PhraseKind.PLACE, "Qiaonong Street"),
        ("拱墅区", PhraseKind.PLACE, "Gongshu District"),
        ("深圳", PhraseKind.PLACE, "Shenzhen"),
        (
            "杭州澄湖餐饮管理有限公司",
            PhraseKind.ORGANISATION,
            "Hangzhou Chenghu Catering Management Co., Ltd.",
        ),
        ("苏州仲裁委员会", PhraseKind.ORGANISATION, "Suzhou Arbitration Commission"),
        ("恒信监理", PhraseKind.ORGANISATION, "Hengxin Supervision"),
        ("云帆协同平台", PhraseKind.PRODUCT, "Yunfan Collaboration Platform"),
        ("甲方", PhraseKind.TERM, "Party A"),
        ("源代码", PhraseKind.TERM, "source code"),
    ],
)
def test_candidates_have_a_kind_and_renderings(book, text: str, kind: PhraseKind, rendering: str) -> None:
    document = next(name for name, known in annotated().items() if text in known)
    found = proposed(book, *(source for source, _ in pairs_of(document)))
    assert (found[text].kind, found[text].renderings[0]) == (kind, rendering)
    assert found[text].is_sure


def test_a_word_of_the_dictionary_is_not_a_person(book) -> None:
    found = proposed(book, "语法高亮支持。", "高亮可以关闭。", "林秋生签字。", "甲方：林秋生")
    kinds = {text: each.kind for text, each in found.items()}
    assert kinds.get("高亮") is not PhraseKind.PERSON and kinds["林秋生"] is PhraseKind.PERSON


def test_a_given_name_that_also_occurs_alone_is_proposed(book) -> None:
    found = proposed(book, "林晓月回来了。", "晓月笑了。", "林晓月走了。", "晓月哭了。")
    assert [found[name].renderings[0] for name in ("林晓月", "晓月")] == ["Lin Xiaoyue", "Xiaoyue"]


def test_rare_words_and_known_terms_are_not_proposed(book) -> None:
    sources = ("甲方：林秋生", "甲方应支付质保金。", "乙方应退还质保金。", "林秋生签字。")
    found = proposed(book, *sources, known={"甲方"})
    assert "林秋生" in found and "质保金" in found
    assert "甲方" not in found and "乙方" not in found
    assert found["质保金"].count == 2
    assert (found["质保金"].segment, found["质保金"].example) == ("1", sources[1])


def test_the_models_rendering_comes_last() -> None:
    def of(text: str, source: FoundIn, *renderings: str) -> Candidate:
        return Candidate(text, PhraseKind.TERM, 2, "1", "", renderings, source)

    given = [
        of("商铺", FoundIn.DICTIONARY, "store", "shop"),
        of("租赁期", FoundIn.NONE),
        of("质保金", FoundIn.NONE),
        of("施工图", FoundIn.DICTIONARY, "construction drawing"),
    ]
    drafts = {
        "商铺": WordDraft("Shops.", 0.3),
        "租赁期": WordDraft("Lease period", 0.7),
        "质保金": WordDraft("private gold", 0.16),
        "施工图": WordDraft("REST plans", 0.6),
    }
    shop, lease, retention, drawing = with_drafts(given, drafts)
    assert (shop.renderings, shop.source, shop.is_sure) == (("shop", "store"), FoundIn.AGREED, True)
    assert (lease.renderings, lease.source, lease.is_sure) == (("lease period",), FoundIn.MODEL, False)
    assert retention.renderings == ()
    assert drawing.renderings == ("construction drawing", "REST plans")


def test_a_verb_with_its_object_is_not_a_term(book) -> None:
    found = proposed(book, "客户不得启动服务器。", "服务商应当启动服务器。", "运维人员可以启动服务器。")
    assert "服务器" in found
    assert "启动服务器" not in found


def test_the_search_can_be_cancelled(book) -> None:
    work = LongWork()
    work.cancel()
    with pytest.raises(CancelledError):
        propose(segments_of("甲方：林秋生"), book, step=work.step)


def test_an_interruption_keeps_drafted_words() -> None:
    asked: list[str] = []
    answers: list[object] = []
    interruptions = [True]

    def translate(document: str, segment: str, options: object, stop: object) -> SimpleNamespace:
        asked.append(segment)
        if segment == "1" and interruptions:
            interruptions.pop()
            raise Cancelled("something more urgent")
        return SimpleNamespace(text=f"word {segment}", quality=None)

    translator = SimpleNamespace(
        open_document=lambda *given: None, close_document=lambda *given: None, translate=translate
    )
    context: Any = SimpleNamespace(translator=translator, memoryless_options=None, stop=lambda: False)
    request = word_drafts("1", ["押金", "租金"], lambda drafts: None)
    with pytest.raises(Cancelled):
        request.run(context, answers.append)
    request.run(context, answers.append)
    assert asked == ["0", "1", "1"]
    assert answers == [{"押金": WordDraft("word 0", 0.0), "租金": WordDraft("word 1", 0.0)}]


def test_candidates_are_deterministic() -> None:
    code = (
        "import sys; from pathlib import Path; from anaphora.core.segment import Segment\n"
        "from anaphora.features.terms.first_sight import propose\n"
        "from anaphora.features.terms.word_book import WordBook\n"
        "lines = Path(sys.argv[1]).read_text('utf-8').splitlines()\n"
        "segments = [Segment(str(number), line) for number, line in enumerate(lines)]\n"
        "print(*(ascii(each.text) for each in propose(segments, WordBook(None, {}))))"
    )
    document = Path(__file__).parents[3] / "golden" / "first_terms" / "software.txt"

    def listed(seed: str) -> str:
        # The order of a set differs from process to process.
        found = subprocess.run(
            [sys.executable, "-c", code, str(document)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        return found.stdout

    assert len(listed("1").split()) > 20
    assert listed("1") == listed("2")
