"""Changes to documents and their previews; comments, offered drafts and past texts of segments."""

from __future__ import annotations

import getpass
from dataclasses import dataclass, replace

from anaphora.core.segment import Segment, SegmentState, Status


@dataclass(frozen=True, slots=True)
class Edit:
    """One segment's change of state; `segment` is its id."""

    segment: str
    before: SegmentState
    after: SegmentState

    @property
    def is_approval(self) -> bool:
        """True if the edit only approves a text, or only withdraws the approval of a text."""
        approved = self.before.approved
        return self.after.approved is not approved and replace(self.after, approved=approved) == self.before


@dataclass(frozen=True, slots=True)
class Resegmentation:
    """Neighbouring segments of one block replaced by others: a merge, a split, or their inverse."""

    document: str
    before: tuple[Segment, ...]
    after: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Edits that are applied, stored and undone together.

    `is_redraft` means that they replace drafts by those of another model, which the user has chosen.
    """

    edits: tuple[Edit, ...]
    is_redraft: bool = False

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(edit.segment for edit in self.edits)


@dataclass(frozen=True, slots=True)
class Preview:
    """A proposed change of one segment's target.

    Attributes:
        before, after: the current and the proposed target.
        is_written: a person wrote or confirmed the target, so the user must select the change.
        is_word_exchange: only words are exchanged, so a confirmed segment stays confirmed.
    """

    segment: str
    before: str
    after: str
    tags: tuple[tuple[str, str], ...] = ()
    is_written: bool = False
    is_word_exchange: bool = False


MACHINE = ""
"""The author of the machine's drafts, and of matches that the translation memory filled in."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment by a person on a segment; `time` is ISO 8601 in UTC, to the second."""

    id: str
    segment: str
    author: str
    time: str
    text: str


@dataclass(frozen=True, slots=True)
class CommentChange:
    """A comment to add, or to remove if `removed`."""

    comment: Comment
    removed: bool = False


@dataclass(frozen=True, slots=True)
class OfferedDraft:
    """A newer draft of a segment, offered because the user was reading the old one.

    Attributes:
        cause: id of the segment whose confirmation or unconfirmation led to the newer draft; "" if unknown.
        is_revoked: the segment `cause` was unconfirmed.
    """

    segment: str
    current: str
    text: str
    cause: str = ""
    is_revoked: bool = False


@dataclass(frozen=True, slots=True)
class PastState:
    """An earlier text of a segment; `author` may be `MACHINE`. `time` is ISO 8601 in UTC."""

    time: str
    author: str
    status: Status
    target: str


def user_name() -> str:
    """The user's name in the operating system; "" if unknown."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
