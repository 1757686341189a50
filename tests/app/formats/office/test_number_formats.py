"""Chinese words in number formats, which are not translated, are counted."""

from __future__ import annotations

from pathlib import Path

import docx_samples as samples
import pytest

from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[3] / "golden"


@pytest.mark.parametrize(
    ("name", "part", "behind", "added"),
    [
        ("project-plan.xlsx", "styles.xml", "</styleSheet>", '<numFmt formatCode="0&quot;万元&quot;"/>'),
        ("project-plan.xlsx", "charts/chart", "</c:valAx>", '<c:numFmt formatCode="0&quot;亿&quot;"/>'),
        ("react-conf.pptx", "charts/chart", "</c:valAx>", '<c:formatCode>0"亿"</c:formatCode>' * 2),
    ],
)
def test_formats_with_words_are_counted(name: str, part: str, behind: str, added: str) -> None:
    data = (GOLDEN / name.rpartition(".")[2] / name).read_bytes()
    parts = samples.entries(data)
    found = next(key for key in parts if part in key and behind.encode() in parts[key])
    changed = parts[found].replace(behind.encode(), f"{added}{behind}".encode(), 1)
    notes = read_bytes(samples.repacked(data, {found: changed}), name).notes
    assert "Words in number and date formats are not translated: 1." in notes
