"""Real files of six formats are identical when unchanged, valid when translated, and read completely."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree
from rendering import render

from anaphora.core.document import SourceDocument
from anaphora.core.length_limits import WordCount, count_words
from anaphora.formats.base import xml
from anaphora.formats.markup.tokens import tokens
from anaphora.formats.registry import read, read_bytes

GOLDEN = Path(__file__).parents[2] / "golden"
FORMATS = ("docx", "odt", "pptx", "xlsx", "html", "epub")
FILES = [path for name in FORMATS for path in sorted((GOLDEN / name).iterdir()) if path.suffix != ".md"]
TAG = re.compile(r"\{/?[0-9]{1,9}/?\}")
COUNTED = re.compile(r"\}(p|tbl|tr|tc|tab|drawing|footnoteReference|graphicFrame|pic|sp|c|f|v|si|br)$")
WORDS = {
    name: (int(characters), int(words))
    for name, characters, words in (
        line.split("\t") for line in (GOLDEN / "words.tsv").read_text().splitlines()[1:]
    )
}
"""Expected counts for each file, from independent programs."""
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


def parts(data: bytes, suffix: str) -> dict[str, bytes]:
    """The text files in a document."""
    if suffix == ".html":
        return {"": data}
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.testzip() is None
        return {
            name: package.read(name)
            for name in package.namelist()
            if name.endswith((".xml", ".rels", ".opf", ".ncx", ".xhtml")) and package.read(name)
        }


def structure(document: SourceDocument, data: bytes) -> dict[str, Counter[str] | list[str]]:
    """The structure that must stay: all tags in order for spliced markup, else the container elements."""
    suffix = Path(document.name).suffix
    found: dict[str, Counter[str] | list[str]] = {}
    for name, content in parts(data, suffix).items():
        if suffix in (".html", ".epub", ".odt"):
            text = content.decode("gb18030" if "gbk" in document.name else "utf-8")
            marks = tokens(text, suffix != ".html")
            found[name] = [f"{mark.kind.value} {mark.name}" for mark in marks if mark.name]
        else:
            tags = (node.tag for node in etree.fromstring(content).iter() if isinstance(node.tag, str))
            found[name] = Counter(tag for tag in tags if COUNTED.search(tag))
    return found


def word_count(document: SourceDocument) -> WordCount:
    return sum((count_words(segment.source) for segment in document.segments), WordCount())


def reopened(data: bytes, name: str) -> SourceDocument:
    """Check that a document opens and that its XML is well formed."""
    for part, content in parts(data, Path(name).suffix).items():
        if Path(name).suffix != ".html":
            xml.parse(content, part, doctype=True)
    return read_bytes(data, name)


def test_each_format_has_three_files_with_their_sources() -> None:
    for name in FORMATS:
        files = [path for path in FILES if path.parent.name == name]
        sources = (GOLDEN / name / "SOURCES.md").read_text()
        assert len(files) >= 3 and all(path.name in sources for path in files)
        assert all(path.stat().st_size <= 200 * 1024 for path in files)


@every_file
def test_unchanged_file_is_byte_identical(path: Path) -> None:
    document = read(path)
    assert len(document.segments) > 25
    assert render(document.data, document.format, {}) == document.data


@every_file
def test_all_words_of_file_are_imported(path: Path) -> None:
    found = word_count(read(path))
    assert WORDS[f"{path.parent.name}/{path.name}"] == (found.characters, found.words)


@every_file
def test_translated_file_opens_with_the_same_structure(path: Path) -> None:
    document = read(path)
    targets = {segment.id: f"译，{segment.source}" for segment in document.segments}
    result = render(document.data, document.format, targets)
    again = reopened(result, path.name)
    # Joined, because a sentence that begins with "1." is split differently after other text.
    assert "".join(s.source for s in again.segments).replace(" ", "") == "".join(targets.values()).replace(
        " ", ""
    )
    before, after = structure(document, document.data), structure(document, result)
    assert before == after


@every_file
@pytest.mark.parametrize("change", ["lost", "moved", "crossed", "doubled"])
def test_file_stays_valid_after_any_change_of_tags(path: Path, change: str) -> None:
    document = read(path)
    targets = {}
    for segment in document.segments:
        marks = TAG.findall(segment.source)
        plain = TAG.sub("", segment.source)
        targets[segment.id] = {
            "lost": f"A & B < {plain}",
            "moved": "".join(marks) + "moved",
            "crossed": " x ".join(reversed(marks)) + " crossed",
            "doubled": segment.source + segment.source,
        }[change]
    again = reopened(render(document.data, document.format, targets), path.name)
    assert len(again.segments) >= len(document.segments) / 2
    if change == "lost":
        assert sum("A & B <" in segment.source for segment in again.segments) >= 25
