"""Tags that are missing, too many, crossed, or around something else than in the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from anaphora.checks.segment.check import MOST, Check, Said, translate
from anaphora.core.folding import plain_width
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora.core.tags import MARK
from anaphora_text.held_words import UNSPACED, held_word


def _put(source: str, target: str, mark: str) -> str:
    """A tag at the source's very beginning or end, or a pair around it, is put there in the target, too."""
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


MISSING = Check("tag-missing", translate("Quality", "The tag {0} is missing."), RemarkKind.TAGS, _put)
TOO_OFTEN = Check("tag-repeated", translate("Quality", "The tag {0} appears too often."), RemarkKind.TAGS)
UNKNOWN = Check("tag-added", translate("Quality", "The source has no tag {0}."), RemarkKind.TAGS, _remove)
CROSS = Check(
    "tag-order",
    translate("Quality", "The tags are out of order: a pair closes before it opens, or two pairs cross."),
    RemarkKind.TAGS,
)
MOVED = Check(
    "tag-moved",
    translate("Quality", "The tags of “{0}” enclose something else than in the source."),
    RemarkKind.TAGS,
)
CHECKS = (MISSING, TOO_OFTEN, UNKNOWN, CROSS, MOVED)


def find(source: str, target: str, _: LanguagePair) -> Iterator[Said]:
    """Of tags that enclose something else, those inside words (the 2 of CO₂) and around indices ([1])."""
    wanted, found = (Counter(match.group() for match in MARK.finditer(text)) for text in (source, target))
    if wanted != found:
        yield from ((MISSING, mark) for mark in wanted - found)
        yield from ((TOO_OFTEN, mark) for mark in found - wanted if mark in wanted)
        yield from ((UNKNOWN, mark) for mark in found if mark not in wanted)
    elif _crossed(target) and not _crossed(source):
        yield CROSS, ""
    plain, said = MARK.sub("", source), MARK.sub("", target)
    enclosed = _enclosed(target)
    for number, (start, end) in islice(_enclosed(source).items(), MOST):
        word = held_word(plain, start, end)
        if word is None or number not in enclosed or UNSPACED.search(plain[word[0] : word[1]]):
            continue
        if word == (start, end) and plain[start:end].isalnum():
            continue  # a number by itself may be written in letters
        first, last = enclosed[number]
        if plain_width(said[first:last]).strip() != plain_width(plain[start:end]).strip():
            yield MOVED, plain[word[0] : word[1]]


def _crossed(target: str) -> bool:
    opened: list[str] = []
    for match in MARK.finditer(target):
        if match[3]:
            continue
        if not match[1]:
            opened.append(match[2])
        elif not opened or opened.pop() != match[2]:
            return True
    return bool(opened)


def _enclosed(text: str) -> dict[str, tuple[int, int]]:
    """What each pair encloses in a text without tags, by its number."""
    found: dict[str, tuple[int, int]] = {}
    opened: dict[str, int] = {}
    gone = 0
    for match in MARK.finditer(text):
        at = match.start() - gone
        gone += len(match.group())
        if not match[1] and not match[3]:
            opened[match[2]] = at
        elif match[1] and match[2] in opened:
            found[match[2]] = (opened.pop(match[2]), at)
    return found
