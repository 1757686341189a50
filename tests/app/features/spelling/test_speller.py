"""Misspelt words, with the real dictionary."""

from __future__ import annotations

import gzip

import pytest

from anaphora.core.segment import Segment, SegmentState
from anaphora.features.spelling.speller import (
    MAX_SUGGESTIONS,
    English,
    Speller,
    SpellingError,
    dictionaries_of,
    inventions_by,
    word_spans,
    words_of,
)
from anaphora.system.locations import dictionaries, training_words


@pytest.fixture(scope="module")
def speller(tmp_path_factory):
    return Speller(dictionaries(), tmp_path_factory.mktemp("own") / "dictionary.txt")


def wrong(speller: Speller, text: str, known: frozenset[str] = frozenset()) -> list[str]:
    return [text[start:end] for start, end in speller.misspelt(("en_US",), text, known)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The ledger keeps every transaction.", []),
        ("The ledgr keeps evry transaction.", ["ledgr", "evry"]),
        ("Don’t recieve it; the node's cache isn't well-known.", ["recieve"]),
        ("A well-knwon trick (“qick”).", ["knwon", "qick"]),
        ("Run `git comit` in /usr/lcal with foo_brr, x2y, NASA, e.g. TfIdf, http://exmple.org/", []),
        ("Prss {1}the buton{/1} now.", ["Prss", "buton"]),
        ("The admin's or admin’s key, the ledgr's", ["ledgr's"]),
        ("每个 ledgr", ["ledgr"]),
        ("", []),
    ],
)
def test_misspelt_words_are_found(speller, text, expected) -> None:
    assert wrong(speller, text) == expected


def test_compounds_used_in_texts_are_correct(tmp_path) -> None:
    used = tmp_path / "words.txt.gz"
    used.write_bytes(gzip.compress(b"dataset datasets runtime recieve fucntion seperate"))
    with_used = Speller(dictionaries(), tmp_path / "own.txt", used)
    text = "Datasets and a dataset at runtime; recieve a seperate fucntion, a datafile."
    assert wrong(with_used, text) == ["recieve", "seperate", "fucntion", "datafile"]
    shipped = Speller(dictionaries(), tmp_path / "own.txt", training_words())
    assert wrong(shipped, "a dataset, timestamp, backend and checkpoint") == []
    assert wrong(shipped, "recieve seperate fucntion") == ["recieve", "seperate", "fucntion"]


def test_words_of_source_and_term_base_are_correct(speller) -> None:
    assert wrong(speller, "Autodiff in Kubernetes.") == ["Autodiff", "Kubernetes"]
    assert wrong(speller, "Autodiff in Kubernetes.", words_of(["使用kubernetes", "autodiff"])) == []


def test_suggestions_contain_the_intended_word(speller) -> None:
    for word, meant in (("recieve", "receive"), ("ledgr", "ledger"), ("differentation", "differentiation")):
        assert meant in speller.suggestions(("en_US",), word)[:3]
    assert not speller.suggestions(("en_US",), "qqqqxzzz")


def test_added_words_are_merged_with_those_of_another_window(tmp_path) -> None:
    own = tmp_path / "folder" / "dictionary.txt"
    first, second = Speller(dictionaries(), own), Speller(dictionaries(), own)
    assert wrong(first, "Autodiff") == ["Autodiff"]
    first.add("autodiff")
    second.add("sharding’s")
    assert own.read_text("utf-8").splitlines() == ["autodiff", "sharding's"]
    assert wrong(Speller(dictionaries(), own), "Autodiff") == []


def test_unreadable_and_unwritable_files_are_reported(tmp_path) -> None:
    with pytest.raises(SpellingError, match="en_"):
        Speller(tmp_path, tmp_path / "own.txt").misspelt(("en_US",), "word")
    (tmp_path / "own.txt").mkdir()
    with pytest.raises(SpellingError, match="own"):
        Speller(dictionaries(), tmp_path / "own.txt").add("word")


@pytest.mark.parametrize(
    ("language", "chosen", "misspelt"),
    [
        ("en", English.BOTH, ["colur"]),
        ("eng_Latn", English.BRITISH, ["color", "organize", "colur"]),
        ("en", English.AMERICAN, ["colour", "organise", "colur"]),
        ("en-GB", English.AMERICAN, ["color", "organize", "colur"]),
        ("en_US", English.BRITISH, ["colour", "organise", "colur"]),
    ],
)
def test_english_is_checked_by_the_chosen_spelling(speller, language, chosen, misspelt) -> None:
    text = "colour organise color organize colur"
    spans = speller.misspelt(dictionaries_of(language, chosen), text)
    assert [text[start:end] for start, end in spans] == misspelt


def test_only_english_is_checked() -> None:
    assert dictionaries_of("de") == dictionaries_of("") == ()


def test_suggestions_come_from_both_spellings(speller) -> None:
    assert {"color", "colour"} <= set(speller.suggestions(dictionaries_of("en"), "colur"))


def test_invented_words_are_lower_case_and_not_used_in_texts(tmp_path) -> None:
    used = tmp_path / "words.txt.gz"
    used.write_bytes(gzip.compress(b"zzgh recieve"))
    with_used = Speller(dictionaries(), tmp_path / "own.txt", used)
    text = "Qqlu qqlu qqlu qqlzu qql recieve known Zzgh zzgh, qqlzu"
    assert with_used.invented(("en_US",), text) == ("qqlu", "qqlzu")
    assert with_used.invented(("en_US",), text, {"qqlu"}) == ("qqlzu",)
    assert with_used.invented(("en_US",), "The ledger.") == ()
    without = Speller(dictionaries(), tmp_path / "own.txt")
    assert without.invented(("en_US",), "zzgh qql") == ("zzgh",)
    missing = Speller(dictionaries(), tmp_path / "own.txt", tmp_path / "none.gz")
    assert missing.invented(("en_US",), "zzgh") == ("zzgh",)
    (tmp_path / "damaged.gz").write_bytes(used.read_bytes()[:-9])
    with pytest.raises(SpellingError, match="damaged"):
        Speller(dictionaries(), tmp_path / "own.txt", tmp_path / "damaged.gz").invented(("en_US",), "zzgh")


def test_parts_of_a_compound_have_three_letters(tmp_path) -> None:
    used = tmp_path / "words.txt.gz"
    used.write_bytes(gzip.compress(b"boxcat mybox boxmy catboxdog"))
    with_used = Speller(dictionaries(), tmp_path / "own.txt", used)
    assert wrong(with_used, "A boxcat.") == []
    assert wrong(with_used, "mybox, boxmy, catboxdog") == ["mybox", "boxmy", "catboxdog"]
    assert wrong(with_used, "boxcat boxcat catbox catbox") == ["catbox", "catbox"]


def test_suggestions_are_few_and_each_once(speller) -> None:
    found = speller.suggestions(("en_US",), "wrod")
    assert len(found) == len(set(found)) <= MAX_SUGGESTIONS
    assert "don't" in speller.suggestions(("en_US",), "dont’t")


def test_names_of_code_and_single_letters_have_no_spelling() -> None:
    def words(text: str) -> list[str]:
        return [text[start:end] for start, end in word_spans(text)]

    assert words("a I x ab Ab AB aB McDonald O'Brien NASA’s naïve") == ["ab", "Ab", "O'Brien", "naïve"]
    assert words("{1}bold{/1} `code` and “quoted”, e-mail") == ["bold", "and", "quoted", "mail"]
    assert words("`one` two `three` four") == ["two", "four"]
    assert words("a.b x=y f() std::map 50% C:\\x (done).") == ["done"]


def test_words_of_the_source_are_not_invented(speller) -> None:
    assert inventions_by(speller, (), ()) is None
    invented = inventions_by(speller, ("en_US",), frozenset(("qqlv",)))
    assert invented is not None
    segment = Segment("1", "使用 Qqlu。", SegmentState("Use qqlu, qqlv and qqlw."))
    assert invented(segment) == ("qqlw",)
