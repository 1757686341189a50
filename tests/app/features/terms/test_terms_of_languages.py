"""Recurring terms of documents in other languages than Chinese, by the project's languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from anaphora.core.languages import language_of
from anaphora.core.segment import Segment
from anaphora.features.terms.consistency import recurring_terms
from anaphora.features.terms.renderings import stretches_of
from anaphora.features.terms.word_book import WordBook
from anaphora_nmt.data.corpus import read_documents

GOLDEN = Path(__file__).parents[3] / "golden" / "genres"
TEXTS = {
    "en": (
        "The supplier delivers the goods.",
        "The buyer checks the goods.",
        "Both parties sign the purchase contract.",
        "The purchase contract ends.",
        "The supplier signs the goods off.",
        "Whether the purchase contract ends is open.",
        "The supplier and the buyer may sign, and the buyer signs, too.",
    ),
    "de": (
        "Der Lieferant liefert die Ware.",
        "Der Käufer prüft die Ware und den Vertrag.",
        "Der Vertrag endet.",
        "Der Lieferant haftet für die Ware, und der Käufer zahlt.",
        "Der Käufer kündigt den Vertrag dem Lieferant.",
    ),
    "fr": (
        "Le vendeur livre la marchandise.",
        "L'acheteur vérifie la marchandise.",
        "Le vendeur garde la marchandise.",
        "L'acheteur paie le vendeur.",
        "L'acheteur signe.",
    ),
    "ja": (
        "売主は商品を三十日以内に引き渡す。",
        "買主は商品を検査する。",
        "売主は秘密情報を開示しない。",
        "秘密情報は買主に属する。",
        "買主は秘密情報を保持する。",
        "売主の商品。",
    ),
    "th": (
        "ผู้ขายส่งมอบสินค้า",
        "ผู้ซื้อตรวจสอบสินค้า",
        "ผู้ขายรับผิดชอบต่อสินค้า",
        "ผู้ซื้อชำระเงิน",
        "ผู้ซื้อและผู้ขาย",
    ),
    "ko": (
        "판매자는 상품을 인도한다.",
        "구매자는 상품을 검사한다.",
        "판매자가 상품의 대금을 받는다.",
        "구매자와 판매자",
        "구매자의 책임",
    ),
}
NO_BOOK = WordBook(None, {})
TERMS = {
    "en": {"supplier", "goods", "buyer", "purchase contract"},
    "de": {"Lieferant", "Ware", "Käufer", "Vertrag"},
    "fr": {"vendeur", "marchandise", "acheteur"},
    "ja": {"売主", "買主", "商品", "秘密情報"},
    "th": {"ผู้ขาย", "ผู้ซื้อ", "สินค้า"},
    "ko": {"판매자", "구매자", "상품"},
}


def segments(texts: Sequence[str]) -> list[Segment]:
    return [Segment(str(number), text) for number, text in enumerate(texts)]


@pytest.mark.parametrize("code", [*TEXTS])
def test_terms_are_found_in_the_language_of_the_project(code: str) -> None:
    sources = segments(TEXTS[code])
    found = recurring_terms(sources, NO_BOOK, language_of(code))
    assert {term.text for term in found} == TERMS[code]
    for term in found:
        holders = tuple(each.id for each in sources if stretches_of(term.text, each.source))
        assert term.segments == holders and term.count >= 3, term


def test_an_english_contract_has_its_terms() -> None:
    (contract,) = read_documents(GOLDEN / "contract.jsonl")
    found = recurring_terms(segments([target for _, target in contract.pairs]), NO_BOOK, language_of("en"))
    texts = [term.text for term in found]
    assert {"contract", "Party A", "Party B"} <= {*texts} and "shall" not in texts and "the" not in texts


def test_unknown_languages_have_no_terms() -> None:
    assert recurring_terms(segments(["abc abc."] * 4), NO_BOOK, language_of("xx")) == ()
    assert recurring_terms(segments(["ສັນຍາ"] * 4), NO_BOOK, language_of("lo")) == ()
