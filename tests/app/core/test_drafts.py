"""The engine drafts only untranslated Chinese and replaces only its own drafts."""

from __future__ import annotations

import pytest

from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import (
    is_drafted,
    is_its_own_translation,
    is_unstarted,
    match_of,
    may_be_redrafted,
    needs_draft,
    own_translation,
    proposal_of,
    redrafted_state,
    state_of,
    with_proposal,
)
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, SegmentState, Span, Status
from anaphora.features.checks.quality import remarks_on
from anaphora.features.quality.expected_quality import (
    FIRST_DRAFTS,
    MIN_PROPOSALS,
    is_unlike,
    mean_of_first,
    quality_of,
)
from anaphora_nmt.types import DraftQuality

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
def test_untouched_segments_are_drafted_copied_or_skipped(
    source: str, span: Span | None, draft: bool, copy: bool
) -> None:
    segment = Segment("1", source, UNTOUCHED, "#0", span)
    assert (needs_draft(segment), is_its_own_translation(segment)) == (draft, copy)
    edited = segment.with_state(SegmentState("x", Status.EDITED))
    assert not needs_draft(edited) and not is_its_own_translation(edited)


def test_a_filled_in_match_is_not_drafted_again() -> None:
    report = DraftReport(match=101)
    filled = Segment("1", "账本", SegmentState("ledger", Status.EDITED, report))
    assert match_of(filled.state) == 101
    assert not is_unstarted(filled) and not may_be_redrafted(filled) and not needs_draft(filled)
    assert quality_of(filled.state) is None
    assert not match_of(SegmentState("ledger", Status.CONFIRMED, report)), "it counts as a person's work"
    assert not match_of(SegmentState("ledger", Status.EDITED)) and not match_of(UNTOUCHED)


def test_empty_segments_and_machine_drafts_are_unstarted() -> None:
    draft = SegmentState("ledger", Status.DRAFT)
    assert is_unstarted(Segment("1", "账本")) and is_unstarted(Segment("1", "账本", draft))
    assert is_unstarted(Segment("1", "账本", SegmentState(report=DraftReport(proposal="ledger"))))
    assert not is_unstarted(Segment("1", "账本", draft, file_target="ledger"))
    assert not is_unstarted(Segment("1", "账本", SegmentState("", Status.EDITED))), "a person cleared it"
    assert not is_unstarted(Segment("1", "账本", SegmentState("", Status.LOCKED)))


def test_a_draft_from_the_file_is_not_a_machine_draft() -> None:
    draft = SegmentState("ledger", Status.DRAFT)
    assert may_be_redrafted(Segment("1", "账本", draft))
    assert not may_be_redrafted(Segment("1", "账本", draft, file_target="ledger"))
    assert may_be_redrafted(Segment("1", "账本", draft, file_target="account book"))
    assert not may_be_redrafted(Segment("1", "ledger", SegmentState("账本", Status.DRAFT)))


def test_pairs_of_texts_fit_the_direction() -> None:
    assert CHINESE_TO_ENGLISH.fits("账本", "ledger") and CHINESE_TO_ENGLISH.fits("AlexNet", "AlexNet")
    assert not CHINESE_TO_ENGLISH.fits("ledger", "账本")


def test_only_an_unusable_draft_becomes_a_proposal() -> None:
    poor = DraftReport.of(DraftQuality(0.3, unusable=True), ("Missing: 5",))
    good = DraftReport.of(DraftQuality(0.6))
    for report in (good, None, DraftReport.of(DraftQuality(0.1, True))):
        assert state_of("The ledger", report) == SegmentState("The ledger", Status.DRAFT)
        assert proposal_of(state_of("The ledger", report)) == ""
    state = state_of("The lot", poor)
    assert (state.target, state.status, proposal_of(state)) == ("", Status.NOT_STARTED, "The lot")
    segment = Segment("1", "账本", state)
    assert is_drafted(state) and not is_drafted(SegmentState())
    assert not needs_draft(segment) and may_be_redrafted(segment)
    accepted = with_proposal(segment).state
    assert (accepted.target, accepted.status, proposal_of(accepted)) == ("The lot", Status.DRAFT, "")
    assert remarks_on(segment) == () and remarks_on(with_proposal(segment)) != ()
    written = segment.with_state(SegmentState("", Status.EDITED, state.report))
    assert proposal_of(written.state) == "", "a person emptied it"


def test_an_unchanged_draft_stays_when_its_expected_quality_drops() -> None:
    poor = DraftReport.of(DraftQuality(0.3, unusable=True))
    segment = Segment("1", "账本", SegmentState("The lot", Status.DRAFT, DraftReport.of(DraftQuality(0.6))))
    again = redrafted_state(segment, "The lot", poor)
    assert again == SegmentState("The lot", Status.DRAFT) and not quality_of(again).unusable
    assert proposal_of(redrafted_state(segment, "A lot", poor)) == "A lot"
    assert redrafted_state(segment, "A lot", poor, follows_correction=True).target == "A lot"
    proposed = Segment("1", "账本", state_of("The lot", poor))
    assert proposal_of(redrafted_state(proposed, "The lot", poor)) == "The lot"
    assert redrafted_state(proposed, "The lot", DraftReport.of(DraftQuality(0.6))).target == "The lot"
    assert redrafted_state(segment, "The lot", None) == SegmentState("The lot", Status.DRAFT)


def test_proposals_count_as_drafts_in_the_quality_of_a_document() -> None:
    poor = [
        state_of("The lot", DraftReport.of(DraftQuality(0.3, unusable=True))) for _ in range(FIRST_DRAFTS)
    ]
    qualities = [quality_of(each) for each in poor]
    assert mean_of_first([each for each in qualities if each is not None]) == pytest.approx(0.3)
    assert is_unlike(None, 0.4, MIN_PROPOSALS, 4 * MIN_PROPOSALS)
    assert not is_unlike(None, 0.4, MIN_PROPOSALS, 4 * MIN_PROPOSALS + 1)
    assert not is_unlike(0.5, 0.4, MIN_PROPOSALS - 1, 5)


def test_a_text_without_letters_is_drafted_by_rule() -> None:
    drafts = {text: own_translation(text) for text in ("￥１２，０００", "（１）", "１２．５％", "你好１")}
    assert drafts == {"￥１２，０００": "¥12,000", "（１）": "(1)", "１２．５％": "12.5%", "你好１": "你好１"}
    assert own_translation("１２．５％", LanguagePair("zh", "ja")) == "１２．５％"
