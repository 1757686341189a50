"""Names of what the checks find, for scripts: they never change, whatever language the messages are in."""

from __future__ import annotations

from anaphora.checks import quality
from anaphora.checks.segment.registry import CHECKS
from anaphora.core.remarks import Remark

LOW_CONFIDENCE = "low-confidence"
"""A machine draft that is likely to be poor, or has an invented word."""
ENGINE = "engine"
"""What the engine said of a draft, if that has no name of its own."""

_NAMES = {
    quality.EMPTY: "empty",
    quality.SAME: "untranslated",
    quality.TAG_MISSING: "tag-missing",
    quality.TAG_TOO_OFTEN: "tag-repeated",
    quality.TAG_UNKNOWN: "tag-added",
    quality.TAGS_CROSS: "tag-order",
    quality.URL_MISSING: "address-missing",
    quality.NUMBER_MISSING: "number-missing",
    quality.NUMBER_ADDED: "number-added",
    quality.CHINESE_LEFT: "source-left",
    quality.SOURCE_LEFT: "source-left",
    quality.FORBIDDEN: "character-forbidden",
    quality.DIRECTION: "direction-mark",
    quality.FORMAT_MISSING: "format-string-missing",
    quality.FORMAT_ADDED: "format-string-added",
    quality.DOUBLED: "word-doubled",
    quality.WIDE: "full-width-mark",
    quality.NARROW: "latin-mark",
    quality.SPACING: "spacing",
    quality.NO_QUESTION: "question-lost",
    quality.SHORT: "too-short",
    quality.LONG: "too-long",
    quality.TERM_IGNORED: "term-ignored",
    quality.TERM_FORBIDDEN: "term-forbidden",
    quality.OTHER_TARGET_SAID: "translated-otherwise",
    quality.OTHER_SOURCE_SAID: "same-translation",
    quality.OTHER_NAME_SAID: "name-otherwise",
    quality.INVENTED_SAID: "word-invented",
    quality.TOO_FAST: "reading-speed",
    quality.OVER_LIMIT: "length-limit",
    quality.TIME_LINE: "time-line",
    quality.NOT_CARRIED: "not-carried-over",
    **{check.says: check.name for check in CHECKS},
}
KINDS = tuple(sorted({*_NAMES.values(), ENGINE, LOW_CONFIDENCE}))
"""All names."""


def kind_of(remark: Remark) -> str:
    """The name of what a check says."""
    return _NAMES.get(remark.template, ENGINE)
