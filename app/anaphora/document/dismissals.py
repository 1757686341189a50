"""What the translator has said is no problem, kept with the project."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.untrusted import read_json
from anaphora.document.following import KeptSetting, OpenProject

log = logging.getLogger(__name__)

DISMISSED_SETTING = "checks/dismissed"
Keep = Callable[[str, str], None]
"""Keeps a setting with the project, durably and in order."""


@dataclass(frozen=True, slots=True)
class KeptDismissals:
    """What a project says was dismissed.

    Attributes:
        held: dismissed keys by segment.
        is_readable: whether it says anything that can be read.
    """

    held: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_readable: bool = True


def read_dismissals(kept: str) -> KeptDismissals:
    """Read what a project keeps under `DISMISSED_SETTING`."""
    try:
        return KeptDismissals(_read(kept))
    except ValueError as problem:
        log.warning("what was dismissed cannot be read (%s): %.200s", problem, kept)
        return KeptDismissals({}, False)


DISMISSED = KeptSetting(DISMISSED_SETTING, read_dismissals)


class Dismissals(QObject):
    """Remarks on segments that are no problem there.

    Signals:
        changed: id of a segment for which others hold now.
        unreadable: (title, message, advice): the project says nothing that can be read; everything is said
            again.
    """

    changed = Signal(str)
    unreadable = Signal(str, str, str)

    keeps = (DISMISSED,)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._held: dict[str, list[str]] = {}
        self._keep: Keep = lambda key, value: None

    def follow(self, project: OpenProject) -> None:
        """A project has been opened."""
        self.open(project.kept.of(DISMISSED), project.keep)

    def open(self, kept: KeptDismissals, keep: Keep) -> None:
        """Take up what a project says; of something unreadable nothing holds, and `unreadable` follows."""
        self._keep = keep
        self._held = {segment: list(keys) for segment, keys in kept.held.items()}
        if not kept.is_readable:
            self.unreadable.emit(
                self.tr("Your dismissed issues cannot be read"),
                self.tr("Its entry in the project is damaged. Everything else is as it was."),
                self.tr("Dismissals were reset: dismiss again what is not a problem."),
            )

    def close(self) -> None:
        """The project is left: what it holds is asked about until another one is open."""

    def holds(self, segment_id: str, key: str) -> bool:
        """Whether a remark on a segment is dismissed."""
        return key in self._held.get(segment_id, ())

    def dismiss(self, segment_id: str, key: str) -> None:
        """Say no more of this; `changed` follows."""
        if not self.holds(segment_id, key):
            self._held.setdefault(segment_id, []).append(key)
            self._store()
            self.changed.emit(segment_id)

    def bring_back(self, segment_id: str, key: str) -> None:
        """Say it again; `changed` follows."""
        if self.holds(segment_id, key):
            self._held[segment_id].remove(key)
            self._store()
            self.changed.emit(segment_id)

    def carry_over(self, before: Sequence[Segment], after: Sequence[Segment]) -> None:
        """Follow segments that were joined or split: what was dismissed holds wherever their text stands now.

        An id may belong to another text afterwards, so none keeps what was said of it as such.
        """
        if not any(self._held.get(segment.id) for segment in before):
            return
        held = [(*span, self._held.pop(segment.id, [])) for segment, span in _spans(before)]
        for segment, (start, end) in _spans(after):
            found = (key for begin, stop, keys in held if max(start, begin) < min(end, stop) for key in keys)
            if keys := list(dict.fromkeys(found)):
                self._held[segment.id] = keys
        self._store()

    def _store(self) -> None:
        entries = [[segment, key] for segment, keys in self._held.items() for key in keys]
        self._keep(DISMISSED_SETTING, json.dumps(entries, ensure_ascii=False))


def _read(kept: str) -> dict[str, list[str]]:
    """Dismissed keys by segment.

    Raises:
        ValueError: this is not a list of pairs.
    """
    held: dict[str, list[str]] = {}
    entries = read_json(kept or "[]")
    if not isinstance(entries, list):
        raise ValueError("not a list")
    for entry in entries:
        if not isinstance(entry, list) or [type(each) for each in entry] != [str, str]:
            raise ValueError("not a list of pairs")
        held.setdefault(entry[0], []).append(entry[1])
    return held


def _spans(segments: Sequence[Segment]) -> Iterator[tuple[Segment, tuple[int, int]]]:
    """Where each one's text stands in the text of all of them, without tags and spaces: both change."""
    end = 0
    for segment in segments:
        start, end = end, end + len("".join(MARK.sub("", segment.source).split()))
        yield segment, (start, end)
