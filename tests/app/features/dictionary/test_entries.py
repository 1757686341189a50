"""The dictionary that ships, and files of its form."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from anaphora.features.dictionary.entries import Dictionary, DictionaryEntry
from anaphora.system.shipped import glossary


def test_a_word_is_found_in_simplified_and_in_traditional_characters(dictionary) -> None:
    assert dictionary.find("合同") == DictionaryEntry("合同", ("contract",))
    assert dictionary.find("違約") == dictionary.find("违约")
    assert "to default" in dictionary.find("违约").glosses
    assert dictionary.find("合同工地") is None
    assert dictionary.find("") is None


def test_the_dictionary_ships_what_can_stand_in_a_translation(dictionary) -> None:
    words = ("打", "猫", "不可抗力", "王", "一声", "抽屉", "法律", "经济", "雷管")
    glosses = [gloss for word in words if (entry := dictionary.find(word)) for gloss in entry.glosses]
    assert {"cat", "force majeure", "drawer", "law", "economy", "detonator"} <= {*glosses}
    assert not [gloss for gloss in glosses if "CL:" in gloss or "(" in gloss or "surname" in gloss]
    assert all(gloss.isascii() for gloss in glosses)


def test_there_is_one_for_chinese_into_english_only() -> None:
    assert glossary("en", "zh") is None and glossary("zh", "de") is None


def test_a_file_of_something_else_is_reported(tmp_path: Path) -> None:
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
