"""All checks, in the order of their remarks."""

from __future__ import annotations

from anaphora.features.checks import quality_document
from anaphora.features.checks.segment import endings, lengths, numbers, quantities, tags, verbatim, wording
from anaphora.features.checks.segment.check import Check, Finder, Remark, RemarkKind, translate

EMPTY = Check("empty", translate("Quality", "The translation is empty."), RemarkKind.LENGTH)
SAME = Check(
    "untranslated",
    translate("Quality", "The translation is the same as the source."),
    RemarkKind.LEFT_OVER,
)
CHINESE_LEFT = Check(
    "source-left", translate("Quality", "Untranslated Chinese text: “{0}”."), RemarkKind.LEFT_OVER
)
SOURCE_LEFT = Check(
    "source-left", translate("Quality", "Untranslated source text: “{0}”."), RemarkKind.LEFT_OVER
)
TERM_IGNORED = Check(
    "term-ignored", translate("Quality", "“{0}” should be translated as “{1}”."), RemarkKind.TERMS
)
TERM_FORBIDDEN = Check(
    "term-forbidden",
    translate("Quality", "“{1}” must not be used for the term “{0}”."),
    RemarkKind.TERMS,
)
NOT_CARRIED = Check("not-carried-over", translate("Quality", "Missing: {0}"), RemarkKind.ENGINE)

_GENERAL = (tags, verbatim, numbers, quantities)
"""Modules with checks of every translation that is neither empty nor equal to its source."""
_WORDING = (wording, endings, lengths)
"""Modules with checks for sources that need translation; targets with untranslated text are skipped."""
GENERAL_FINDERS: tuple[Finder, ...] = tuple(module.find for module in _GENERAL)
WORDING_FINDERS: tuple[Finder, ...] = tuple(module.find for module in _WORDING)
CHECKS: tuple[Check, ...] = (
    *(EMPTY, SAME, CHINESE_LEFT, SOURCE_LEFT, TERM_IGNORED, TERM_FORBIDDEN, NOT_CARRIED),
    *(check for module in (*_GENERAL, *_WORDING) for check in module.CHECKS),
    *quality_document.CHECKS,
)
CHECK_BY_MESSAGE = {check.message: check for check in CHECKS}
"""Checks by their messages, which are the templates of remarks."""

ENGINE = "engine"
"""The name for the engine's remarks, except those of `NOT_CARRIED`."""
CHECK_NAMES = tuple(sorted({*(check.name for check in CHECKS), ENGINE}))
"""The names of all checks, by which scripts refer to them; sorted, each once."""


def check_name(remark: Remark) -> str:
    check = CHECK_BY_MESSAGE.get(remark.template)
    return ENGINE if check is None else check.name
