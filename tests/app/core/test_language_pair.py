"""Texts that fit a project's languages."""

from __future__ import annotations

import pytest

from anaphora.core.language_pair import LanguagePair


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        ("zh", "{1}Linux{/1} 5.10", False),
        ("zho_Hans", "a中b", True),
        ("zh-CN", "，。", False),
        ("ja", "カメラ", True),
        ("ja", "camera", False),
        ("kor_Hang", "한국", True),
        ("ru", "Москва", True),
        ("ru", "Moscow", False),
        ("en", "{1}12 + 3{/1}", False),
        ("en", "Contract no. 3", True),
        ("en", "合同", False),
        ("fra", "été", True),
        ("", "合同", True),
        ("xx", "été", True),
        ("", "3.5 %", False),
    ],
)
def test_text_in_the_source_language_is_translated(language: str, text: str, answer: bool) -> None:
    assert LanguagePair(language, "de").needs_translation(text) is answer


def test_a_pair_fits_unless_only_its_target_is_in_the_source_language() -> None:
    assert LanguagePair("zh", "en").fits("账本", "ledger") and LanguagePair("zh", "en").fits("Git", "Git")
    assert not LanguagePair("zh", "en").fits("ledger", "账本")
    assert LanguagePair("en", "zh").fits("ledger", "账本")
    assert not LanguagePair("ru", "de").fits("Vertrag", "договор")


@pytest.mark.parametrize(
    ("source", "target", "text", "left"),
    [
        ("zh", "en", "The 账本 of the 区块 Git", ["账本", "区块"]),
        ("zh", "en", "The ledger 2.0，", []),
        ("ru", "en", "The договор", ["договор"]),
        ("en", "ru", "договор of Git", []),
        ("en", "de", "Der ledger", []),  # the same letters: undecidable
        ("zh", "ja", "台帳カメラ", []),
        ("ja", "zh", "相机カメラ", ["カメラ"]),
        ("zh", "xx", "账本", []),  # an unknown script
    ],
)
def test_left_over_text_is_in_letters_of_the_source_only(
    source: str, target: str, text: str, left: list[str]
) -> None:
    assert LanguagePair(source, target).untranslated_stretches(text) == left


def test_pairs_with_other_codes_of_the_same_languages_are_alike() -> None:
    pair = LanguagePair("zh", "en")
    assert pair.is_like(LanguagePair("zho_Hans", "en-GB")) and pair.is_like(LanguagePair("zh-CN", "eng"))
    assert not pair.is_like(LanguagePair("en", "zh")) and not pair.is_like(LanguagePair("zh", "de"))


@pytest.mark.parametrize(
    ("source", "target", "held"),
    [
        ("zh", "en", True),
        ("en-US", "zho_Hans", True),
        ("", "en", True),
        ("zh", "", True),
        ("", "", True),
        ("zh", "de", False),
        ("de", "", False),
        ("", "de", False),
        ("zh", "zh", False),
    ],
)
def test_a_pair_holds_texts_in_its_languages_in_either_direction(
    source: str, target: str, held: bool
) -> None:
    assert LanguagePair("zh-CN", "en-GB").has_codes(source, target) is held


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [("zh", "en", False), ("zh", "ja", True), ("en", "de", True), ("ru", "en", False), ("xx", "en", True)],
)
def test_some_languages_share_letters(one: str, other: str, shared: bool) -> None:
    assert LanguagePair(one, other).share_letters is LanguagePair(other, one).share_letters is shared


def test_a_stored_pair_is_read_back() -> None:
    assert LanguagePair.from_text(LanguagePair("ja", "fr").to_text()) == LanguagePair("ja", "fr")
    for damaged in ("", "[1", "7", '["zh"]', '["a", "b", "c"]'):
        assert LanguagePair.from_text(damaged) is None


@pytest.mark.parametrize(
    ("source", "target", "answer"),
    [
        ("zh", "en", True),
        ("zho_Hant", "eng_Latn", True),
        ("zh-CN", "en-GB", True),
        ("en", "zh", False),
        ("zh", "de", False),
        ("ja", "en", False),
        ("", "", False),
    ],
)
def test_chinese_to_english_is_recognised_by_any_codes(source: str, target: str, answer: bool) -> None:
    assert LanguagePair(source, target).is_chinese_to_english is answer
