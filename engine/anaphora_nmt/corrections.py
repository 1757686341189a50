"""Corrections: renderings that a translator replaced in drafts. Frozen, plain, picklable, torch-free."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, Self

from anaphora_nmt.errors import SteeringError
from anaphora_text.inflections import inflections
from anaphora_text.unspaced import is_of_spaced_word, noun_edges

_noun_edges = lru_cache(2_000)(noun_edges)


@dataclass(frozen=True, slots=True)
class Correction:
    """A rendering that a translator replaced in a draft.

    Attributes:
        rejected: the phrase's rendering in the draft.
        chosen: the translator's rendering.
        segment: id of the draft's segment; empty for a correction from another project or a pack.
        scope: drafts of segments whose ids begin with this text follow the correction; empty for all drafts.
        revoked_by: id of a segment that was confirmed later with the rejected rendering; empty while the
            correction is in force.
        everywhere: whether the correction applies to all projects. The engine ignores this.
        fit: log-probability of the confirmed text minus that of the same text with the rejected rendering,
            in nats; None if unknown.
    Raises:
        SteeringError: the source or the chosen rendering is empty.
    """

    source: str
    rejected: str
    chosen: str
    segment: str = ""
    scope: str = ""
    revoked_by: str = ""
    everywhere: bool = False
    fit: float | None = None

    def __post_init__(self) -> None:
        if not (self.source.strip() and self.chosen.strip()):
            raise SteeringError("A correction needs a source phrase and a rendering.")

    def applies_in(self, segment: str) -> bool:
        return not self.revoked_by and segment.startswith(self.scope)

    def places_in(self, source: str) -> list[tuple[int, int]]:
        """(start, end) of each place where the phrase stands as whole words in a source without tags."""
        spans = (match.span() for match in re.finditer(re.escape(self.source), source, re.IGNORECASE))
        return [(start, end) for start, end in spans if _is_edge(source, start) and _is_edge(source, end)]

    def chosen_in(self, target: str) -> bool:
        """True if a target has the chosen rendering, in any inflection, outside the rejected rendering."""
        rest = _remove_rendering(target, self.rejected) if _contains(self.rejected, self.chosen) else target
        return _has_rendering(rest, self.chosen)

    def rejected_in(self, target: str) -> bool:
        """True if a target has the rejected rendering, in any inflection, outside the chosen rendering."""
        rest = _remove_rendering(target, self.chosen) if _contains(self.chosen, self.rejected) else target
        return bool(self.rejected) and _has_rendering(rest, self.rejected)

    def rejected_places(self, target: str) -> list[re.Match[str]]:
        """Positions of the rejected rendering, in any inflection, but not inside the chosen one."""
        longer = inflections(self.chosen) if _contains(self.chosen, self.rejected) else ()
        inside = [match.span() for form in longer for match in _pattern(form).finditer(target)]
        return [
            match
            for form in (inflections(self.rejected) if self.rejected else ())
            for match in _pattern(form).finditer(target)
            if not any(start <= match.start() and match.end() <= end for start, end in inside)
        ]

    def to_plain(self) -> dict[str, Any]:
        """Plain values for JSON. Empty and false values are left out, but not a `fit` of 0."""
        values = asdict(self).items()
        return {name: value for name, value in values if value or (name == "fit" and value is not None)}

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_plain`. SteeringError if the values have another form."""
        kinds: dict[str, Any] = {field.name: str for field in fields(cls)}
        kinds |= {"everywhere": bool, "fit": int | float}
        known = isinstance(values, Mapping) and {"source", "chosen"} <= set(values) <= set(kinds)
        if not known or not all(isinstance(value, kinds[name]) for name, value in values.items()):
            raise SteeringError("This is not a correction: {values}", values=values)
        return cls(**{"rejected": "", **values})


def corrections_to_plain(corrections: Iterable[Correction]) -> list[dict[str, Any]]:
    return [each.to_plain() for each in corrections]


def corrections_from_plain(values: Sequence[Mapping[str, Any]]) -> tuple[Correction, ...]:
    """The inverse of `corrections_to_plain`. SteeringError if the values have another form."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise SteeringError("This is not a correction: {values}", values=values)
    return tuple(Correction.from_plain(each) for each in values)


def reassign(corrections: Iterable[Correction], segments: Mapping[str, str]) -> tuple[Correction, ...]:
    """Give corrections the new ids of their segments (`segments`, by old id).

    Corrections from removed segments are left out; those that a removed segment revoked are in force again.
    """
    return tuple(
        replace(each, segment=segments.get(each.segment, ""), revoked_by=segments.get(each.revoked_by, ""))
        for each in corrections
        if not each.segment or each.segment in segments
    )


def _is_edge(text: str, place: int) -> bool:
    if not 0 < place < len(text):
        return True
    if is_of_spaced_word(text[place - 1]) and is_of_spaced_word(text[place]):
        return False
    return place in _noun_edges(text) or not (text[place - 1].isalnum() and text[place].isalnum())


def _has_rendering(text: str, rendering: str) -> bool:
    return any(_pattern(form).search(text) for form in inflections(rendering))


def _remove_rendering(text: str, rendering: str) -> str:
    for form in sorted(inflections(rendering), key=len, reverse=True):
        text = _pattern(form).sub(" ", text)
    return text


def _contains(longer: str, shorter: str) -> bool:
    return len(longer) > len(shorter) > 0 and _has_rendering(longer, shorter)


@lru_cache(8_000)
def _pattern(form: str) -> re.Pattern[str]:
    """A pattern for a form in any case: as whole words, or anywhere in scripts without spaces."""
    before = r"(?<![^\W_])" if is_of_spaced_word(form[:1]) else ""
    after = r"(?![^\W_])" if is_of_spaced_word(form[-1:]) else ""
    return re.compile(before + re.escape(form) + after, re.IGNORECASE)
