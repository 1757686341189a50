"""Fitting a translation to another source that differs from its own in tags, numbers and case only."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anaphora.core.folding import NUMBER, RAISED, fold, plain_width, without_marks
from anaphora.core.segment import Segment
from anaphora.core.tags import closes, marks_of, opens
from anaphora_text.han import UNSPACED_LETTERS

_THOUSANDS = re.compile(r",(?=\d{3}(?:\D|$))")
_OPEN, _CLOSE, _ALONE = "\ue000", "\ue001", "\ue002"
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LETTER = rf"[^\W\d_{UNSPACED_LETTERS}]"
_JOINED = re.compile(rf"(?:{_LETTER}|[{RAISED}ªº°])+")
"""What is written together with a number: a unit, the end of an ordinal, an exponent."""
_WORD_BEHIND = re.compile(rf"\s+({_LETTER})")
_ARTICLE = re.compile(r"\b[Aa]n?\s$")
_DATE = re.compile(r"(?<!\d)\d{1,4}\s?[年月日号號]|(?<!\d)\d{1,4}[-/]\d{1,2}[-/]\d{1,4}")


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A source text that knows which of its braces are tags."""

    text: str
    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, segment: Segment) -> TaggedText:
        return cls(segment.source, marks_of(segment))

    @property
    def folded(self) -> str:
        return fold(self.text, self.marks)


def adapt(target: str, old: TaggedText, new: TaggedText) -> str | None:
    """A translation of `old` as one of `new`.

    Numbers and the case of Latin words become those of `new`, tags are renamed, left out, or put around the
    whole.

    Args:
        target: the translation of `old`.
    Returns:
        None where it cannot be told what has to change: a tag inside has no counterpart, or it is not certain
        where a changed number stands in the target, or what else changes with it there.
    """
    if old == new:
        return target
    plain_old, plain_new = (plain_width(without_marks(each.text, each.marks)) for each in (old, new))
    change_numbers = _number_change(plain_old, plain_new, without_marks(target, old.marks, " "))
    if change_numbers is None:
        return None
    change_case = _case_change(plain_old, plain_new)
    adapted = _between_marks(target, old.marks, lambda text: change_case(change_numbers(text)))
    return _with_marks(adapted, old, new) if old.marks or new.marks else adapted


def _between_marks(text: str, marks: Sequence[str], change: Callable[[str], str]) -> str:
    if not marks:
        return change(text)
    tags = "|".join(re.escape(mark) for mark in set(marks))
    pieces = re.split(f"({tags})", text)
    return "".join(piece if number % 2 else change(piece) for number, piece in enumerate(pieces))


def _value(number: str) -> str:
    return _THOUSANDS.sub("", number)


def _number_change(old: str, new: str, target: str) -> Callable[[str], str] | None:
    """What puts the numbers of `new` in the place of those of `old`; None where that is not certain."""
    pairs = list(zip(NUMBER.finditer(old), NUMBER.findall(new), strict=True))
    wanted: dict[str, list[tuple[re.Match[str], str]]] = defaultdict(list)
    for before, after in pairs:
        wanted[_value(before.group())].append((before, after))
    renamed: dict[str, str] = {}
    for value, places in wanted.items():
        values = {_value(after) for _, after in places}
        if values == {value}:
            continue
        found = [number for number in NUMBER.finditer(target) if _value(number.group()) == value]
        if len(values) > 1 or not 1 <= len(found) <= len(places):
            return None
        sources = [before for before, _ in places]
        if _changes_words(found, sources, "1" in {value, *values}):
            return None
        renamed[value] = places[0][1]
    return lambda text: NUMBER.sub(lambda match: _renamed(match.group(), renamed), text)


def _changes_words(found: Sequence[re.Match[str]], sources: Sequence[re.Match[str]], has_one: bool) -> bool:
    """Whether the words around a number may have to change with it.

    So it is in dates, of ordinals (1st), of numbers of things (1 file; in Russian of 2 files, too), behind
    "a", and where the target joins other letters or raised digits to the number than the source.

    Args:
        found: where the number stands in the target.
        sources: where it stands in the source.
        has_one: the number is 1, or becomes 1.
    """
    known = {each for source in sources for each in _joined(source)}
    words = [word[1] for each in found if (word := _WORD_BEHIND.match(each.string, each.end()))]
    named = sum(each.string[: each.start()].rstrip().endswith("第") for each in sources)
    return (
        any(map(_is_dated, (*found, *sources)))
        or not known.issuperset(each for number in found for each in _joined(number))
        or (has_one and len(words) > named)
        or not "".join(words).isascii()
        or any(_ARTICLE.search(each.string[: each.start()]) for each in found)
    )


def _joined(number: re.Match[str]) -> Iterator[tuple[bool, str]]:
    """What is written together with a number, behind it (True) or before it."""
    for run in _JOINED.finditer(number.string):
        if number.end() == run.start() or run.end() == number.start():
            yield number.end() == run.start(), run.group()


def _is_dated(number: re.Match[str]) -> bool:
    return any(date.start() <= number.start() < date.end() for date in _DATE.finditer(number.string))


def _renamed(number: str, renamed: Mapping[str, str]) -> str:
    new = renamed.get(_value(number))
    if new is None:
        return number
    # The target keeps its own way to write thousands.
    if "," in number and new.isdecimal():
        return f"{int(new):,}"
    return new if "," in number or "," not in new else _value(new)


def _case_change(old: str, new: str) -> Callable[[str], str]:
    """What gives Latin words of the source the case that they have in the other source."""
    before, after = _LATIN.findall(old), _LATIN.findall(new)
    if len(before) != len(after):
        return str
    renamed = {
        one: other
        for one, other in zip(before, after, strict=True)
        if one != other and one.casefold() == other.casefold()
    }
    if not renamed:
        return str
    return lambda text: _LATIN.sub(lambda match: renamed.get(match.group(), match.group()), text)


def _with_marks(target: str, old: TaggedText, new: TaggedText) -> str | None:
    """The target with the tags of `new`: in the place of those of `old`, or at its ends."""
    if _placed(old.text, old.marks) == _placed(new.text, new.marks):
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


def _placed(text: str, marks: Sequence[str]) -> str:
    """A text's folded form with the kinds of its tags where they stand, whatever they are called."""
    for mark in set(marks):
        text = text.replace(mark, _OPEN if opens(mark) else _CLOSE if closes(mark) else _ALONE)
    return fold(text).replace(" ", "")


def _rename(target: str, old: Sequence[str], new: Sequence[str]) -> str | None:
    """The target with tags renamed in one pass; None where a name would have to become two."""
    names: dict[str, str] = {}
    for before, after in zip(old, new, strict=True):
        if names.setdefault(before, after) != after:
            return None
    if not names:
        return target
    pattern = "|".join(re.escape(mark) for mark in names)
    return re.sub(pattern, lambda match: names[match.group()], target)
