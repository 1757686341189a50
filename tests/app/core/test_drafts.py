"""What the engine may draft: Chinese that nobody has translated, and its own drafts again."""

from __future__ import annotations

import pytest

from anaphora.core.drafts import is_its_own_translation, may_be_redrafted, needs_draft
from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.segment import Segment, SegmentState, Span, Status

UNTOUCHED = SegmentState()


@pytest.mark.parametrize(
    ("source", "span", "draft", "copy"),
    [
        ("账本", (0, 2), True, False),
        ("账本", None, True, False),
        ("Ledger", (0, 6), False, True),
        ("Ledger", None, False, False),
        ("{1/} – 42", None, False, True),
    ],
)
def test_what_happens_to_an_untouched_segment(
    source: str, span: Span | None, draft: bool, copy: bool
) -> None:
    segment = Segment("1", source, UNTOUCHED, "#0", span)
    assert (needs_draft(segment), is_its_own_translation(segment)) == (draft, copy)
    edited = segment.with_state(SegmentState("x", Status.EDITED))
    assert not needs_draft(edited) and not is_its_own_translation(edited)


def test_a_draft_of_the_file_is_not_the_machines() -> None:
    draft = SegmentState("ledger", Status.DRAFT)
    assert may_be_redrafted(Segment("1", "账本", draft))
    assert not may_be_redrafted(Segment("1", "账本", draft, given="ledger"))
    assert may_be_redrafted(Segment("1", "账本", draft, given="account book"))
    assert not may_be_redrafted(Segment("1", "ledger", SegmentState("账本", Status.DRAFT)))


def test_which_pairs_fit_the_direction() -> None:
    assert CHINESE_TO_ENGLISH.fits("账本", "ledger") and CHINESE_TO_ENGLISH.fits("AlexNet", "AlexNet")
    assert not CHINESE_TO_ENGLISH.fits("ledger", "账本")
