"""What no rule ends is cut when a document is read, and written as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.core.shortening import MOST_SOURCE, shortened
from anaphora.formats.registry import render
from anaphora.services.reading import read_document
from anaphora.services.segmenters import segmenter_of

LONG = 3 * MOST_SOURCE


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "账本" + "x" * LONG + "\n账本保存每个交易。\n"),
        ("a.txt", "账" * LONG + "。短句。\n"),
        ("a.txt", "账本，" * LONG + "\n第二行。\n"),
        ("a.md", "# 标题\n\n账本 **" + "账 " * LONG + "** 末尾。\n"),
        ("a.html", "<p>账本<b>粗</b>" + "账本 " * LONG + "</p><p>短句。</p>"),
    ],
)
def test_long_sentences_are_cut_and_the_document_is_written_as_it_was(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    source = read_document(path)
    assert all(len(segment.source) <= MOST_SOURCE + 100 for segment in source.segments)
    assert any("were cut" in note for note in source.notes)
    assert "".join(segment.source for segment in source.segments).count("账") == text.count("账")
    assert render(source.data, source.format, {}, segmenter_of(source)) == source.data
    targets = {segment.id: f"T{number}" for number, segment in enumerate(source.segments)}
    written = render(source.data, source.format, targets, segmenter_of(source)).decode()
    assert all(target in written for target in targets.values()) and "账" not in written


def test_cuts_stand_where_they_do_least_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("账本，" * MOST_SOURCE + "\n", "utf-8")
    source = read_document(path)
    assert all(segment.source.endswith("，") for segment in source.segments[:-1])


def test_what_stands_in_one_pair_of_tags_stays_whole_and_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<p>账本<b>" + "账本 " * LONG + "</b>末</p>", "utf-8")
    source = read_document(path)
    assert any("cannot be cut: 1" in note for note in source.notes)
    assert render(source.data, source.format, {}, segmenter_of(source)) == source.data


def test_ordinary_documents_have_no_cuts(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("账本保存每个交易。\n" * 100, "utf-8")
    source = read_document(path)
    assert source.overrides == "" and not any("cut" in note for note in source.notes)


def test_a_long_text_is_shortened_at_no_tag() -> None:
    assert shortened("short") == "short"
    assert shortened("x" * 100, 50) == "x" * 50 + "…"
    assert shortened("x" * 45 + "{12}" + "y" * 50, 47) == "x" * 45 + "…"
    assert shortened("x" * 40 + "{1}" + "y" * 50, 47) == "x" * 40 + "{1}" + "y" * 4 + "…"
