"""Chinese words in formats of numbers, which stay, are named."""

from __future__ import annotations

from pathlib import Path

import docx_samples as samples
import pytest

from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[3] / "golden"
SAYS = "Formats of numbers and dates keep their words: 1."
STYLES = (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts>'
    '<numFmt numFmtId="200" formatCode="0.0&quot;万元&quot;"/>'
    '<numFmt numFmtId="201" formatCode="0&quot;个&quot;"/>'
    '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="{}"/></cellXfs></styleSheet>'
)


def notes(name: str, part: str, content: bytes) -> tuple[str, ...]:
    data = (GOLDEN / name.rpartition(".")[2] / name).read_bytes()
    assert part in samples.entries(data)
    return read_bytes(samples.repacked(data, {part: content}), name).notes


def test_formats_of_cells_that_are_in_use_are_counted() -> None:
    assert SAYS in notes("project-plan.xlsx", "xl/styles.xml", STYLES.format(200).encode())
    for nothing in (STYLES.format(1).encode(), b"damaged"):
        said = notes("project-plan.xlsx", "xl/styles.xml", nothing)
        assert not any("Formats of numbers" in note for note in said)
    both = STYLES.format(200).replace("</cellXfs>", '<xf numFmtId="201"/></cellXfs>')
    assert f"{SAYS[:-2]}2." in notes("project-plan.xlsx", "xl/styles.xml", both.encode())


@pytest.mark.parametrize("name", ["react-conf.pptx", "project-plan.xlsx"])
def test_formats_of_charts_are_counted(name) -> None:
    data = (GOLDEN / name.rpartition(".")[2] / name).read_bytes()
    parts = samples.entries(data)
    chart = next(key for key in parts if "/charts/chart" in key and b"</c:valAx>" in parts[key])
    code = '<c:numFmt formatCode="0&quot;亿&quot;" sourceLinked="0"/></c:valAx>'
    changed = parts[chart].replace(b"</c:valAx>", code.encode(), 1)
    assert SAYS in notes(name, chart, changed)


def test_formats_of_points_of_charts_are_counted_once_each() -> None:
    data = (GOLDEN / "pptx" / "react-conf.pptx").read_bytes()
    parts = samples.entries(data)
    chart = next(key for key in parts if "/charts/chart" in key and b"</c:valAx>" in parts[key])
    code = '<c:formatCode>0"亿"</c:formatCode>' * 2 + '<c:numFmt formatCode="0&quot;个&quot;"/></c:valAx>'
    changed = parts[chart].replace(b"</c:valAx>", code.encode(), 1)
    assert f"{SAYS[:-2]}2." in notes("react-conf.pptx", chart, changed)
