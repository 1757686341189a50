"""What a project's languages say of its texts."""

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
def test_a_text_is_translated_if_its_language_is_written_so(language: str, text: str, answer: bool) -> None:
    assert LanguagePair(language, "de").needs_translation(text) is answer


def test_a_pair_of_texts_is_in_the_direction_unless_only_the_target_is_in_the_source_language() -> None:
    assert LanguagePair("zh", "en").fits("账本", "ledger") and LanguagePair("zh", "en").fits("Git", "Git")
    assert not LanguagePair("zh", "en").fits("ledger", "账本")
    assert LanguagePair("en", "zh").fits("ledger", "账本")
    assert not LanguagePair("ru", "de").fits("Vertrag", "договор")
