"""Documents change through change sets only."""

from __future__ import annotations

import pytest

from anaphora.core.document import Document, StaleEditError
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import AnaphoraError, ExportError
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.text import has_han

EMPTY = SegmentState()
DRAFT = SegmentState("Draft.", Status.DRAFT)


@pytest.fixture
def document() -> Document:
    return Document("a.txt", [Segment(str(number), f"第{number}句") for number in range(3)])


def test_lookups(document: Document) -> None:
    assert len(document) == 3
    assert document.at(1).id == "1" and document.row("2") == 2 and document.get("0").source == "第0句"
    with pytest.raises(KeyError):
        document.get("9")


def test_applying_and_undoing(document: Document) -> None:
    changes = ChangeSet((Edit("0", EMPTY, DRAFT), Edit("2", EMPTY, DRAFT)))
    document.apply(changes)
    assert [segment.target for segment in document] == ["Draft.", "", "Draft."]
    document.apply(changes.inverse)
    assert all(segment.state == EMPTY for segment in document)
    assert changes.inverse.segments == ("2", "0")


def test_a_stale_edit_changes_nothing(document: Document) -> None:
    with pytest.raises(StaleEditError):
        document.apply(ChangeSet((Edit("0", EMPTY, DRAFT), Edit("1", DRAFT, EMPTY))))
    assert document.get("0").state == EMPTY


def test_ids_must_be_unique() -> None:
    with pytest.raises(ValueError, match="unique"):
        Document("a", [Segment("1", "a"), Segment("1", "b")])


def test_errors_read_as_message_and_advice() -> None:
    error = ExportError("It failed.", "Try again.")
    assert isinstance(error, AnaphoraError)
    assert (str(error), error.message, error.advice) == ("It failed. Try again.", "It failed.", "Try again.")
    assert str(ExportError("It failed.")) == "It failed."


@pytest.mark.parametrize(
    ("text", "answer"), [("Linux 5.10", False), ("a中b", True), ("，。", False), ("𠀀", True)]
)
def test_what_needs_translation_has_chinese(text: str, answer: bool) -> None:
    assert has_han(text) is answer and LanguagePair().needs_translation(text) is answer
