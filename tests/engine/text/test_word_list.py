"""Lists of known words, and the words of a document's confirmed segments."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.text.confirmed_words import ConfirmedWords
from anaphora_nmt.text.word_list import WordList

WORDS = WordList.of(["Graph", "grapheme", "the", "über"])


def test_words_and_their_beginnings() -> None:
    assert "graph" in WORDS and "über" in WORDS
    assert "grap" not in WORDS and "" not in WORDS
    assert WORDS.has_prefix("grap") and WORDS.has_prefix("grapheme")
    assert not WORDS.has_prefix("graphs") and not WORDS.has_prefix("z")


def test_list_survives_round_trip(tmp_path: Path) -> None:
    WORDS.save(tmp_path / "words.txt.gz")
    assert WordList.load(tmp_path / "words.txt.gz") == WORDS


@pytest.mark.parametrize("content", [b"", b"no gzip", b"\x1f\x8b\x08\x00"])
def test_a_damaged_list_is_reported(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "words.txt.gz"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="Install the model again"):
        WordList.load(path)
    with pytest.raises(ModelFileError):
        WordList.load(tmp_path / "none.gz")


def test_words_of_confirmed_segments_are_collected() -> None:
    words = ConfirmedWords(WORDS)
    words.confirm("1", "这个 App 用 plistlib。", "The {1}Gribble{/1} graph.")
    assert words.new == WordList.of(["gribble"])
    assert words.dropped == {"app", "plistlib"}
    words.confirm("1", "这个 App 用 plistlib。", "The app plistlib")
    assert words.new == WordList.of(["app", "plistlib"])
    assert words.dropped == frozenset()
    other = words.fork()
    words.release("1")
    assert words.new == WordList.of([])
    assert "app" in other.new
    words.adopt(other, {"1": "7"})
    words.release("1")
    assert "app" in words.new
    words.release("7")
    assert "app" not in words.new
