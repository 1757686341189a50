"""Exported text instead of proposals: the source by default, nothing, or the draft."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import Proposals
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.registry import read
from anaphora.project.exporting.writing import export_all, snapshot, summarise
from anaphora.project.opening import open_paths

FILES = {
    "a.txt": "甲句。\n乙句。丙句。\n",
    "a.md": "# 甲句\n\n**乙句** `x` 乙。\n\n- 丙句\n",
    "a.html": "<!DOCTYPE html><html><body><h1>甲句</h1><p><b>乙句</b>。<br>丙句</p></body></html>",
    "a.srt": "1\n00:00:01,000 --> 00:00:02,000\n甲句\n乙句\n\n2\n00:00:03,000 --> 00:00:04,000\n丙句\n",
    "a.json": '{"a": "甲句", "b": "乙句 {count, plural, one {丙句} other {丙句们}}"}',
    "a.properties": "a=甲句\nb=乙句\nc=丙句\n",
}


def with_proposals(path: Path):
    opened = open_paths([path])
    edits = [
        Edit(each.id, each.state, SegmentState(report=DraftReport(proposal=f"Poor {number}.")))
        for number, each in enumerate(opened.document)
    ]
    first = edits[0]
    edits[0] = Edit(first.segment, first.before, SegmentState("Good one.", Status.CONFIRMED))
    opened.document.apply(ChangeSet(tuple(edits)))
    return opened


def exported(opened, folder: Path, chosen: Proposals = Proposals.SOURCE):
    segments = snapshot(opened.document)
    return export_all(opened.store, opened.documents, segments, folder, False, chosen)


@pytest.mark.parametrize("name", [*FILES, "a.docx"])
def test_proposals_become_the_source_an_empty_text_or_the_draft(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith(".docx"):
        made = docx.Document()
        for text in ("甲句。", "乙句。丙句。"):
            made.add_paragraph(text)
        made.save(str(path))
    else:
        path.write_text(FILES[name], "utf-8")
    sources = [segment.source for segment in read(path).segments]
    opened = with_proposals(path)
    count = len(sources) - 1
    assert summarise(opened.document).proposals == count > 0
    (found,) = exported(opened, tmp_path / "default").written
    assert [segment.source for segment in read(found).segments] == ["Good one.", *sources[1:]]
    (found,) = exported(opened, tmp_path / "empty", Proposals.EMPTY).written
    assert [segment.source for segment in read(found).segments] == ["Good one."]
    assert b"\0" not in found.read_bytes() or name.endswith(".docx")
    report = exported(opened, tmp_path / "written", Proposals.WRITE)
    written = " ".join(segment.source for segment in read(report.written[0]).segments)
    assert all(f"Poor {number}." in written for number in range(1, count + 1))
    opened.store.close()


def test_a_bilingual_file_gets_proposals_as_drafts_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.po"
    path.write_text('msgid "甲句"\nmsgstr ""\n\nmsgid "乙句"\nmsgstr ""\n', "utf-8")
    opened = with_proposals(path)
    for chosen in (Proposals.SOURCE, Proposals.EMPTY):
        (found,) = exported(opened, tmp_path / chosen, chosen).written
        assert [segment.target for segment in read(found).segments] == ["Good one.", ""]
    (found,) = exported(opened, tmp_path / "written", Proposals.WRITE).written
    second = read(found).segments[1]
    assert second.target == "Poor 1." and second.status is Status.DRAFT
    opened.store.close()


def test_a_table_that_is_translated_in_place_gets_empty_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text\n1,甲句\n2,乙句\n3,丙句\n", "utf-8")
    opened = with_proposals(path)
    (found,) = exported(opened, tmp_path / "empty", Proposals.EMPTY).written
    assert found.read_text("utf-8") == "id,text\n1,Good one.\n2,\n3,\n"
    opened.store.close()
