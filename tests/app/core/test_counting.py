"""Counting as translators are paid: scripts without spaces by characters, others by words."""

from __future__ import annotations

import pytest

from anaphora.core.length_limits import WordCount, count_words


@pytest.mark.parametrize(
    ("text", "characters", "words"),
    [
        ("第一句话，10 km。", 4, 2),
        ("これはペンです。コーヒー", 11, 0),
        ("ที่นี่คือหนังสือ", 9, 0),
        ("यह हिन्दी की किताब है।", 0, 5),
        ("وَصَلَ أحمدُ أمس", 0, 3),
        ("저는 학생입니다.", 0, 2),
        ("Das kostet 3,5 Euro, z. B. heute's", 0, 7),
        ("Я е-мейл", 0, 2),
    ],
)
def test_characters_and_words(text: str, characters: int, words: int) -> None:
    assert count_words(text) == WordCount(characters, words)
