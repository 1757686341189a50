"""Documents change through change sets only."""

from __future__ import annotations

import pytest
from inverses import inverse_of

from anaphora.core.document import Document, StaleEditError
from anaphora.core.edits import ChangeSet, Edit, Resegmentation
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
    document.apply(inverse_of(changes))
    assert all(segment.state == EMPTY for segment in document)
    assert inverse_of(changes).segments == ("2", "0")


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
def test_texts_with_chinese_need_translation(text: str, answer: bool) -> None:
    assert has_han(text) is answer and LanguagePair().needs_translation(text) is answer


def test_neighbouring_segments_are_replaced(document: Document) -> None:
    first, second, third = document
    whole = Segment("0", "第0句第1句")
    change = Resegmentation("d", (first, second), (whole,))
    assert document.check_resegmentation(change) == 0
    document.resegment(change)
    assert list(document) == [whole, third] and document.row("2") == 1 and not document.has("1")
    document.resegment(inverse_of(change))
    assert list(document) == [first, second, third] and document.row("2") == 2
    last = Resegmentation("d", (third,), (third, Segment("3", "第3句")))
    assert document.check_resegmentation(last) == 2


def test_a_stale_resegmentation_is_refused(document: Document) -> None:
    first, second, third = document
    stale = [(), (first, third), (second, first), (Segment("9", "第9句"),), (Segment("0", "anders"),)]
    stale.append((third, Segment("3", "第3句")))
    for before in stale:
        with pytest.raises(StaleEditError):
            document.resegment(Resegmentation("d", before, (Segment("7", "new"),)))
    with pytest.raises(StaleEditError):
        Document("empty", []).resegment(Resegmentation("d", (), ()))
    for after in ((Segment("2", "a"),), (Segment("7", "a"), Segment("7", "b"))):
        with pytest.raises(ValueError, match="unique"):
            document.resegment(Resegmentation("d", (first, second), after))
    assert list(document) == [first, second, third]
