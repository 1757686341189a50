"""Every element for text in the schemas of Word and OpenDocument: offered, counted, or known not to be shown.

The names are those that the fuzzer puts in (tests/benchmarks/schema_elements.json).
"""

from __future__ import annotations

from pathlib import Path

import docx_samples as samples
import pytest

from anaphora.core.counting import WordCount, count_words
from anaphora.core.source import SourceDocument
from anaphora.formats.registry import read_bytes

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
GOLDEN = Path(__file__).parents[2] / "golden"
NOT_SHOWN = {
    "docx": {"w:instrText", "w:del", "w:moveFrom"},
    # Readings over characters, which nobody translates.
    "docx readings": {"w:rt"},
    # No run may stand in these: Word does not open such a file.
    "docx broken": {"w:t", "m:t", "w:fldChar"},
    # Data of the file, of forms, and numbers that the program puts in front of headings.
    "odt": {
        *("form:item", "form:option", "office:binary-data", "office:script", "text:number"),
        *("presentation:date-time-decl", "presentation:footer-decl", "presentation:header-decl"),
    },
    "odt readings": {"text:ruby-text"},
}


def missed(document: SourceDocument) -> int:
    """Letters that were counted and are not offered."""
    offered = sum((count_words(segment.source) for segment in document.segments), WordCount())
    assert document.counted is not None
    return document.counted.characters - offered.characters


def test_runs_in_every_element_of_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fuzz_schema

    elements = [element for element in fuzz_schema.elements("docx") if "@" not in element]
    texts = {element: f"夹带{chr(0x4E00 + number)}字" for number, element in enumerate(elements)}
    pieces = {
        element: fuzz_schema.fragment("docx", element, f"<w:r><w:t>{text}</w:t></w:r>")
        for element, text in texts.items()
    }
    document = read_bytes(samples.paragraph("".join(pieces.values())), "a.docx")
    said = "\n".join(segment.source for segment in document.segments)
    offered = {element for element, text in texts.items() if text in said}
    assert offered >= {
        "w:ins",
        "w:hyperlink",
        "w:smartTag",
        "w:customXml",
        "w:bdo",
        "w:fldSimple",
        "w:moveTo",
    }
    not_shown = NOT_SHOWN["docx"] | NOT_SHOWN["docx readings"] | NOT_SHOWN["docx broken"]
    assert not offered & not_shown
    assert missed(document) == 4 * len({*elements} - offered - not_shown)


def test_text_in_every_element_of_opendocument(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fuzz_schema

    data = (GOLDEN / "odt" / "privacy.odt").read_bytes()
    content = samples.entries(data)["content.xml"].decode()
    in_text = [e for e in fuzz_schema.elements("odt") if "@" not in e]
    # What takes text only in paragraphs is none of these, and what the file's own description holds.
    named = [e for e in in_text if e.startswith(("text:", "form:", "presentation:", "svg:", "office:script"))]
    direct = [e for e in named if e not in ("text:section", "form:textarea", "text:index-title-template")] + [
        "office:binary-data"
    ]
    pieces = {element: f"夹带{chr(0x4E00 + number)}字" for number, element in enumerate(direct)}
    added = "".join(
        f"<text:p>{fuzz_schema.fragment('odt', element, text)}</text:p>" for element, text in pieces.items()
    )
    changed = content.replace("</office:text>", added + "</office:text>").encode()
    before = missed(read_bytes(data, "a.odt"))
    document = read_bytes(samples.repacked(data, {"content.xml": changed}), "a.odt")
    said = "\n".join(segment.source for segment in document.segments)
    left_out = [element for element, text in pieces.items() if text not in said]
    assert {"text:p", "text:span", "text:meta", "text:ruby-base", "svg:title"} <= {*pieces} - {*left_out}
    shown = [e for e in left_out if e not in NOT_SHOWN["odt"] | NOT_SHOWN["odt readings"]]
    assert missed(document) - before == 4 * len(shown)
