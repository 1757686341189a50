"""A dictionary whose entries are made when they are looked for answers as the library's does."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.shipped import dictionaries
from anaphora.spelling.hunspell import Hunspell

ODD = """SET UTF-8
SFX S Y 1
SFX S 0 s .
REP 1
REP f ph
"""
ODD_WORDS = (
    "km\\/h/S",
    "ad hoc",
    "/etc",
    "witch/S ph:wich",
    "Café/S",
    "McDonald",
    "polish",
    "Polish",
    "polish/S",
)


def forms(stem: str) -> tuple[str, ...]:
    return (
        stem,
        stem.upper(),
        stem.capitalize(),
        stem.swapcase(),
        f"{stem}s",
        f"{stem}ing",
        f"un{stem}",
        stem[1:],
    )


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A dictionary of every kind of entries."""
    (tmp_path / "odd.aff").write_text(ODD, "utf-8")
    (tmp_path / "odd.dic").write_text("\n".join((str(len(ODD_WORDS)), *ODD_WORDS, "")), "utf-8")
    return tmp_path / "odd"


@pytest.mark.slow
def test_forms_of_the_words_that_ship() -> None:
    path = dictionaries() / "en_US"
    ours = Hunspell(path)
    stems = [line.split("/")[0] for line in path.with_suffix(".dic").read_text("utf-8").splitlines()[1::500]]
    words = [form for stem in stems for form in forms(stem) if form]
    assert len(words) > 700
    answers = [ours.whole.lookup(word) for word in words]
    assert [ours.knows(word) for word in words] == answers and {*answers} == {True, False}


def test_entries_of_every_kind(odd: Path) -> None:
    ours = Hunspell(odd)
    stems = ("km/h", "ad hoc", "/etc", "witch", "café", "mcdonald", "polish", "wich", "fish")
    words = [form for stem in stems for form in forms(stem)]
    assert [ours.knows(word) for word in words] == [ours.whole.lookup(word) for word in words]
    assert ours.knows("km/hs") and ours.knows("Cafés") and ours.knows("polishs") and not ours.knows("café")
    assert [*ours.suggestions("wich")] == [*ours.whole.suggest("wich")]


@pytest.mark.parametrize("head", ["3\n", ""])
def test_a_list_may_lack_its_count(tmp_path: Path, head: str) -> None:
    (tmp_path / "odd.aff").write_text(ODD, "utf-8")
    (tmp_path / "odd.dic").write_text(f"{head}first/S\n2nd\nlast\n", "utf-8")
    ours = Hunspell(tmp_path / "odd")
    assert all(map(ours.knows, ("first", "firsts", "2nd", "last"))) and not ours.knows("lasts")
    (tmp_path / "odd.dic").write_text("", "utf-8")
    assert not Hunspell(tmp_path / "odd").knows("first")


def test_a_list_of_words_may_say_how_many_they_are_or_not(tmp_path: Path) -> None:
    (tmp_path / "a.aff").write_text("SET UTF-8\n", "utf-8")
    for lines, words in (
        (("2", "witch", "fish"), ("witch", "fish")),
        (("witch", "fish"), ("witch", "fish")),
        ((), ()),
    ):
        (tmp_path / "a.dic").write_text("\n".join(lines), "utf-8")
        ours = Hunspell(tmp_path / "a")
        assert [word for word in ("witch", "fish", "2") if ours.knows(word) and word.isalpha()] == [*words]
