"""Real text and Markdown files are identical when unchanged, valid when translated, and read completely."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rendering import render

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.length_limits import WordCount, count_words
from anaphora.formats.registry import read, read_bytes

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = [
    path
    for name in ("txt", "markdown")
    for path in sorted((GOLDEN / name).iterdir())
    if path.name != "SOURCES.md"
]
TAG = re.compile(r"\{/?[0-9]{1,9}/?\}")
WORDS = {
    name: (int(characters), int(words))
    for name, characters, words in (
        line.split("\t") for line in (GOLDEN / "words.tsv").read_text().splitlines()[1:]
    )
}
"""Expected counts for each file, from independent programs."""
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


def test_each_format_has_three_files_with_their_sources() -> None:
    for name in ("txt", "markdown"):
        files = [path for path in FILES if path.parent.name == name]
        sources = (GOLDEN / name / "SOURCES.md").read_text("utf-8")
        assert len(files) >= 3 and all(path.name in sources for path in files)


@every_file
def test_unchanged_file_is_byte_identical(path: Path) -> None:
    document = read(path)
    assert document.segments
    assert render(document.data, document.format, {}) == path.read_bytes()


@every_file
@pytest.mark.slow
def test_translated_file_keeps_encoding_lines_and_markup(path: Path) -> None:
    document = read(path)
    targets = {
        each.id: f"Sentence {number} {pseudo_translation(each.source)}"
        for number, each in enumerate(document.segments)
    }
    result = render(document.data, document.format, targets)
    codec = {"utf-16-le": "utf-16"}.get(document.encoding, document.encoding)
    before, after = document.data.decode(codec), result.decode(codec)
    if path.suffix == ".txt":
        assert (after.count("\n"), after.count("\r")) == (before.count("\n"), before.count("\r"))
    again = read_bytes(result, path.name, encoding=document.encoding)
    shown = " ".join(segment.source for segment in again.segments)
    assert all(f"Sentence {number} " in f"{shown} " for number in range(len(document.segments)))
    assert len(TAG.findall(shown)) == sum(len(TAG.findall(each.source)) for each in document.segments)


@every_file
def test_every_word_is_imported(path: Path) -> None:
    found = sum((count_words(segment.source) for segment in read(path).segments), WordCount())
    assert WORDS[f"{path.parent.name}/{path.name}"] == (found.characters, found.words)
