"""Rules for drafting: the segments that need drafts or copies, and the states that drafts lead to.

A draft that is probably too poor to edit is a proposal. A segment with a proposal counts as not started and
has an empty target; the segment's report contains the draft's text until the user accepts the proposal. So
code that reads targets (checks, terms, memories, statistics) ignores proposals.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from anaphora.core.draft_report import DraftReport
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.tags import MARK
from anaphora_text.numbers.signs import narrowed

EMPTY = "\0"
"""The target of a segment that is exported as empty text; no file contains this character."""


class Proposals(StrEnum):
    """The text that an export writes for a segment with a proposal: its source, no text, or the proposal."""

    SOURCE = "source"
    EMPTY = "empty"
    WRITE = "write"


def state_of(text: str, report: DraftReport | None) -> SegmentState:
    """The state of a segment with a new draft; a draft that is probably unusable becomes a proposal."""
    if report is not None and report.quality is not None and report.quality.unusable and text.strip():
        return SegmentState(report=replace(report, proposal=text))
    return SegmentState(text, Status.DRAFT, report)


def redrafted_state(
    segment: Segment, text: str, report: DraftReport | None, follows_correction: bool = False
) -> SegmentState:
    """The state of a segment with the newer draft `text`; see `state_of`.

    In a segment with the status DRAFT, the text becomes the target even if it is estimated to be unusable,
    provided that it equals the target or uses a correction by the user (`follows_correction`).
    """
    if report is not None and report.quality is not None and segment.status is Status.DRAFT:
        unusable = report.quality.unusable and segment.target != text and not follows_correction
        report = replace(report, quality=replace(report.quality, unusable=unusable))
    return state_of(text, report)


def proposal_of(state: SegmentState) -> str:
    """The text of a segment's proposal; "" if there is none, or if the segment is started."""
    return state.report.proposal if state.report is not None and state.status is Status.NOT_STARTED else ""


def is_drafted(state: SegmentState) -> bool:
    return state.status is not Status.NOT_STARTED or bool(proposal_of(state))


def with_proposal(segment: Segment) -> Segment:
    if not (proposal := proposal_of(segment.state)):
        return segment
    report = segment.state.report
    assert report is not None
    return segment.with_state(SegmentState(proposal, Status.DRAFT, replace(report, proposal="")))


def as_exported(segment: Segment, proposals: Proposals, is_bilingual: bool) -> Segment:
    """The segment as an export writes it: `proposals` determines the target of a segment with a proposal.

    A bilingual file contains the source anyway, so `Proposals.EMPTY` has no effect on it.
    """
    if not proposal_of(segment.state) or not segment.block or proposals is Proposals.SOURCE:
        return segment
    if proposals is Proposals.WRITE:
        return with_proposal(segment)
    return segment if is_bilingual else segment.with_state(SegmentState(EMPTY, Status.DRAFT))


def needs_draft(segment: Segment, pair: LanguagePair = CHINESE_TO_ENGLISH) -> bool:
    """True if a segment needs a first draft: it is not started, and its source has text to translate."""
    state = segment.state  # fast, because this runs for every segment when a project is opened
    if state.status is not Status.NOT_STARTED or proposal_of(state):
        return False
    return pair.needs_translation(segment.source)


def may_be_redrafted(segment: Segment, pair: LanguagePair = CHINESE_TO_ENGLISH) -> bool:
    """True if a better draft may replace the segment's draft or proposal, because the machine made it.

    A target from the document's file counts as a person's work.
    """
    is_from_file = bool(segment.file_target) and segment.target == segment.file_target
    is_draft = segment.status is Status.DRAFT and not is_from_file
    return (is_draft or bool(proposal_of(segment.state))) and pair.needs_translation(segment.source)


def is_unstarted(segment: Segment, pair: LanguagePair = CHINESE_TO_ENGLISH) -> bool:
    """True if a segment is not started, or contains only a machine draft that may be replaced."""
    return segment.status is Status.NOT_STARTED or may_be_redrafted(segment, pair)


def match_of(state: SegmentState) -> int:
    """The percentage of the match that the translation memory filled in; 0 for other or confirmed targets.

    The status of a segment with such a match is `EDITED`, so the engine does not replace the text.
    """
    return state.report.match if state.report is not None and state.status is Status.EDITED else 0


def is_written(segment: Segment) -> bool:
    """True if a person wrote or confirmed the target, or if the file contained it. False for an empty target,
    and for a match that the translation memory filled in, until it is confirmed."""
    if segment.status is Status.DRAFT:
        return bool(segment.file_target) and segment.target == segment.file_target
    return bool(segment.target.strip()) and not match_of(segment.state)


def is_its_own_translation(segment: Segment, pair: LanguagePair = CHINESE_TO_ENGLISH) -> bool:
    """True if a segment is not started and its source can be copied, because it has no text to translate.

    In a format with fixed units (`span` is None), a source with letters of any language is not copied.
    """
    if segment.status is not Status.NOT_STARTED or pair.needs_translation(segment.source):
        return False
    return segment.span is not None or not any(char.isalpha() for char in MARK.sub("", segment.source))


def own_translation(source: str, pair: LanguagePair = CHINESE_TO_ENGLISH) -> str:
    """The target for a source that needs no translation: the source itself. Its full-width digits and signs
    become plain if it has no letters and the translation is from Chinese into a language without Han."""
    is_from_chinese = pair.source_language.code == "zh" and "Han" not in pair.target_language.scripts
    return narrowed(source) if is_from_chinese and not any(map(str.isalpha, MARK.sub("", source))) else source
