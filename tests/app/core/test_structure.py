"""Roles of segments in their documents, found by the readers and stored in notes."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from anaphora.core.notes import Note, NoteKind, pack, unpack
from anaphora.core.segment import Segment
from anaphora.core.structure import PARAGRAPH, BlockStructure, Structure, structure_of
from anaphora.project.importing.collecting import read_document

GOLDEN = Path(__file__).parents[2] / "golden"
MARKDOWN = """# 标题一

正文在这里。

## 标题二

- 第一项
  - 更深的一项

> 引用一句话。

| 表头 | 说明 |
|---|---|
| 单元 | 内容 |
"""


def structures(path: Path) -> dict[str, BlockStructure]:
    return {segment.source: structure_of(segment) for segment in read_document(path).segments}


def test_markdown(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    found = structures(path)
    assert found["标题一"] == BlockStructure(Structure.HEADING, 1)
    assert found["标题二"] == BlockStructure(Structure.HEADING, 2)
    assert found["正文在这里。"] == PARAGRAPH
    assert found["第一项"] == BlockStructure(Structure.LIST_ITEM, 1)
    assert found["更深的一项"] == BlockStructure(Structure.LIST_ITEM, 2)
    assert found["引用一句话。"].kind is Structure.QUOTE
    assert found["表头"].kind is found["内容"].kind is Structure.CELL


def test_html(tmp_path):
    path = tmp_path / "a.html"
    rows = "<ul><li>一项</li></ul><table><tr><td>单元</td></tr></table>"
    path.write_text(f"<h2>标题</h2><p>正文。</p>{rows}", encoding="utf-8")
    found = structures(path)
    assert found["标题"] == BlockStructure(Structure.HEADING, 2) and found["正文。"] == PARAGRAPH
    assert found["一项"].kind is Structure.LIST_ITEM and found["单元"].kind is Structure.CELL


def test_word(tmp_path):
    document = docx.Document()
    document.add_heading("标题", 2)
    document.add_paragraph("正文。")
    document.add_table(1, 1).cell(0, 0).text = "单元"
    document.save(str(tmp_path / "a.docx"))
    found = structures(tmp_path / "a.docx")
    assert found["标题"] == BlockStructure(Structure.HEADING, 2) and found["正文。"] == PARAGRAPH
    assert found["单元"].kind is Structure.CELL


def test_cues_and_cells_are_recognised_by_their_notes():
    cue = next(iter(structures(GOLDEN / "srt" / "course-events.zh.srt").values()))
    assert cue == BlockStructure(Structure.CUE, time="00:00:01,000")
    assert structures(GOLDEN / "xlsx" / "project-plan.xlsx")["步骤"].kind is Structure.CELL


@pytest.mark.parametrize("text", ["heading", "of-a-later-version"])
def test_the_note_is_stored_and_unknown_kinds_are_not_an_error(text):
    notes = (Note(NoteKind.STRUCTURE, text, ("2",)),)
    assert unpack(pack(notes)) == notes
    kind = structure_of(Segment("1", "题", notes=notes)).kind
    assert kind is (Structure.HEADING if text == "heading" else Structure.PARAGRAPH)
