"""Contexts distinguish segments with the same source."""

from __future__ import annotations

import pytest

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment


@pytest.mark.parametrize(
    ("details", "counts"),
    [
        ((), True),
        (("x-mmq-context",), True),
        (("gettext-msgctxt",), True),
        (("sourcefile",), False),
        (("linenumber",), False),
    ],
)
def test_a_place_in_a_program_is_not_a_context(details: tuple[str, ...], counts: bool) -> None:
    segment = Segment("a", "打开", notes=(Note(NoteKind.CONTEXT, "menu", details),))
    assert bool(segment.contexts) == counts
