"""Lists of known words, and the words of a document's confirmed segments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.text.confirmed_words import ConfirmedWords
from anaphora_nmt.text.word_list import NO_WORDS, WordList, hyphenated_words, joined, letter_words

WORDS = WordList.of(["Graph", "grapheme", "the", "über"])


def test_words_and_their_beginnings() -> None:
    assert "graph" in WORDS and "über" in WORDS
    assert "grap" not in WORDS and "" not in WORDS
    assert WORDS.begins("grap") and WORDS.begins("grapheme")
    assert not WORDS.begins("graphs") and not WORDS.begins("z")


def test_a_list_comes_back_from_its_file(tmp_path: Path) -> None:
    WORDS.save(tmp_path / "words.txt.gz")
    assert WordList.load(tmp_path / "words.txt.gz") == WORDS


@pytest.mark.parametrize("content", [b"", b"no gzip", b"\x1f\x8b\x08\x00"])
def test_a_damaged_list_is_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "words.txt.gz"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="Install the model again"):
        WordList.load(path)
    with pytest.raises(ModelFileError):
        WordList.load(tmp_path / "none.gz")


def test_words_are_runs_of_letters() -> None:
    assert list(letter_words("The graph's x2-Über, end")) == ["the", "graph", "s", "x", "über", "end"]


def test_what_confirmed_segments_write_and_do_not_keep() -> None:
    words = ConfirmedWords(WORDS)
    words.confirm("1", "这个 App 用 plistlib。", "The {1}Gribble{/1} graph.")
    assert words.written == WordList.of(["gribble"])
    assert words.rewritten == {"app", "plistlib"}
    words.confirm("1", "这个 App 用 plistlib。", "The app plistlib")
    assert words.written == WordList.of(["app", "plistlib"])
    assert words.rewritten == frozenset()
    other = words.fork()
    words.release("1")
    assert words.written == WordList.of([])
    assert "app" in other.written
    words.adopt(other, {"1": "7"})
    words.release("1")
    assert "app" in words.written
    words.release("7")
    assert "app" not in words.written


def test_words_with_hyphens_are_told_whole_too() -> None:
    assert [*hyphenated_words("An Auto-Graph, x-2, state-of-the-art - and -en")] == [
        "auto-graph",
        "state-of-the-art",
    ]
    words = ConfirmedWords(WORDS)
    words.confirm("1", "自动图", "The graph-graph.")
    assert words.written == WordList.of(["graph-graph"])
    untold = ConfirmedWords()
    untold.confirm("1", "自动图", "The graph-graph.")
    assert untold.written == WordList.of([])


def test_words_that_come_from_elsewhere() -> None:
    words, other = ConfirmedWords(WORDS), ConfirmedWords(WORDS)
    other.confirm("1", "图", "A gribble.")
    words.bring_in([("用 App", "A zorple.")])
    words.confirm("1", "图", "A vendle.")
    assert words.written == WordList.of(["a", "zorple", "vendle"]) and words.rewritten == {"app"}
    words.add(other)
    assert "gribble" in words.written
    words.bring_in([])
    assert words.written == WordList.of(["a", "vendle"])


def test_the_first_word_with_a_beginning_and_what_lies_behind_the_last() -> None:
    assert WORDS.first_with("gr") == "graph" and WORDS.first_with("graph") == "graph"
    assert WORDS.first_with("graphe") == "grapheme" and WORDS.first_with("") == "graph"
    assert WORDS.first_with("ü") == "über" and WORDS.first_with("ý") == ""
    assert "ÿ" not in WORDS and "a" not in WORDS and not NO_WORDS.begins("") and "" not in NO_WORDS


def test_texts_one_behind_the_other() -> None:
    content, starts = joined(["a", "", "é", "xyz"])
    assert content == "aéxyz".encode() and starts.tolist() == [0, 1, 1, 3, 6] and starts.dtype == np.int32
    assert joined([])[1].tolist() == [0]
    assert WORDS.joined[0] == "graphgraphemetheüber".encode() and WORDS.joined is WORDS.joined


def test_equal_lists_give_equal_bytes_whenever_they_are_written(tmp_path: Path) -> None:
    WORDS.save(tmp_path / "words.txt.gz")
    assert (tmp_path / "words.txt.gz").read_bytes()[4:8] == bytes(4), "no time stands in it"
    NO_WORDS.save(tmp_path / "none.gz")
    with pytest.raises(ModelFileError, match="it is empty"):
        WordList.load(tmp_path / "none.gz")


@pytest.mark.parametrize(
    ("text", "words"),
    [("", []), ("a", ["a"]), (" ab ", ["ab"]), ("1a2", ["a"]), ("a1bC", ["a", "bc"]), ("12", [])],
)
def test_runs_of_letters_at_the_ends(text: str, words: list[str]) -> None:
    assert list(letter_words(text)) == words
