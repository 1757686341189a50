"""The direction of texts, and the languages of a document."""

from __future__ import annotations

import pytest

from anaphora.core.language_pair import LanguagePair, Pair, is_right_to_left, pair_of
from anaphora.core.segment import Segment, SegmentState, Status


def pair(source: str, target: str, number: int = 0) -> Segment:
    return Segment(str(number), source, SegmentState(target, Status.EDITED))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("نحن بحاجة", True),
        ("שלום", True),
        ("12 — «نحن»", True),
        ("{1}نحن{/1} English", True),
        ("English نحن", False),
        ("中文", False),
        ("", False),
        ("123 …", False),
    ],
)
def test_the_first_letter_decides(text: str, expected: bool) -> None:
    assert is_right_to_left(text) is expected


def test_a_text_without_letters_has_the_direction_of_its_document() -> None:
    assert is_right_to_left("123", True) and is_right_to_left("", True)


def test_targets_decide_the_direction_of_a_document() -> None:
    assert pair_of([]) == pair_of([pair("更新", "")]) == pair_of([pair("更新", "Update")]) == Pair()
    assert pair_of([pair("Open", "打开"), pair("Close", "关闭"), pair("OK", "OK")]).is_reversed
    assert not pair_of([pair("我们需要更新。", "We need it."), pair("Close", "关闭")]).is_reversed
    assert pair_of([pair("更新", "تحديث"), pair("账本", "")]) == Pair(
        right_to_left=True, has_foreign_targets=True
    )


def test_targets_in_another_language_are_recognised_by_their_letters() -> None:
    arabic = pair("使用 TensorFlow。", "استخدم TensorFlow الآن في هذا النموذج.")
    assert pair_of([arabic, pair("张量", "")]).has_foreign_targets
    assert not pair_of([pair("张量", "Tensor"), pair("更新", "تحديث")]).has_foreign_targets, "one of two"
    assert not pair_of([pair("张量", "{1}"), pair("张量 2", "2")]).has_foreign_targets, "no letters"
    assert not pair_of([pair("更新", "تحديث")], LanguagePair("zh", "ar")).has_foreign_targets


def test_documents_are_judged_by_the_languages_of_the_project() -> None:
    into_chinese, into_arabic = LanguagePair("en", "zh"), LanguagePair("en", "ar")
    assert pair_of([pair("Open", "打开")], into_chinese) == Pair(languages=into_chinese)
    against = pair_of([pair("更新", "Update")], into_chinese)
    assert against.is_reversed and against.of_texts == LanguagePair("zh", "en")
    assert pair_of([pair("Open", "")], into_arabic).right_to_left, "even before anything is translated"
    assert not pair_of([pair("Open", "Open it")], into_arabic).right_to_left


def test_a_document_without_letters_of_its_language_is_foreign() -> None:
    assert (
        pair_of([pair("Open", "")]).has_foreign_sources
        and pair_of([pair("Open", "Open")]).has_foreign_sources
    )
    assert not pair_of([pair("123", "")]).has_foreign_sources and not pair_of([]).has_foreign_sources
    assert not pair_of([pair("Open", ""), pair("打开", "")]).has_foreign_sources
    assert not pair_of([pair("Open", "Geöffnet")]).has_foreign_sources
