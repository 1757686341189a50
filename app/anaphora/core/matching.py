"""Translation units, their matches for a segment, and the adaptation of matches to the segment."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import code_of
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK, closes, marks_of, opens
from anaphora.core.text import NUMBER, RAISED, fold, plain_width, without_marks
from anaphora_text.han import UNSPACED_LETTERS
from anaphora_text.numbers.numerals import in_words

_THOUSANDS = re.compile(r",(?=\d{3}(?:\D|$))")
_OPEN, _CLOSE, _ALONE = "\ue000", "\ue001", "\ue002"
"""Characters that stand for an opening, a closing and a single tag."""
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LETTER = rf"[^\W\d_{UNSPACED_LETTERS}]"
_JOINED = re.compile(rf"(?:{_LETTER}|[{RAISED}ªº°])+")
"""Text that is written together with a number: a unit, the ending of an ordinal, an exponent."""
_WORD_AFTER = re.compile(rf"\s+({_LETTER})")
_ARTICLE = re.compile(r"\b[Aa]n?\s$")
_DATE = re.compile(
    r"(?<!\d)\d{1,4}\s?(?:[年月日号號]|[ap]\.?m\b|o['’]clock|noon)|(?<!\d)\d{1,4}[-/]\d{1,2}[-/]\d{1,4}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A source text and its tags in order; other text in braces is plain text."""

    text: str
    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, segment: Segment) -> TaggedText:
        return cls(segment.source, marks_of(segment))

    @property
    def folded(self) -> str:
        """See `core.text.fold`."""
        return fold(self.text, self.marks)


def adapt(target: str, old: TaggedText, new: TaggedText) -> str | None:
    """Turn a translation of `old` into a translation of `new`.

    `old` and `new` must have the same `folded` text. The values of numbers and the case of Latin words become
    those of `new`. The tags are renamed, left out, or put around the whole text.

    Args:
        target: the translation of `old`.
    Returns:
        the translation of `new`; None if the place of a tag or of a changed number in the translation is
        uncertain, or if a changed number may affect the words around it.
    """
    if old == new:
        return target
    plain_old, plain_new = (plain_width(without_marks(each.text, each.marks)) for each in (old, new))
    change_numbers = _number_change(plain_old, plain_new, without_marks(target, old.marks, " "))
    if change_numbers is None:
        return None
    change_case = _case_change(plain_old, plain_new)
    adapted = _change_between_marks(target, old.marks, lambda text: change_case(change_numbers(text)))
    return _with_marks(adapted, old, new) if old.marks or new.marks else adapted


def _change_between_marks(text: str, marks: Sequence[str], change: Callable[[str], str]) -> str:
    if not marks:
        return change(text)
    tags = "|".join(re.escape(mark) for mark in set(marks))
    pieces = re.split(f"({tags})", text)
    return "".join(piece if number % 2 else change(piece) for number, piece in enumerate(pieces))


def _value(number: str) -> str:
    return _THOUSANDS.sub("", number)


class _Numbers:
    def __init__(self, text: str) -> None:
        self.by_value: dict[str, list[re.Match[str]]] = defaultdict(list)
        for number in NUMBER.finditer(text):
            self.by_value[_value(number.group())].append(number)
        self._runs = {offset: run.group() for run in _JOINED.finditer(text) for offset in run.span()}
        self._dated = {offset for date in _DATE.finditer(text) for offset in range(*date.span())}

    def joined(self, numbers: Sequence[re.Match[str]]) -> set[tuple[bool, str]]:
        """Pairs (is_after, text) of the texts that directly follow or precede one of the numbers."""
        offsets = {(side > 0, number.span()[side]) for number in numbers for side in (0, 1)}
        return {(is_after, self._runs[offset]) for is_after, offset in offsets if offset in self._runs}

    def has_date(self, numbers: Sequence[re.Match[str]]) -> bool:
        """True if one of the numbers belongs to a date or a time of day."""
        return any(number.start() in self._dated for number in numbers)


def _number_change(old: str, new: str, target: str) -> Callable[[str], str] | None:
    """A function that replaces the numbers of `old` in a text by those of `new`. None if the replacement
    could make the target wrong."""
    new_numbers: dict[str, list[str]] = defaultdict(list)
    for before, after in zip(NUMBER.findall(old), NUMBER.findall(new), strict=True):
        new_numbers[_value(before)].append(after)
    source, translation = _Numbers(old), _Numbers(target)
    replacements: dict[str, str] = {}
    for value, numbers in new_numbers.items():
        values = {*map(_value, numbers)}
        if values == {value}:
            continue
        if len(values) > 1 or _is_risky(value, source, translation, "1" in {value, *values}):
            return None
        replacements[value] = numbers[0]
    if replacements and translation.by_value.keys() - source.by_value.keys():
        return None  # the target has a number that the source lacks: "12 months (1 year)"
    return lambda text: NUMBER.sub(lambda match: _new_number(match.group(), replacements), text)


def _is_risky(value: str, source: _Numbers, translation: _Numbers, has_one: bool) -> bool:
    """True if a number's position in the target is uncertain, or if other words may depend on the number.

    The position is uncertain if the target lacks the number, or has it more often than the source. Words may
    depend on a date, an ordinal (1st), a count (1 file; in Russian, also 2 files), a number after "a", or a
    number that is joined to letters or raised digits only in the target. The target may also repeat the
    number in words, as in "three (3) days".

    Args:
        has_one: the old or the new number is 1.
    """
    sources, targets = source.by_value[value], translation.by_value[value]
    words = [word[1] for each in targets if (word := _WORD_AFTER.match(each.string, each.end()))]
    ordinals = sum(each.string[: each.start()].rstrip().endswith("第") for each in sources)
    spelled = in_words(int(value)) if value.isdecimal() else None
    return (
        not 1 <= len(targets) <= len(sources)
        or (spelled is not None and re.search(rf"(?i)\b{spelled}\b", targets[0].string) is not None)
        or source.has_date(sources)
        or translation.has_date(targets)
        or not translation.joined(targets) <= source.joined(sources)
        or (has_one and len(words) > ordinals)
        or not "".join(words).isascii()
        or any(_ARTICLE.search(each.string[max(each.start() - 4, 0) : each.start()]) for each in targets)
    )


def _new_number(number: str, replacements: Mapping[str, str]) -> str:
    new = replacements.get(_value(number))
    if new is None:
        return number
    # Separate thousands as the old number does.
    if "," in number and new.isdecimal():
        return f"{int(new):,}"
    return new if "," in number or "," not in new else _value(new)


def _case_change(old: str, new: str) -> Callable[[str], str]:
    """A function that changes the case of Latin words in a text from the case in `old` to the case in `new`.
    It changes nothing if `old` and `new` have different numbers of Latin words."""
    before, after = _LATIN.findall(old), _LATIN.findall(new)
    if len(before) != len(after):
        return str
    renamed = {
        word: new_word
        for word, new_word in zip(before, after, strict=True)
        if word != new_word and word.casefold() == new_word.casefold()
    }
    if not renamed:
        return str
    return lambda text: _LATIN.sub(lambda match: renamed.get(match.group(), match.group()), text)


def _with_marks(target: str, old: TaggedText, new: TaggedText) -> str | None:
    """The target with the tags of `new`. If both texts have tags in the same places, the new tags replace
    the old ones; otherwise they go to the ends of the target. None if that is not possible."""
    if _with_signs(old.text, old.marks) == _with_signs(new.text, new.marks):
        return _rename(target, old.marks, new.marks)
    core, left = new.text.strip(), list(new.marks)
    before, after = "", ""
    while first := next((mark for mark in left if core.startswith(mark)), ""):
        before += first
        left.remove(first)
        core = core[len(first) :].lstrip()
    while last := next((mark for mark in reversed(left) if core.endswith(mark)), ""):
        after = last + after
        left.remove(last)
        core = core[: -len(last)].rstrip()
    return None if left else before + without_marks(target, old.marks).strip() + after


def _with_signs(text: str, marks: Sequence[str]) -> str:
    """A folded text without spaces, in which each tag is replaced by a character for its kind."""
    for mark in set(marks):
        text = text.replace(mark, _OPEN if opens(mark) else _CLOSE if closes(mark) else _ALONE)
    return fold(text).replace(" ", "")


def _rename(target: str, old: Sequence[str], new: Sequence[str]) -> str | None:
    """The target with tags renamed in one pass; None if a tag would need two names."""
    names: dict[str, str] = {}
    for before, after in zip(old, new, strict=True):
        if names.setdefault(before, after) != after:
            return None
    if not names:
        return target
    pattern = "|".join(re.escape(mark) for mark in names)
    return re.sub(pattern, lambda match: names[match.group()], target)


@dataclass(frozen=True, slots=True)
class Unit:
    """A translation unit.

    Attributes:
        source: the source text, with inline tags as in a segment.
        marks: the source's tags, in order, without text that only looks like a tag.
        source_language, target_language: language codes, as in the unit's file; "" if unknown.
        created, changed: seconds since 1970 (UTC); 0 when unknown.
        author: author of the last change.
        origin: the document or file that the unit came from.
        previous, following: sources of the neighbouring segments, without tags; "" at the ends of a
            document, None when unknown.
        key: the key of the confirmed segment from which the unit is updated; "" for an imported unit.
    """

    source: str
    target: str
    marks: tuple[str, ...] = ()
    source_language: str = ""
    target_language: str = ""
    created: int = 0
    changed: int = 0
    author: str = ""
    origin: str = ""
    previous: str | None = None
    following: str | None = None
    key: str = ""

    @property
    def tagged(self) -> TaggedText:
        return TaggedText(self.source, self.marks)

    @property
    def languages(self) -> tuple[str, str]:
        """See `short_codes`."""
        return short_codes(self.source_language, self.target_language)


def short_codes(source: str, target: str) -> tuple[str, str]:
    """The short codes of two languages, without regions and scripts."""
    return code_of(source), code_of(target)


# Percentages of matches; see `Match.percent`.
IN_CONTEXT = 101
EXACT = 100
ADAPTED = 99
UNADAPTED = 98
MIN_PERCENT = 60
"""Minimum percentage of a match."""

MAX_PAIRS = 400
"""Maximum number of pairs from `pairs_to_read`. More would take too long, because the engine decodes each."""
MATCHES_PER_SEGMENT = 2
"""Maximum number of matches of one segment in the result of `pairs_to_read`."""


@dataclass(frozen=True, slots=True)
class Query:
    """A segment to find matches for.

    Attributes:
        previous, following: sources of the neighbouring segments, without tags; "" at the ends of the
            document, None when unknown.
        key: the key of the segment's own unit, which is excluded.
        languages: excludes units with other languages; if None, units may have any languages.
    """

    source: TaggedText
    previous: str | None = None
    following: str | None = None
    key: str = ""
    languages: LanguagePair | None = None

    def admits(self, source: str, target: str) -> bool:
        """True if a unit with these language codes may be a match."""
        return self.languages is None or self.languages.has_codes(source, target)


@dataclass(frozen=True, slots=True)
class Match:
    """A unit that fits a segment.

    Attributes:
        percent: 100 for the same source, or 101 if the neighbours are also the same. If the sources differ
            only in tags, numbers, case, width or spaces, 99 with an adapted target and 98 without one. For
            other sources, the percentage of equal characters, but at most 98.
        target: the unit's target, adapted to the segment if possible.
        neighbours: number of equal neighbours, 0 to 2.
        memory: name of the memory that contains the unit.
    """

    unit: Unit
    percent: int
    target: str
    neighbours: int
    memory: str


def make_match(query: Query, unit: Unit, folded: str, query_folded: str, memory: str) -> Match | None:
    """A unit as a match for a query; None if its percentage is below `MIN_PERCENT`. `folded` and
    `query_folded` are the results of `fold` for the sources of the unit and the query."""
    neighbours = _same_neighbours(query, unit)
    new, old = query.source, unit.tagged
    if folded == query_folded:
        target = adapt(unit.target, old, new)
        if new.text == old.text:
            percent = IN_CONTEXT if _in_context(query, unit) else EXACT
        else:
            percent = UNADAPTED if target is None else ADAPTED
    else:
        percent, target = min(percent_alike(folded, query_folded), UNADAPTED), None
        if percent < MIN_PERCENT:
            return None
    return Match(unit, percent, unit.target if target is None else target, neighbours, memory)


def percent_alike(text: str, other: str) -> int:
    """Percentage of equal characters in two texts, rounded down: the length of the longer text minus the edit
    distance, divided by that length. Integers avoid rounding errors at `MIN_PERCENT`."""
    longest = max(len(text), len(other))
    return 100 * (longest - Levenshtein.distance(text, other)) // longest if longest else 100


def best_matches(matches: Iterable[Match], limit: int) -> tuple[Match, ...]:
    """At most `limit` matches with different targets, the highest percentages first. Among matches with the
    same percentage, those with more equal neighbours come first, then the newer ones."""
    ranked = sorted(
        matches, key=lambda match: (match.percent, match.neighbours, match.unit.changed), reverse=True
    )
    chosen: dict[str, Match] = {}
    for match in ranked:
        chosen.setdefault(match.target, match)
    return tuple(chosen.values())[:limit]


def _in_context(query: Query, unit: Unit) -> bool:
    """True if a unit has a neighbour, and each neighbour known for the unit equals the segment's neighbour.
    Some units store only one neighbour."""
    pairs = ((unit.previous, query.previous), (unit.following, query.following))
    known = [(old, new) for old, new in pairs if old is not None]
    return any(old for old, _ in known) and all(old == new for old, new in known)


def _same_neighbours(query: Query, unit: Unit) -> int:
    same_previous = query.previous is not None and query.previous == unit.previous
    same_following = query.following is not None and query.following == unit.following
    return same_previous + same_following


Find = Callable[[Query, int], tuple[Match, ...]]
"""A function that returns the best matches of a segment, up to a maximum number."""


def pairs_to_read(
    find: Find,
    queries: Iterable[Query],
    is_known: Callable[[Match], bool] = lambda match: False,
    stop: Callable[[], bool] = bool,
) -> tuple[tuple[str, str], ...]:
    """The best matches of segments, as pairs (source, target) without tags, in the order of the segments.

    The result has at most `MAX_PAIRS` pairs, each once; a pair with an empty text is left out.

    Args:
        is_known: returns True if the engine already has the match, which is then left out.
        stop: called between two segments; True ends the search.
    """
    pairs: dict[tuple[str, str], None] = {}
    for query in queries:
        if stop() or len(pairs) >= MAX_PAIRS:
            break
        for match in find(query, MATCHES_PER_SEGMENT):
            if not is_known(match):
                pairs[_without_marks(match.unit.source, match), _without_marks(match.unit.target, match)] = (
                    None
                )
    return tuple(pair for pair in pairs if all(pair))[:MAX_PAIRS]


def _without_marks(text: str, match: Match) -> str:
    """A text of a match's unit with single spaces, without the unit's tags."""
    marks = frozenset(match.unit.marks)
    return " ".join(MARK.sub(lambda mark: "" if mark.group() in marks else mark.group(), text).split())
