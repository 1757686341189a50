"""The open project's corrections. The engine learns them, the project stores them, the user edits them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Segment
from anaphora.engine.jobs import CorrectJob
from anaphora.engine.worker import EngineWorker
from anaphora.features.corrections.shared import (
    CORRECTIONS_SETTING,
    Corrections,
    StoredCorrections,
    change_shared,
    read_corrections,
    read_shared,
    shared_form,
)
from anaphora.features.drafting.drafting import DraftingService
from anaphora.project.document.following import OpenProject, ProjectSetting, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import Correction, corrections_to_plain

UNREADABLE_SETTING = "memory/corrections/unreadable"


def with_shared(stored: StoredCorrections, shared: Corrections) -> StoredCorrections:
    """A project's stored corrections, combined with the current shared corrections.

    A correction of this project that is no longer shared stays, but applies only in this project.
    """
    of_project = tuple(
        replace(each, everywhere=False) if each.everywhere and shared_form(each) not in shared else each
        for each in stored.corrections
        if each.segment or not each.everywhere
    )
    known_shared = {shared_form(each) for each in of_project if each.everywhere}
    return replace(stored, corrections=(*of_project, *(each for each in shared if each not in known_shared)))


class CorrectionService(SessionFollower):
    """The corrections that the drafts of a session follow.

    Attributes:
        corrections: the project's and the shared corrections, including revoked ones.

    Signals:
        changed: the corrections have changed.
        translations_changed: translations have changed, so the counts in `counted` may be outdated.
        counted: (corrections, list of counts in the same order). A count is the number of segments that use
            a correction; the segment in which it was made does not count.
    """

    changed = Signal()
    translations_changed = Signal()
    counted = Signal(object, object)

    def __init__(
        self,
        worker: EngineWorker,
        drafting: DraftingService,
        tasks: BackgroundTasks,
        shared: Path,
    ) -> None:
        """`shared` is the file of the corrections that apply in all projects."""
        super().__init__()
        self.corrections: Corrections = ()
        self._worker, self._drafting, self._tasks = worker, drafting, tasks
        self.drafts_containing = drafting.drafts_containing
        self._shared = shared
        self._setting = ProjectSetting(
            CORRECTIONS_SETTING, lambda stored: with_shared(read_corrections(stored), read_shared(shared))
        )
        worker.corrected.connect(self._store)

    @property
    def project_settings(self) -> tuple[ProjectSetting[Any], ...]:  # type: ignore[override]
        """The project's setting; reading it also reads the shared file."""
        return (self._setting,)

    def follow(self, project: OpenProject) -> None:
        super().follow(project)
        stored = project.settings.of(self._setting)
        self.corrections = stored.corrections
        if stored.unreadable:
            project.save_setting(UNREADABLE_SETTING, stored.unreadable)
            self.failed.emit(
                self.tr("The corrections of this project cannot be read, so drafts do not follow them.")
            )
        self._send_to_engine(project.session)
        self.changed.emit()

    def follow_languages(self) -> None:
        """Send the corrections again, because the engine reopens a document whose languages change."""
        if self._session is not None:
            self._send_to_engine(self._session)

    def close(self) -> None:
        super().close()
        self.corrections = ()

    def change(self, removed: Sequence[Correction], added: Sequence[Correction]) -> None:
        """Remove and add corrections; redo the unedited drafts whose sources contain a corrected phrase."""
        if (session := self._session) is None:
            return
        phrases = {each.source for each in (*removed, *added)}
        job = CorrectJob(session.key, tuple(removed), tuple(added))
        self._drafting.change_memory(job, lambda: self.drafts_containing(phrases))

    def count(self) -> None:
        """Count uses in the background; emits `counted`, unless the corrections have changed meanwhile."""
        session, corrections = self._session, self.corrections
        if session is not None:
            segments = tuple(session.document)

            def receive(uses: list[int]) -> None:
                if corrections == self.corrections:
                    self.counted.emit(corrections, uses)

            self._tasks.start(lambda: _uses(corrections, segments), receive, self._fail)

    def _send_to_engine(self, session: DocumentSession) -> None:
        if self.corrections:
            self._worker.queue.put(CorrectJob(session.key, (), self.corrections))

    def _store(self, document: str, corrections: Corrections) -> None:
        session, before = self._session, self.corrections
        if session is None or document != session.key or corrections == before:
            return
        self.corrections = corrections
        self._save_setting(
            CORRECTIONS_SETTING, json.dumps(corrections_to_plain(corrections), ensure_ascii=False)
        )
        self._write_shared(before, corrections)
        self.changed.emit()

    def _write_shared(self, before: Corrections, after: Corrections) -> None:
        old, new = ({shared_form(each) for each in group if each.everywhere} for group in (before, after))
        if old != new:
            path, removed, added = self._shared, old - new, new - old
            self._tasks.start(
                lambda: change_shared(path, removed, added), lambda _: None, self._fail, must_finish=True
            )

    def _follow(self, changes: ChangeSet) -> None:
        if self.corrections:
            self.translations_changed.emit()


def _uses(corrections: Corrections, segments: Sequence[Segment]) -> list[int]:
    """For each correction, the number of segments that follow it, without the segment it was made in."""
    return [
        sum(
            each.source in segment.source
            and segment.id != each.segment
            and each.chosen_in(segment.target or proposal_of(segment.state))
            for segment in segments
        )
        for each in corrections
    ]
