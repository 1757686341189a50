"""Format strings of programs (%d, {name})."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from anaphora.core.language_pair import LanguagePair
from anaphora.features.checks.segment.check import Check, Finding, RemarkKind, translate

_PRINTF = re.compile(r"%(?:\d++\$|\(\w++\))?[-+0#]*+\d*+(?:\.\d++)?(?:hh|h|ll|l|z)?[sdiufxXeEgGc@]")
_BRACES = re.compile(r"\$\{\w+\}|\{\{\s*\w+\s*\}\}|\{[A-Za-z_]\w*\}")


def _exchange(source: str, target: str, _: str) -> str:
    """Replace the only added format string by the only missing one."""
    missing, added = _differing(source, target)
    return target.replace(added[0], missing[0]) if len(missing) == len(added) == 1 else target


MISSING = Check(
    "format-string-missing",
    translate("Quality", "The format string {0} is missing."),
    RemarkKind.TAGS,
    _exchange,
)
ADDED = Check(
    "format-string-added",
    translate("Quality", "The source has no format string {0}."),
    RemarkKind.TAGS,
    _exchange,
)
CHECKS = (MISSING, ADDED)


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    if pair.needs_translation(source):
        missing, added = _differing(source, target)
        yield from ((MISSING, text) for text in missing)
        yield from ((ADDED, text) for text in added)


def _differing(source: str, target: str) -> tuple[list[str], list[str]]:
    """Missing format strings, and added ones."""
    wanted, found = (
        Counter(match.group() for pattern in (_PRINTF, _BRACES) for match in pattern.finditer(text))
        for text in (source, target)
    )
    return list(wanted - found), list(found - wanted)
