"""Fitting a translation to another source that differs from its own in tags, numbers and case only."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.core.folding import NUMBER, fold, plain_width, without_marks
from anaphora.core.segment import Segment
from anaphora.core.tags import closes, marks_of, opens

_THOUSANDS = re.compile(r",(?=\d{3}(?:\D|$))")
_OPEN, _CLOSE, _ALONE = "\ue000", "\ue001", "\ue002"
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


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
        None where it cannot be told what has to change: a tag inside has no counterpart, or a changed number
        does not stand in the target as often as in the source.
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
    """What puts the numbers of `new` in the place of those of `old`; None where that is not clear."""
    pairs = list(zip(NUMBER.findall(old), NUMBER.findall(new), strict=True))
    if all(_value(before) == _value(after) for before, after in pairs):
        return str
    wanted: dict[str, list[str]] = defaultdict(list)
    for before, after in pairs:
        wanted[_value(before)].append(after)
    found = Counter(_value(number) for number in NUMBER.findall(target))
    queues: dict[str, deque[str]] = {}
    for value, numbers in wanted.items():
        if all(_value(number) == value for number in numbers):
            continue
        if len({_value(number) for number in numbers}) == 1:
            if not 1 <= found[value] <= len(numbers):
                return None
        elif found[value] != len(numbers):
            return None
        queues[value] = deque(numbers[: found[value]])

    def change(text: str) -> str:
        return NUMBER.sub(lambda match: _next_number(match.group(), queues), text)

    return change


def _next_number(number: str, queues: dict[str, deque[str]]) -> str:
    queue = queues.get(_value(number))
    if not queue:
        return number
    new = queue.popleft()
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
