"""Missing, added, repeated and crossed tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from anaphora.core.language_pair import LanguagePair
from anaphora.core.tags import MARK
from anaphora.features.checks.segment.check import Check, Finding, RemarkKind, translate


def _insert(source: str, target: str, mark: str) -> str:
    """Insert a tag if it begins or ends the source, or belongs to a pair around the whole source."""
    match = MARK.fullmatch(mark)
    if match is None:
        return target
    text = source.strip()
    opening, closing = f"{{{match[2]}}}", f"{{/{match[2]}}}"
    if match[3]:
        if text.startswith(mark):
            return mark + target
        return target + mark if text.endswith(mark) else target
    if text.startswith(opening) and text.endswith(closing):
        return opening * (opening not in target) + target + closing * (closing not in target)
    return target


def _remove(source: str, target: str, mark: str) -> str:
    return target.replace(mark, "")


MISSING = Check("tag-missing", translate("Quality", "The tag {0} is missing."), RemarkKind.TAGS, _insert)
TOO_OFTEN = Check("tag-repeated", translate("Quality", "The tag {0} appears too often."), RemarkKind.TAGS)
UNKNOWN = Check("tag-added", translate("Quality", "The source has no tag {0}."), RemarkKind.TAGS, _remove)
CROSS = Check(
    "tag-order",
    translate("Quality", "The tags are out of order: a closing tag comes first, or two pairs overlap."),
    RemarkKind.TAGS,
)
CHECKS = (MISSING, TOO_OFTEN, UNKNOWN, CROSS)


def find(source: str, target: str, _: LanguagePair) -> Iterator[Finding]:
    expected, found = (Counter(match.group() for match in MARK.finditer(text)) for text in (source, target))
    if expected != found:
        yield from ((MISSING, mark) for mark in expected - found)
        yield from ((TOO_OFTEN, mark) for mark in found - expected if mark in expected)
        yield from ((UNKNOWN, mark) for mark in found if mark not in expected)
    elif _has_crossed_tags(target) and not _has_crossed_tags(source):
        yield CROSS, ""


def _has_crossed_tags(text: str) -> bool:
    """True if pairs cross, or a tag of a pair lacks its partner."""
    opened: list[str] = []
    for match in MARK.finditer(text):
        if match[3]:
            continue
        if not match[1]:
            opened.append(match[2])
        elif not opened or opened.pop() != match[2]:
            return True
    return bool(opened)
