"""A segment: the part of a document that the editor shows as one row."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from anaphora.core.draft_report import DraftReport
from anaphora.core.notes import Note, NoteKind

Span = tuple[int, int]
"""Start and end offsets of a sentence in a text, without surrounding white space."""


class Status(IntEnum):
    """The progress of a segment. The values are stored in project files: never renumber."""

    NOT_STARTED = 0
    DRAFT = 1
    EDITED = 2
    CONFIRMED = 3
    LOCKED = 4


@dataclass(frozen=True, slots=True)
class SegmentState:
    """The part of a segment that edits replace.

    Attributes:
        target: target text with inline tags, as in `Segment.source`.
        report: data about a draft or a filled-in match; None once the text is edited. Comparisons
            ignore the report: a new estimate for the same draft is not a change to undo.
        approved: a reviewer has approved the segment; its status is then CONFIRMED.
    """

    target: str = ""
    status: Status = Status.NOT_STARTED
    report: DraftReport | None = field(default=None, compare=False)
    approved: bool = False

    def is_as_stored(self, other: SegmentState) -> bool:
        """True if a project stores the same data for both states; unlike `==`, this compares the reports."""
        return self == other and self.report == other.report


@dataclass(frozen=True, slots=True)
class Segment:
    """One row of the editor.

    Attributes:
        source: source text with inline tags `{1}`…`{/1}` or `{1/}`.
        block: the address, in the file, of the segment's block (a paragraph, a cell, a unit of a bilingual
            file); "" if the file no longer has the block.
        span: the segment's position in the block's text without tags; None for a block that stays one
            segment, even with several sentences.
        document: id of the segment's document in the project; "" outside a project.
        notes: the file's notes for the translator: context, comments, limits.
        tags: pairs (tag, label) of the opening and single tags.
        file_target: the target in a bilingual file, which no machine draft replaces; "" if there is none.
    """

    id: str
    source: str
    state: SegmentState = SegmentState()
    block: str = ""
    span: Span | None = None
    document: str = ""
    notes: tuple[Note, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    file_target: str = ""

    @property
    def target(self) -> str:
        return self.state.target

    @property
    def status(self) -> Status:
        return self.state.status

    @property
    def contexts(self) -> tuple[Note, ...]:
        """The context that distinguishes segments with the same source: a msgctxt, a plural form.

        Contexts of other types are left out, because they only locate a text: a row, a line of a program.
        """
        plain = {NoteKind.PLURAL_FORM: True, NoteKind.CONTEXT: False}
        notes = ((note, plain[note.kind] or not note.details) for note in self.notes if note.kind in plain)
        types = ("msgctxt", "mmq-context")
        return tuple(note for note, is_plain in notes if is_plain or note.details[0].endswith(types))

    def with_state(self, state: SegmentState) -> Segment:
        # `replace` takes eight times as long, and this runs for each row of a document.
        return Segment(
            self.id,
            self.source,
            state,
            self.block,
            self.span,
            self.document,
            self.notes,
            self.tags,
            self.file_target,
        )


def id_in_project(document: str, segment: str) -> str:
    """A segment's id in its project, from its id in the file; unchanged if `document` is ""."""
    return f"{document}/{segment}" if document else segment


def document_id(segment: str) -> str:
    return segment.partition("/")[0]
