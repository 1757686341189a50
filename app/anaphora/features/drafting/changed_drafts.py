"""Drafts that have changed since the user last saw them, and the causes of the changes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import astuple, dataclass

from PySide6.QtCore import Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.segment import Status
from anaphora.core.untrusted import read_json
from anaphora.project.document.following import OpenProject, ProjectSetting, SaveSetting, SessionFollower
from anaphora.project.document.session import DocumentSession

log = logging.getLogger(__name__)

CHANGED_SETTING = "drafts/changed"

_ENTRY_TYPES = [str, str, str, bool]


@dataclass(frozen=True, slots=True)
class ChangedDraft:
    """The replacement of a segment's draft by another one.

    Attributes:
        before: the text that the user saw last.
        cause: id of the segment whose confirmation or unconfirmation caused the change; "" if unknown.
        is_revoked: True if the segment `cause` was unconfirmed.
    """

    segment: str
    before: str
    cause: str = ""
    is_revoked: bool = False


def read_changed(stored: str) -> tuple[ChangedDraft, ...]:
    """Read the value of `CHANGED_SETTING`; empty if the value is invalid."""
    try:
        entries = read_json(stored or "[]")
        if not isinstance(entries, list):
            raise ValueError("not a list")
        for entry in entries:
            if not isinstance(entry, list) or [type(each) for each in entry] != _ENTRY_TYPES:
                raise ValueError("not a list of changed drafts")
    except ValueError as problem:
        log.warning("the changed drafts cannot be read (%s): %.200s", problem, stored)
        return ()
    return tuple(ChangedDraft(*entry) for entry in entries)


CHANGED_DRAFTS = ProjectSetting(CHANGED_SETTING, read_changed)


class ChangedDrafts(SessionFollower):
    """Stores each changed draft until the user sees, edits, joins or splits it, or the change is reverted.

    Drafts of another model do not count as changes, because the user requested them.

    Signals:
        changed: ids of the segments whose draft has changed, or whose change is no longer stored.
    """

    changed = Signal(object)

    project_settings = (CHANGED_DRAFTS,)

    def __init__(self) -> None:
        super().__init__()
        self._changes: dict[str, ChangedDraft] = {}
        self._cause, self._is_revoked = "", False
        self.changed.connect(self._write)

    def follow(self, project: OpenProject) -> None:
        self.open(project.session)
        self.recall(project.settings.of(CHANGED_DRAFTS), project.save_setting)

    def open(self, session: DocumentSession) -> None:
        self.close()
        self._attach(session)

    def recall(self, stored: Iterable[ChangedDraft], save: SaveSetting) -> None:
        """Restore the changes of drafts that still differ from `before`; `save` stores later changes."""
        self._save_setting = save
        session = self._session
        if session is None:
            return
        pairs = ((session.document.find(each.segment), each) for each in stored)
        self._changes = {
            segment.id: each
            for segment, each in pairs
            if segment is not None and segment.status is Status.DRAFT and segment.target != each.before
        }
        if self._changes:
            self.changed.emit(tuple(self._changes))

    def close(self) -> None:
        super().close()
        self.forget()

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def segment_ids(self) -> tuple[str, ...]:
        return tuple(self._changes)

    def get(self, segment_id: str) -> ChangedDraft | None:
        return self._changes.get(segment_id)

    def forget(self) -> None:
        """Drop all changes and the last cause, for instance because all drafts are redone."""
        removed_ids, self._changes = tuple(self._changes), {}
        self.forget_cause()
        if removed_ids:
            self.changed.emit(removed_ids)

    def forget_cause(self) -> None:
        """Do not attribute later changes to the last confirmation."""
        self._cause, self._is_revoked = "", False

    def mark_seen(self, segment_id: str) -> ChangedDraft | None:
        """Drop a segment's change and return it; None if there is none."""
        change = self._changes.pop(segment_id, None)
        if change is not None:
            self.changed.emit((segment_id,))
        return change

    def _follow(self, changes: ChangeSet) -> None:
        changed_ids = []
        for edit in changes.edits:
            if (edit.after.status is Status.CONFIRMED) != (edit.before.status is Status.CONFIRMED):
                self._cause, self._is_revoked = edit.segment, edit.before.status is Status.CONFIRMED
            change = self._changes.get(edit.segment)
            is_redrafted = edit.before.status is edit.after.status is Status.DRAFT and not changes.is_redraft
            before = change.before if change else edit.before.target
            if is_redrafted and before.strip() and before != edit.after.target:
                if change is None:
                    self._changes[edit.segment] = ChangedDraft(
                        edit.segment, before, self._cause, self._is_revoked
                    )
                changed_ids.append(edit.segment)
            elif change is not None:
                del self._changes[edit.segment]
                changed_ids.append(edit.segment)
        if changed_ids:
            self.changed.emit(tuple(changed_ids))

    def _write(self, _: object = None) -> None:
        entries = [astuple(each) for each in self._changes.values()]
        self._save_setting(CHANGED_SETTING, json.dumps(entries, ensure_ascii=False))

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        removed_ids = tuple(segment.id for segment in change.before if self._changes.pop(segment.id, None))
        if removed_ids:
            self.changed.emit(removed_ids)
