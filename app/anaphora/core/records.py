"""Records of a segment beside its state: comments and earlier texts."""

from __future__ import annotations

import getpass
from dataclasses import dataclass

from anaphora.core.segment import Status

MACHINE = ""
"""The author of the machine's drafts."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark of a person about a segment.

    Attributes:
        segment: id of the segment.
        moment: when, as ISO 8601 in UTC, to the second.
    """

    id: str
    segment: str
    author: str
    moment: str
    text: str


@dataclass(frozen=True, slots=True)
class CommentChange:
    """A comment that is to be kept, or no longer."""

    comment: Comment
    removed: bool = False


@dataclass(frozen=True, slots=True)
class OfferedDraft:
    """A newer draft of a segment whose draft the user was reading.

    Attributes:
        cause: id of the segment whose confirmation, or its taking back, led to it; empty if none did.
    """

    segment: str
    standing: str
    text: str
    cause: str = ""
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class PastState:
    """A text that a segment had.

    Attributes:
        moment: since when, as ISO 8601 in UTC, to the second.
        author: who made it so; `MACHINE` for a draft.
    """

    moment: str
    author: str
    status: Status
    target: str


def user_name() -> str:
    """The name of the user in the system; "" if unknown."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
