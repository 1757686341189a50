"""Notes on a file as a whole (`Opened.notes`), as messages that can be translated."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.errors import Message

FORMULAS = Message("Formulas are not translated: {count}.")


def counted(found: Iterable[tuple[Message, int]]) -> tuple[Message, ...]:
    """Fill in the field `count` of notes; those with 0 are left out."""
    return tuple(Message(note.template, count=count) for note, count in found if count)
