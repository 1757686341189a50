"""Missing, added, repeated and crossed tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK, wrong_marks
from anaphora.features.checks.segment.check import Check, Finding, RemarkKind, translate
from anaphora.formats.base.placeholders import numbered


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
    translate(
        "Quality", "Tags are out of order: pairs cross or are reversed, or placeholders changed places."
    ),
    RemarkKind.TAGS,
)
CHECKS = (MISSING, TOO_OFTEN, UNKNOWN, CROSS)


def find(source: str, target: str, _: LanguagePair) -> Iterator[Finding]:
    own, used = ([match.group() for match in MARK.finditer(text)] for text in (source, target))
    expected, found = Counter(own), Counter(used)
    if expected != found:
        yield from ((MISSING, mark) for mark in expected - found)
        yield from ((TOO_OFTEN, mark) for mark in found - expected if mark in expected)
        yield from ((UNKNOWN, mark) for mark in found if mark not in expected)
    elif wrong_marks(used, used) and not wrong_marks(own, own):
        yield CROSS, ""


def find_moved(segment: Segment) -> Iterator[Finding]:
    """A changed order of placeholders that take arguments in order, such as `{}`."""
    labels = numbered([label for _, label in segment.tags])
    ordered = [mark for (mark, old), new in zip(segment.tags, labels, strict=True) if old != new]
    found = [match.group() for match in MARK.finditer(segment.target) if match.group() in ordered]
    if found != sorted(found, key=ordered.index):
        yield CROSS, ""
