"""The shipped dictionary, and files in its format."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from anaphora.features.dictionary.entries import Dictionary, DictionaryEntry
from anaphora.system.locations import glossary


def test_a_word_is_found_in_simplified_and_in_traditional_characters(dictionary) -> None:
    assert dictionary.find("合同") == DictionaryEntry("合同", ("contract",))
    assert dictionary.find("違約") == dictionary.find("违约")
    assert "to default" in dictionary.find("违约").glosses
    assert dictionary.find("合同工地") is None
    assert dictionary.find("") is None


def test_shipped_glosses_can_be_used_in_translations(dictionary) -> None:
    words = ("打", "猫", "不可抗力", "王", "一声", "抽屉", "法律", "经济", "雷管")
    glosses = [gloss for word in words if (entry := dictionary.find(word)) for gloss in entry.glosses]
    assert {"cat", "force majeure", "drawer", "law", "economy", "detonator"} <= {*glosses}
    assert not [gloss for gloss in glosses if "CL:" in gloss or "(" in gloss or "surname" in gloss]
    assert all(gloss.isascii() for gloss in glosses)


def test_only_chinese_into_english_has_a_dictionary() -> None:
    assert glossary("en", "zh") is None and glossary("zh", "de") is None


def test_a_file_that_is_not_a_dictionary_is_reported(tmp_path: Path) -> None:
    for name, content in (
        ("plain", b"\xe4\xb8\xad\t\tmiddle\n"),
        ("cut", gzip.compress("中\t\tmiddle\n".encode() * 500)[:-12]),
        ("columns", gzip.compress("中,middle\n".encode())),
        ("bytes", gzip.compress(b"\xff\xfe\t\t\n")),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises((OSError, EOFError, ValueError)):
            Dictionary.read(path)
