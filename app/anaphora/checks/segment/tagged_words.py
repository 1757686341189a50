"""Pairs of tags inside words (the 2 of CO₂) and around indices ([1]) that enclose something else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from anaphora.checks.segment.check import MOST, Check, translate
from anaphora.core.folding import plain_width
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora.core.tags import MARK
from anaphora_text.held_words import UNSPACED, held_word, whole_places


def _find(source: str, target: str, pair: LanguagePair) -> Iterator[str]:
    plain = MARK.sub("", source)
    enclosed = _enclosed(target)
    said = MARK.sub("", target)
    for number, (start, end) in islice(_enclosed(source).items(), MOST):
        word = held_word(plain, start, end)
        if word is None or number not in enclosed or UNSPACED.search(plain[word[0] : word[1]]):
            continue
        if word == (start, end) and plain[start:end].isalnum():
            continue  # a number by itself may be written in letters
        first, last = enclosed[number]
        if plain_width(said[first:last]).strip() != plain_width(plain[start:end]).strip():
            yield plain[word[0] : word[1]]


def _mend(source: str, target: str, word: str) -> str:
    """The tags are put where they stand in the source's word, if both texts have it in one place only."""
    plain = MARK.sub("", source)
    places = whole_places(plain, word)
    if len(places) != 1:
        return target
    span = (places[0], places[0] + len(word))
    inside = {number for number, each in _enclosed(source).items() if held_word(plain, *each) == span}
    rest = MARK.sub(lambda mark: "" if mark[2] in inside else mark.group(), target)
    places = whole_places(rest, word)
    if len(places) != 1:
        return target
    tagged: list[str] = []
    done = gone = 0
    for mark in MARK.finditer(source):
        if mark[2] in inside:
            at = mark.start() - gone - span[0]
            tagged += (word[done:at], mark.group())
            done = at
        gone += len(mark.group())
    return "".join((rest[: places[0]], *tagged, word[done:], rest[places[0] + len(word) :]))


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


CHECK = Check(
    "tag-moved",
    translate("Quality", "The tags of “{0}” enclose something else than in the source."),
    RemarkKind.TAGS,
    _find,
    _mend,
)
