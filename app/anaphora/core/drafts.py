"""Which segments the engine drafts and copies."""

from __future__ import annotations

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK


def needs_draft(segment: Segment, pair: LanguagePair = CHINESE_TO_ENGLISH) -> bool:
    """Whether the engine has a first draft to make.

    Text in another language than the pair's source, as most catalogues hold it, is for a person to translate.
    """
    return segment.status is Status.NOT_STARTED and pair.needs_translation(segment.source)


def may_be_redrafted(segment: Segment, pair: LanguagePair = CHINESE_TO_ENGLISH) -> bool:
    """Whether a draft is the machine's, to be redone with what its memory has learned.

    A draft that came with its file is somebody's work.
    """
    is_given = bool(segment.given) and segment.target == segment.given
    return segment.status is Status.DRAFT and not is_given and pair.needs_translation(segment.source)


def is_its_own_translation(segment: Segment, pair: LanguagePair = CHINESE_TO_ENGLISH) -> bool:
    """Whether a segment that has not been started needs no translation: it is not in the source language.

    In formats whose units stand as they are another language is not left as it is: only what has no letters
    at all is copied.
    """
    if segment.status is not Status.NOT_STARTED or pair.needs_translation(segment.source):
        return False
    return segment.span is not None or not any(char.isalpha() for char in MARK.sub("", segment.source))
