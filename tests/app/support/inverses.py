"""The inverse of a change, which returns to the state before it."""

from __future__ import annotations

from typing import TypeVar

from anaphora.core.edits import ChangeSet, Edit, Resegmentation

Change = TypeVar("Change", ChangeSet, Resegmentation)


def inverse_of(change: Change) -> Change:
    if isinstance(change, Resegmentation):
        return Resegmentation(change.document, change.after, change.before)
    return ChangeSet(tuple(Edit(each.segment, each.after, each.before) for each in reversed(change.edits)))
