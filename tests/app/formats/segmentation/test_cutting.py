"""Overlong texts without sentence ends are split when read, and written unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest
from rendering import render

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.segment import Status
from anaphora.core.structure import (
    MAX_SOURCE_LENGTH,
    MAX_TAGS,
    MAX_TARGET_LENGTH,
    MAX_UNIT_LENGTH,
    shortened,
    shortened_pair,
)
from anaphora.core.tags import MARK
from anaphora.formats.segmentation.segmenter import Rule, Segmenter, write_srx
from anaphora.project.importing.collecting import read_document
from anaphora.project.importing.sentence_rules import user_segmenter

LONG = 3 * MAX_SOURCE_LENGTH


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
    assert all(len(segment.source) <= MAX_SOURCE_LENGTH + 100 for segment in source.segments)
    assert any("split after" in note for note in source.notes)
    assert "".join(segment.source for segment in source.segments).count("账") == text.count("账")
    assert render(source.data, source.format, {}, user_segmenter()) == source.data
    targets = {segment.id: pseudo_translation(segment.source) for segment in source.segments}
    written = render(source.data, source.format, targets, user_segmenter()).decode()
    assert all(part in written for target in targets.values() for part in MARK.sub("\0", target).split("\0"))
    assert written.count("账") == text.count("账")


def test_long_texts_are_cut_at_good_positions(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("账本，" * MAX_SOURCE_LENGTH + "\n", "utf-8")
    source = read_document(path)
    assert all(segment.source.endswith("，") for segment in source.segments[:-1])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("one two, three", ["one two, three"]),
        ("twenty letters or so", ["twenty letters or so"]),
        ("as much as there is room for, and no more", ["as much as there is", "room for, and no", "more"]),
        ("no, " + "x" * 50, ["no, " + "x" * 16, "x" * 20, "x" * 14]),  # the pause is in the first half
    ],
)
def test_parts_are_long_and_none_is_tiny(text: str, parts: list[str]) -> None:
    segmenter = Segmenter(write_srx([Rule(False, "x", "y")]), "de", 20)
    assert [text[start:end] for start, end in segmenter.spans(text)] == parts
    assert segmenter.cuts == len(parts) - 1
    segmenter.spans(text)
    assert segmenter.cuts == 2 * (len(parts) - 1), "the count for a whole document"


_XLIFF = (
    '<xliff version="1.2"><file source-language="zh" target-language="en"><body>'
    '<trans-unit id="1"><source>{}</source><target>{}</target></trans-unit>'
    '<trans-unit id="2"><source>短句。</source></trans-unit></body></file></xliff>'
)
_TMX = (
    '<tmx version="1.4"><header srclang="zh"/><body><tu><tuv xml:lang="zh"><seg>{}</seg></tuv>'
    '<tuv xml:lang="en"><seg>{}</seg></tuv></tu><tu><tuv xml:lang="zh"><seg>短句。</seg></tuv>'
    '<tuv xml:lang="en"><seg>Short.</seg></tuv></tu></body></tmx>'
)
_PO = 'msgid ""\nmsgstr ""\n\nmsgid "{}"\nmsgstr "{}"\n\nmsgid "短句。"\nmsgstr ""\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "<p>账本<b>" + "账本 " * MAX_UNIT_LENGTH + "</b>末</p><p>短句。</p>"),
        ("a.po", _PO.format("账" * (MAX_UNIT_LENGTH + 1), "")),
        ("a.po", _PO.format("账", "z" * (MAX_TARGET_LENGTH + 1))),
        ("a.xlf", _XLIFF.format("账" * (MAX_UNIT_LENGTH + 1), "long")),
        ("a.xlf", _XLIFF.format('账<x id="1"/>' * (MAX_TAGS + 1), "")),
        ("a.tmx", _TMX.format("账" * (MAX_UNIT_LENGTH + 1), "long")),
    ],
)
def test_text_that_cannot_be_cut_stays_and_is_reported(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    source = read_document(path)
    (segment,) = source.segments
    assert segment.source == "短句。"
    assert any("skipped" in note and note.endswith(": 1.") for note in source.notes)
    states = {segment.id: Status.CONFIRMED}
    written = render(source.data, source.format, {segment.id: "Brief."}, user_segmenter(), states)
    assert written.decode().replace("Brief.", "").count("账") == text.count("账")
    assert "Brief." in written.decode() and written.decode().count("z") == text.count("z")


def test_long_text_is_not_shortened_inside_a_tag() -> None:
    assert shortened("short") == "short"
    assert shortened("x" * 100, 50) == "x" * 50 + "…"
    assert shortened("x" * 45 + "{12}" + "y" * 50, 47) == "x" * 45 + "…"
    assert shortened("x" * 40 + "{1}" + "y" * 50, 47) == "x" * 40 + "{1}" + "y" * 4 + "…"


def test_two_versions_are_shortened_around_their_difference() -> None:
    assert shortened_pair("one", "two") == ("one", "two")
    before, after = shortened_pair("x" * 500 + "old" + "y" * 500, "x" * 500 + "new" + "y" * 500, 100)
    assert before == "…" + "x" * 10 + "old" + "y" * 87 + "…" and after == before.replace("old", "new")
