"""Words in scripts without spaces."""

from __future__ import annotations

from itertools import pairwise

import pytest

from anaphora_text.unspaced import may_end_before, word_edges


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("供应商在三十天内交付产品。", "供应商 在 三十天 内 交付 产品"),
        ("用os.path函数", "用 os.path 函数"),
        ("人々は契約に署名しました。", "人々 は 契約 に 署名 し まし た"),
        ("ผู้ซื้อชำระเงินภายในสิบวัน", "ผู้ซื้อ ชำระเงิน ภายใน สิบ วัน"),
        ("ສັນຍາ", "ສ ັ ນ ຍ າ"),
    ],
)
def test_words_are_found_in_each_script(text: str, expected: str) -> None:
    edges = sorted(word_edges(text))
    assert [text[start:end] for start, end in pairwise(edges)] == expected.split()


@pytest.mark.parametrize(
    ("letter", "may_end"), [("字", True), ("か", True), ("가", True), ("a", False), ("д", False)]
)
def test_a_word_may_end_beside_letters_of_unspaced_scripts_and_of_korean(letter: str, may_end: bool) -> None:
    assert may_end_before(letter) is may_end
