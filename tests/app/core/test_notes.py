"""Notes are kept as they are; those of older projects are understood."""

from __future__ import annotations

import json

import pytest

from anaphora.core.notes import Note, NoteKind, pack, unpack


def test_notes_come_back_from_json() -> None:
    notes = tuple(Note(kind, f"text\n{kind.name}", ("1", "2")) for kind in NoteKind)
    notes += (Note(NoteKind.COMMENT, "text"), Note(NoteKind.COMMENT, "text", ("1",)))
    assert unpack(json.loads(json.dumps(pack(notes)))) == notes


def test_lines_of_older_projects_become_notes() -> None:
    lines = [
        "Context (file): a.c",
        "Translator's comment: 译注\n第二行",
        "Plural form 2 of 3: n = 2, 3, 4…",
        "Plural form 1 of 1",
        "00:00:01,000 → 00:00:02,500",
        "Slide 2: Alternative text of a picture",
    ]
    assert unpack(lines) == (
        Note(NoteKind.CONTEXT, "a.c", ("file",)),
        Note(NoteKind.TRANSLATOR_COMMENT, "译注\n第二行"),
        Note(NoteKind.PLURAL_FORM, "n = 2, 3, 4…", ("2", "3")),
        Note(NoteKind.PLURAL_FORM, "", ("1", "1")),
        Note(NoteKind.TIME, "00:00:01,000 → 00:00:02,500"),
        Note(NoteKind.PLACE, "Slide 2: Alternative text of a picture"),
    )


@pytest.mark.parametrize("packed", [5, [5], [[]], [["note"]], [["unheard-of", "text"]], [["note", 5]]])
def test_anything_else_is_an_error_that_the_store_knows(packed: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        unpack(packed)  # type: ignore[arg-type]
