"""Documents in languages other than Chinese: each sentence is a segment, counted and written back."""

from __future__ import annotations

import docx_samples as samples
import pytest
from rendering import render
from sentence_samples import OTHERS

from anaphora.core.document import SourceDocument
from anaphora.formats.registry import read_bytes


def _document(language: str, name: str) -> SourceDocument:
    text = ("" if language == "ja" else " ").join(OTHERS[language])
    data = samples.paragraph(f"<w:r><w:t>{text}</w:t></w:r>") if name.endswith("docx") else text.encode()
    return read_bytes(data, name)


@pytest.mark.parametrize("name", ["a.docx", "a.md", "a.html"])
@pytest.mark.parametrize("language", ["ja", "de", "ar", "th", "ru", "hi"])
def test_a_document_is_segmented_counted_and_written(language: str, name: str) -> None:
    document = _document(language, name)
    assert [segment.source for segment in document.segments] == OTHERS[language]
    assert render(document.data, document.format, {}) == document.data
    targets = {segment.id: f"Sentence {n}." for n, segment in enumerate(document.segments)}
    again = read_bytes(render(document.data, document.format, targets), name)
    text = " ".join(segment.source for segment in again.segments)
    assert all(target in text for target in targets.values())
