"""Notes are kept as they are."""

from __future__ import annotations

import json

import pytest

from anaphora.core.notes import Note, NoteKind, pack, unpack


def test_notes_come_back_from_json() -> None:
    notes = tuple(Note(kind, f"text\n{kind.name}", ("1", "2")) for kind in NoteKind)
    notes += (Note(NoteKind.COMMENT, "text"), Note(NoteKind.COMMENT, "text", ("1",)))
    assert unpack(json.loads(json.dumps(pack(notes)))) == notes


@pytest.mark.parametrize("packed", [5, [5], [[]], [["note"]], [["unheard-of", "text"]], [["note", 5]]])
def test_anything_else_is_an_error_that_the_store_knows(packed: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        unpack(packed)  # type: ignore[arg-type]
