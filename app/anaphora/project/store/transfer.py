"""Transfer of translations to a new version of a document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from anaphora.core.document import SourceDocument
from anaphora.core.drafts import is_written
from anaphora.core.notes import NoteKind
from anaphora.core.segment import Segment, Status

_NAMES = (NoteKind.NAME, NoteKind.CONTEXT, NoteKind.PLURAL_FORM)


@dataclass(frozen=True, slots=True)
class Transfer:
    """A new version of a document, with the old translations.

    Attributes:
        new_ids: the ids of the new segments by the ids of the old segments that they match.
        lost: a person's work that matches no new segment.
    """

    document: SourceDocument
    new_ids: dict[str, str]
    lost: tuple[Segment, ...]


def transfer_translations(old: Sequence[Segment], new: SourceDocument) -> Transfer:
    """Copy the translations of old segments to new segments with the same source; see `_match`.

    If the new file has a target, it replaces an old text that nobody wrote or that the old file contained.

    Args:
        old: the segments of the old version, with their ids in the file.
    """
    matched = _match(old, new.segments)
    segments = tuple(_translated(each, matched.get(each.id, each)) for each in new.segments)
    new_ids = {match.id: key for key, match in matched.items()}
    unmatched = (each for each in old if each.id not in new_ids)
    lost = tuple(each for each in unmatched if each.status in (Status.EDITED, Status.CONFIRMED))
    return Transfer(replace(new, segments=segments), new_ids, lost)


def _translated(new: Segment, old: Segment) -> Segment:
    is_outdated = not is_written(old) or old.target == old.file_target != new.file_target
    is_kept = old.status is Status.NOT_STARTED or (new.file_target and is_outdated)
    return new if is_kept else new.with_state(old.state)


def _match(old: Sequence[Segment], new: Sequence[Segment]) -> dict[str, Segment]:
    """Find the old segment for each new one, without their ids, because these only number many segments.

    First, segments with the same source and name match if a diff from the start and a diff from the end both
    match them. The others match in order, by source and name, or else by source; those that are not started
    come last. Such a match may be wrong if the names differ, or if there are several translations. Then a
    confirmed translation becomes unconfirmed.

    Returns:
        the old segments by new id, with the states for the new segments.
    """
    matched = dict(_diff(old, new).items() & _diff(old[::-1], new[::-1]).items())
    for with_name in (True, False):
        groups: dict[object, tuple[list[Segment], list[Segment]]] = defaultdict(lambda: ([], []))
        for place, version in enumerate((old, new)):
            for each in version:
                groups[each.source, _name(each) * with_name][place].append(each)
        found = {each.id for each in matched.values()}
        for before, after in groups.values():
            left = sorted((each for each in before if each.id not in found), key=lambda each: not each.status)
            are_several = len({each.state for each in before}) > 1
            for each, match in zip((each for each in after if each.id not in matched), left, strict=False):
                is_unclear = are_several or "" != _name(match) != _name(each) != ""
                if is_unclear and match.status is Status.CONFIRMED:
                    match = match.with_state(replace(match.state, status=Status.EDITED, approved=False))
                matched[each.id] = match
    return matched


def _diff(old: Sequence[Segment], new: Sequence[Segment]) -> dict[str, Segment]:
    before, after = ([(each.source, _name(each)) for each in version] for version in (old, new))
    blocks = SequenceMatcher(None, before, after).get_matching_blocks()
    return {new[block.b + row].id: old[block.a + row] for block in blocks for row in range(block.size)}


def _name(segment: Segment) -> str:
    """The names and contexts from the file, without digits, which may only number the segments."""
    return re.sub(r"\d", "", "\n".join(note.text for note in segment.notes if note.kind in _NAMES))
