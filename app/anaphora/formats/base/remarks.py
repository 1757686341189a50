"""Notes on a file as a whole (`Opened.notes`): messages, to be shown in the window's language."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.errors import Message

FORMULAS = Message("Formulas are not translated: {count}.")


def counted(found: Iterable[tuple[Message, int]]) -> tuple[Message, ...]:
    """Notes with a field `count`, each with its value; those of 0 are left out."""
    return tuple(Message(note.template, count=count) for note, count in found if count)
