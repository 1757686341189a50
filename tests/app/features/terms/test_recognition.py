"""Terms in Chinese texts, and their forms in English texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.usage import Verdict, check_terms, occurrences
from anaphora_text.inflections import certain_forms, inflections

MARKS = ("{1}", "{/1}")


def recogniser(*terms: str) -> Recogniser:
    return Recogniser(TermEntry(term, (TargetTerm("x"),)) for term in terms)


def found(text: str, *terms: str) -> list[str]:
    return [text[each.start : each.end] for each in recogniser(*terms).find(text, MARKS)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("数据库中的数据", ["数据"]),
        ("地图中的图如下图所示", ["图", "图"]),
        ("奋发图强的张图强", []),
        ("供应商品", []),
        ("甲方应当向供应商付款", ["甲方", "供应商"]),
        ("各签约方", ["签约方"]),
        ("Tensor与TensorFlow及ＴＥＮＳＯＲ，tensor_1", ["Tensor", "ＴＥＮＳＯＲ"]),
        ("数据集有数据，没有数据收集器", ["数据", "数据"]),
        ("没有", []),
        ("", []),
    ],
)
def test_terms_are_found_as_whole_words(text: str, expected: list[str]) -> None:
    assert found(text, "数据", "图", "甲方", "供应商", "签约方", "tensor") == expected


@pytest.mark.parametrize(
    ("text", "terms", "expected"),
    [
        (
            "契約書は両当事者が署名する。データベースの契約",
            ["データ", "署名", "契約"],
            ["契約", "署名", "契約"],
        ),
        ("カメラの設定を変更する", ["カメラ", "設定", "定を"], ["カメラ", "設定"]),
        ("คู่สัญญาทั้งสองฝ่ายลงนามในสัญญา", ["สัญญา"], ["สัญญา"]),
        ("Договоры и договор, предоговор", ["договор"], ["договор"]),
        ("계약은 두 당사자가 서명한다", ["계약", "당사자"], ["계약", "당사자"]),
        ("这台カメラ的数据库中的数据", ["数据", "カメラ"], ["カメラ", "数据"]),
    ],
)
def test_other_languages_are_cut_into_their_words(text: str, terms: list[str], expected: list[str]) -> None:
    assert found(text, *terms) == expected


def test_a_term_is_found_in_a_phrase_of_the_dictionary() -> None:
    assert found("本合同生效后解除合同", "合同") == ["合同", "合同"]
    assert found("小女孩在操作系统中", "女孩", "操作", "系统") == ["女孩", "系统"]
    terms = ["甲方", "质保期", "工作日", "采购方", "附件一", "验收"]
    assert found("甲方向其保证，质保期内5个工作日内，采购方有权按附件一所列经验收合格", *terms) == terms
    assert found("国内外服务期限，附件十一，证券交易所", "国内", "服务期", "附件十", "证券交易", "交易") == []


def test_the_longest_term_that_ends_with_a_word_is_found() -> None:
    text = "自动微分与微分，损失函数值"
    assert found(text, "微分", "自动微分", "函数", "损失", "损失函数") == ["自动微分", "微分", "损失函数"]
    assert found("世界状态机", "状态", "世界状态", "界状", "世界") == ["世界"]
    assert found("保存数据库", "保存数据", "保存") == ["保存"]


def test_a_term_may_have_a_tag_inside() -> None:
    text = "训练{1}损失{/1}函数。"
    assert found(text, "损失函数") == ["损失{/1}函数"]
    assert found("集合{2}合{/2}", "集合") == ["集合"], "only the segment's tags are skipped"


def test_entries_of_one_term_are_found_together() -> None:
    one, two = (
        TermEntry("细胞", (TargetTerm("cell"),), domain="a"),
        TermEntry("细胞", (TargetTerm("C"),), domain="b"),
    )
    (term,) = Recogniser([one, two]).find("细胞")
    assert term.entries == (one, two)


@settings(max_examples=60, deadline=None)
@given(st.text("数据库图地中的aB1，{}/", max_size=30))
def test_found_terms_do_not_overlap(text: str) -> None:
    terms = recogniser("数据", "数据库", "图", "ab", "地图").find(text)
    for term in terms:
        assert text[term.start : term.end].lower() == term.entries[0].source
    assert all(one.end <= two.start for one, two in pairwise(terms))


@pytest.mark.parametrize(
    ("term", "forms"),
    [
        ("ledger", {"ledger", "ledgers"}),
        ("analysis", {"analysis", "analyses"}),
        ("policies", {"policy", "policies"}),
        ("Party A", {"Party A"}),
        ("loss function", {"loss function", "loss functions"}),
        ("API", {"API", "APIs"}),
        ("Kubernetes", {"Kubernetes"}),
        ("index", {"index", "indexes", "indices", "indexed", "indexing"}),
        ("节点", {"节点"}),
    ],
)
@pytest.mark.slow
def test_inflected_forms_count_as_used(term: str, forms: set[str]) -> None:
    assert set(inflections(term)) == forms


def test_the_first_word_of_a_phrase_may_be_a_verb() -> None:
    assert {"running tests", "ran tests", "run test"} <= set(inflections("run tests"))


@pytest.mark.parametrize(
    ("term", "more"),
    [
        ("account book", {"account books"}),
        ("log in", {"logs in", "logged in", "logging in"}),
        ("take effect", {"takes effect", "took effect", "taken effect", "taking effect", "take effects"}),
        ("cache", {"caches", "cached", "caching"}),
        ("warning", {"warnings"}),
        ("Party A", set()),
    ],
)
def test_drafts_must_use_only_certain_forms(term: str, more: set[str]) -> None:
    assert set(certain_forms(term)) == {term, *more}


def test_target_terms_are_whole_words_of_any_case() -> None:
    assert occurrences("node", "Nodes, a node's nodeset; NODE") == ((0, 5), (9, 13), (25, 29))
    assert occurrences("world state", "The world\nstates") == ((4, 16),)
    assert occurrences("节点", "每个节点读取") == ((2, 4),)


@pytest.mark.parametrize(
    ("target", "verdict", "spans"),
    [
        ("Two caches are kept.", Verdict.USED, ((4, 10),)),
        ("Two buffers are kept.", Verdict.USED, ((4, 11),)),
        ("Two stores are kept.", Verdict.IGNORED, ()),
        ("The cached cash is kept.", Verdict.FORBIDDEN, ((11, 15),)),
        ("A cash cache is kept.", Verdict.FORBIDDEN, ((2, 6),)),
        ("The cash buffer is kept.", Verdict.FORBIDDEN, ((4, 8),)),
        ("A memory cache is kept.", Verdict.USED, ((2, 14), (9, 14))),
        ("A memory is kept.", Verdict.FORBIDDEN, ((2, 8),)),
    ],
)
def test_verdicts_on_terms(target: str, verdict: Verdict, spans: tuple[tuple[int, int], ...]) -> None:
    cache = TermEntry(
        "缓存",
        (
            TargetTerm("cache"),
            TargetTerm("buffer", Usage.ADMITTED),
            TargetTerm("memory cache", Usage.ADMITTED),
            TargetTerm("cash", Usage.FORBIDDEN),
            TargetTerm("memory", Usage.FORBIDDEN),
        ),
    )
    (use,) = check_terms(Recogniser([cache]).find("缓存保存缓存"), target)
    assert (use.verdict, use.spans) == (verdict, spans)


def test_a_term_with_only_forbidden_translations_is_never_ignored() -> None:
    entry = TermEntry("缓存", (TargetTerm("cash", Usage.FORBIDDEN),))
    found = Recogniser([entry]).find("缓存")
    assert check_terms(found, "It is kept.")[0].verdict is Verdict.USED
    assert check_terms(found, "Cash")[0].verdict is Verdict.FORBIDDEN


def test_a_negated_term_is_not_used() -> None:
    found = Recogniser([TermEntry("不可抗力", (TargetTerm("force majeure"),))]).find("不可抗力")
    assert check_terms(found, "Non force majeure")[0].verdict is Verdict.IGNORED
    assert check_terms(found, "Because of force majeure")[0].verdict is Verdict.USED
    for source, verdict in (("不可抗力条款", Verdict.IGNORED), ("没有不可抗力条款", Verdict.USED)):
        found = Recogniser([TermEntry("不可抗力", (TargetTerm("force majeure"),))]).find(source)
        assert check_terms(found, "No force majeure clause", source)[0].verdict is verdict
