"""The title among the properties of a presentation or workbook: its last segment."""

from __future__ import annotations

import re
from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[3] / "golden"


@pytest.mark.parametrize("file", ["pptx/react-conf.pptx", "xlsx/project-plan.xlsx"])
def test_document_title_is_read(file: str) -> None:
    original = (GOLDEN / file).read_bytes()
    core = samples.entries(original)["docProps/core.xml"].decode()
    core = re.sub(r"<dc:title ?/>|<dc:title>.*?</dc:title>", "", core)
    core = core.replace("</cp:coreProperties>", "<dc:title>文档的题目</dc:title></cp:coreProperties>")
    data = samples.repacked(original, {"docProps/core.xml": core.encode()})
    document = read_bytes(data, file)
    *others, title = document.segments
    assert title.source == "文档的题目" and title.notes[0].text == "Title of the document"
    before = read_bytes(original, file)
    assert [s.id for s in others][:5] == [s.id for s in before.segments][:5]
    rendered = samples.entries(render(data, document.format, {title.id: "The title"}))
    assert b"<dc:title>The title</dc:title>" in rendered["docProps/core.xml"]
