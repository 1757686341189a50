"""Which segments a Chinese→English engine drafts, copies and remembers."""

from __future__ import annotations

from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.core.text import has_han, needs_translation


def needs_draft(segment: Segment) -> bool:
    """Whether the engine has a first draft to make.

    Text in another language than Chinese, as most catalogues hold it, is for a person to translate.
    """
    return segment.status is Status.NOT_STARTED and needs_translation(segment.source)


def may_be_redrafted(segment: Segment) -> bool:
    """Whether a draft is the machine's, to be redone with what its memory has learned.

    A draft that came with its file is somebody's work.
    """
    is_given = bool(segment.given) and segment.target == segment.given
    return segment.status is Status.DRAFT and not is_given and needs_translation(segment.source)


def is_its_own_translation(segment: Segment) -> bool:
    """Whether a segment that has not been started needs no translation: it holds no Chinese.

    In formats whose units stand as they are (block "") another language is not left as it is: only what
    has no letters at all is copied.
    """
    if segment.status is not Status.NOT_STARTED or needs_translation(segment.source):
        return False
    return bool(segment.block) or not any(char.isalpha() for char in MARK.sub("", segment.source))


def fits_direction(source: str, target: str) -> bool:
    """Whether a pair is in the engine's direction, so that its memory may hold it: not one into Chinese."""
    return has_han(source) or not has_han(target)
