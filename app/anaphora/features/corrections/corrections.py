"""The corrections of the open project: learned by the engine, kept in its file, changed by the translator."""

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
    KeptCorrections,
    bare,
    change_shared,
    read_corrections,
    read_shared,
)
from anaphora.features.drafting.drafting import DraftingService
from anaphora.project.document.following import KeptSetting, OpenProject, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import Correction, corrections_to_plain

UNREADABLE_SETTING = "memory/corrections/unreadable"


def with_shared(kept: KeptCorrections, shared: Corrections) -> KeptCorrections:
    """A project's corrections with those of all projects; one that was taken from these is its own only."""
    own = tuple(
        replace(each, everywhere=False) if each.everywhere and bare(each) not in shared else each
        for each in kept.corrections
        if each.segment or not each.everywhere
    )
    known = {bare(each) for each in own if each.everywhere}
    return replace(kept, corrections=(*own, *(each for each in shared if each not in known)))


class CorrectionService(SessionFollower):
    """Follows a session: the corrections that its drafts follow.

    Attributes:
        corrections: those of the project and those of all projects, revoked ones among them.

    Signals:
        changed: the corrections are others.
        used: translations have changed, in which corrections may be used.
        counted: (corrections, in how many other segments each is used).
    """

    changed = Signal()
    used = Signal()
    counted = Signal(object, object)

    def __init__(
        self,
        worker: EngineWorker,
        drafting: DraftingService,
        tasks: BackgroundTasks,
        shared: Path,
    ) -> None:
        """Args: `shared`: the file of the corrections of all projects."""
        super().__init__()
        self.corrections: Corrections = ()
        self._worker, self._drafting, self._tasks = worker, drafting, tasks
        self.holding = drafting.holding
        self._shared = shared
        self._kept = KeptSetting(
            CORRECTIONS_SETTING, lambda kept: with_shared(read_corrections(kept), read_shared(shared))
        )
        worker.corrected.connect(self._take)

    @property
    def keeps(self) -> tuple[KeptSetting[Any], ...]:  # type: ignore[override]
        """The setting that the project keeps; the file of all projects is read with it."""
        return (self._kept,)

    def follow(self, project: OpenProject) -> None:
        """A project has been opened."""
        super().follow(project)
        kept = project.kept.of(self._kept)
        self.corrections = kept.corrections
        if kept.unreadable:
            project.keep(UNREADABLE_SETTING, kept.unreadable)
            self.failed.emit(
                self.tr("The corrections of this project cannot be read. Drafts do not follow them.")
            )
        self._tell_engine(project.session)
        self.changed.emit()

    def follow_languages(self) -> None:
        """The engine has the document anew: it gets its corrections again."""
        if self._session is not None:
            self._tell_engine(self._session)

    def close(self) -> None:
        """Stop following; the project keeps its corrections."""
        super().close()
        self.corrections = ()

    def change(self, removed: Sequence[Correction], added: Sequence[Correction]) -> None:
        """Remove corrections and add others; drafts that may change by it are made again."""
        if (session := self._session) is None:
            return
        phrases = {each.source for each in (*removed, *added)}
        job = CorrectJob(session.key, tuple(removed), tuple(added))
        self._drafting.change_memory(job, lambda: self.holding(phrases))

    def count(self) -> None:
        """Count where the corrections are used; `counted` follows."""
        session, corrections = self._session, self.corrections
        if session is not None:
            segments = tuple(session.document)

            def take(uses: list[int]) -> None:
                if corrections == self.corrections:
                    self.counted.emit(corrections, uses)

            self._tasks.start(lambda: _uses(corrections, segments), take, self._fail)

    def _tell_engine(self, session: DocumentSession) -> None:
        if self.corrections:
            self._worker.queue.put(CorrectJob(session.key, (), self.corrections))

    def _take(self, document: str, corrections: Corrections) -> None:
        """The engine has other corrections."""
        session, before = self._session, self.corrections
        if session is None or document != session.key or corrections == before:
            return
        self.corrections = corrections
        self._keep(CORRECTIONS_SETTING, json.dumps(corrections_to_plain(corrections), ensure_ascii=False))
        self._write_shared(before, corrections)
        self.changed.emit()

    def _write_shared(self, before: Corrections, after: Corrections) -> None:
        """Write the same to the file of all projects."""
        was, now = ({bare(each) for each in some if each.everywhere} for some in (before, after))
        if was != now:
            path, removed, added = self._shared, was - now, now - was
            self._tasks.start(
                lambda: change_shared(path, removed, added), lambda _: None, self._fail, must_finish=True
            )

    def _follow(self, changes: ChangeSet) -> None:
        if self.corrections:
            self.used.emit()


def _uses(corrections: Corrections, segments: Sequence[Segment]) -> list[int]:
    """For each correction, the other segments with its phrase whose target, or proposed draft, follows it."""
    return [
        sum(
            each.source in segment.source
            and segment.id != each.segment
            and each.chosen_in(segment.target or proposal_of(segment.state))
            for segment in segments
        )
        for each in corrections
    ]
