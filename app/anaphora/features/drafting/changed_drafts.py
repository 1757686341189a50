"""Drafts that the machine has made again since the translator saw them, and why."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import astuple, dataclass

from PySide6.QtCore import Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.segment import Status
from anaphora.core.untrusted import read_json
from anaphora.project.document.following import Keep, KeptSetting, OpenProject, SessionFollower
from anaphora.project.document.session import DocumentSession

log = logging.getLogger(__name__)

CHANGED_SETTING = "drafts/changed"
"""Name of the setting for changed drafts that the user has not seen since."""

_ENTRY = [str, str, str, bool]
"""Types of what is kept of a draft."""


@dataclass(frozen=True, slots=True)
class ChangedDraft:
    """A draft that another one has taken the place of.

    Attributes:
        before: the text that stood there when it was seen last.
        cause: id of the segment whose confirmation, or its taking back, came before the change; empty if
            none did.
        taken_back: whether the confirmation was taken back.
    """

    segment: str
    before: str
    cause: str = ""
    taken_back: bool = False


def read_changed(kept: str) -> tuple[ChangedDraft, ...]:
    """Read `CHANGED_SETTING`; none if it cannot be read: the drafts themselves are what they are."""
    try:
        entries = read_json(kept or "[]")
        if not isinstance(entries, list):
            raise ValueError("no list")
        for entry in entries:
            if not isinstance(entry, list) or [type(each) for each in entry] != _ENTRY:
                raise ValueError("no list of changed drafts")
    except ValueError as problem:
        log.warning("the changed drafts cannot be read (%s): %.200s", problem, kept)
        return ()
    return tuple(ChangedDraft(*entry) for entry in entries)


CHANGED = KeptSetting(CHANGED_SETTING, read_changed)


class ChangedDrafts(SessionFollower):
    """Keeps each changed draft until the user has seen or edited it, or it is unchanged again.

    Another model's drafts are not changes: the user wants all of them, and has nothing to compare.

    Signals:
        changed: ids of the segments whose mark has come or gone, or whose draft has changed once more.
    """

    changed = Signal(object)

    keeps = (CHANGED,)

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[str, ChangedDraft] = {}
        self._cause, self._taken_back = "", False
        self.changed.connect(self._write)

    def follow(self, project: OpenProject) -> None:
        self.open(project.session)
        self.recall(project.kept.of(CHANGED), project.keep)

    def open(self, session: DocumentSession) -> None:
        self.close()
        self._attach(session)

    def recall(self, kept: Iterable[ChangedDraft], keep: Keep) -> None:
        """Take up what the open project keeps, as far as these drafts still stand otherwise."""
        self._keep = keep
        session = self._session
        if session is None:
            return
        found = ((session.document.find(each.segment), each) for each in kept)
        self._found = {
            segment.id: each
            for segment, each in found
            if segment is not None and segment.status is Status.DRAFT and segment.target != each.before
        }
        if self._found:
            self.changed.emit(tuple(self._found))

    def close(self) -> None:
        super().close()
        self.forget()

    def __len__(self) -> int:
        return len(self._found)

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(self._found)

    def get(self, segment_id: str) -> ChangedDraft | None:
        return self._found.get(segment_id)

    def forget(self) -> None:
        """Nothing has changed up to now: the drafts are begun again."""
        gone, self._found = tuple(self._found), {}
        self.forget_cause()
        if gone:
            self.changed.emit(gone)

    def forget_cause(self) -> None:
        """Later changes have another cause than the last confirmation."""
        self._cause, self._taken_back = "", False

    def see(self, segment_id: str) -> ChangedDraft | None:
        """A segment has been looked at: its mark goes.
        Returns what changed, to be shown; None if nothing did."""
        found = self._found.pop(segment_id, None)
        if found is not None:
            self.changed.emit((segment_id,))
        return found

    def _follow(self, changes: ChangeSet) -> None:
        touched = []
        for edit in changes.edits:
            if (edit.after.status is Status.CONFIRMED) != (edit.before.status is Status.CONFIRMED):
                self._cause, self._taken_back = edit.segment, edit.before.status is Status.CONFIRMED
            known = self._found.get(edit.segment)
            redrafted = edit.before.status is edit.after.status is Status.DRAFT and not changes.anew
            before = known.before if known else edit.before.target
            if redrafted and before.strip() and before != edit.after.target:
                if known is None:
                    self._found[edit.segment] = ChangedDraft(
                        edit.segment, before, self._cause, self._taken_back
                    )
                touched.append(edit.segment)
            elif known is not None:
                del self._found[edit.segment]
                touched.append(edit.segment)
        if touched:
            self.changed.emit(tuple(touched))

    def _write(self, _: object = None) -> None:
        entries = [astuple(each) for each in self._found.values()]
        self._keep(CHANGED_SETTING, json.dumps(entries, ensure_ascii=False))

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        gone = tuple(segment.id for segment in change.before if self._found.pop(segment.id, None))
        if gone:
            self.changed.emit(gone)
