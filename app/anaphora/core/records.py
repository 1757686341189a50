"""Records of a segment besides its state: comments and earlier texts."""

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
        moment: as ISO 8601 in UTC, to the second.
    """

    id: str
    segment: str
    author: str
    moment: str
    text: str


@dataclass(frozen=True, slots=True)
class CommentChange:
    """A comment to add or to remove."""

    comment: Comment
    removed: bool = False


@dataclass(frozen=True, slots=True)
class OfferedDraft:
    """A newer draft of a segment, offered because the user was reading the old one.

    Attributes:
        current: the draft in the target.
        cause: id of the segment whose confirmation, or its withdrawal, led to the draft; may be empty.
    """

    segment: str
    current: str
    text: str
    cause: str = ""
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class PastState:
    """An earlier text of a segment.

    Attributes:
        moment: its beginning, as ISO 8601 in UTC, to the second.
        author: its author; `MACHINE` for a draft.
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
