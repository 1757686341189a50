"""Proposed names of exports, and the summary of an export."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.core.document import Document
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.project.exporting.writing import summarise
from anaphora.project.translated_names import default_destination, original_of


@pytest.mark.parametrize(
    ("name", "proposed"),
    [
        ("report.docx", "report.en.docx"),
        ("guide.zh.md", "guide.en.md"),
        ("guide.zh-CN.md", "guide.en.md"),
        ("说明.txt", "说明.en.txt"),
        ("tool.pot", "tool.en.po"),
    ],
)
def test_the_proposed_name_is_beside_the_original(name, proposed):
    assert default_destination(Path("/home/someone") / name) == Path("/home/someone") / proposed


@pytest.mark.parametrize(
    ("source", "target", "name", "proposed"),
    [
        ("en", "zho_Hans", "guide.en.md", "guide.zh.md"),
        ("en", "de", "guide.zh.md", "guide.zh.de.md"),
        ("xx", "", "tool.pot", "tool.translated.po"),
    ],
)
def test_the_name_contains_the_language_of_the_project(source, target, name, proposed):
    assert default_destination(Path(name), LanguagePair(source, target)) == Path(proposed)


@pytest.mark.parametrize("pair", [("zh", "en"), ("en", "zho_Hans"), ("ja", "de"), ("de", "th"), ("xx", "")])
@pytest.mark.parametrize("name", ["report.docx", "guide.{}.md", "v1.2.txt", "tool.pot"])
def test_exported_files_are_recognised(tmp_path: Path, pair: tuple[str, str], name: str) -> None:
    languages = LanguagePair(*pair)
    original = tmp_path / name.format(pair[0])
    original.touch()
    exported = default_destination(original, languages)
    exported.touch()
    assert original_of(exported, languages) == original
    assert original_of(original, languages) is None
    original.unlink()
    assert original_of(exported, languages) is None, "it has no original"


def test_only_names_in_other_languages_count_as_translations(tmp_path: Path) -> None:
    for name in ("guide.md", "guide.de.md", "guide.PT-br.md", "guide.zh.md", "guide.old.md", ".de"):
        (tmp_path / name).touch()
    found = {path.name for path in tmp_path.iterdir() if original_of(path, LanguagePair("zh", "en"))}
    assert found == {"guide.de.md", "guide.PT-br.md"}


@pytest.mark.parametrize("letter", ["a", "字", "𠀀"])
@pytest.mark.parametrize("size", [247, 253, 255])
def test_a_long_name_is_cut_before_the_language(tmp_path: Path, letter: str, size: int) -> None:
    stem = letter * ((size - 7) // len(letter.encode()))
    original = tmp_path / f"{stem}.zh.txt"
    original.write_text("账本很大。\n", "utf-8")
    destination = default_destination(original)
    destination.touch()
    assert destination.name.endswith(".en.txt") and len(destination.name.encode()) <= 240
    assert default_destination(tmp_path / f"{stem[:-1]}.zh.txt") != destination
    other = tmp_path / f"{stem}.en.txt"
    other.touch()
    assert original_of(other) == original
    assert original_of(tmp_path / f"{stem}.de.txt", LanguagePair("ja", "de")) is None


def test_a_summary_counts_targets_and_confirmations():
    document = Document(
        "d",
        [
            Segment("a", "甲", SegmentState("A", Status.CONFIRMED)),
            Segment("b", "乙", SegmentState("B", Status.DRAFT)),
            Segment("c", "丙"),
        ],
    )
    summary = summarise(document)
    assert (summary.confirmed, summary.drafts, summary.untranslated) == (1, 1, 1)
