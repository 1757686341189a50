"""Latin words in Chinese texts, and which of them a translation has lost."""

from __future__ import annotations

import pytest

from anaphora_nmt.text.latin_words import latin_words, lost_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("将 momentum 设为默认值", ["momentum"]),
        ("由Michele Orrù在 Fourier Layer 中贡献", ["Michele", "Orrù", "Fourier", "Layer"]),
        ("Задать momentum по умолчанию", ["momentum"]),
        ("x 轴和 A 组", []),
        ("Set the momentum.", []),
        ("用 \ue000abc、ha256、my_name 和 NumPy", ["NumPy"]),
        ("", []),
    ],
)
def test_latin_words_of_a_text_in_another_script(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in latin_words(text)] == words


@pytest.mark.parametrize(
    ("target", "lost"),
    [
        ("Set momentum and plistlib.", []),
        ("Plistlibs have Momentum.", []),
        ("Set mom and plstlib.", ["momentum", "plistlib"]),
        ("Remomentum (plistlib)", ["momentum"]),
    ],
)
def test_words_that_no_word_of_the_target_begins_with_are_lost(target: str, lost: list[str]) -> None:
    source = "将 momentum 和 plistlib 设为 momentum"
    assert lost_words(source, target) == lost
    assert lost_words(source, target, {"momentum", "plistlib"}) == []
