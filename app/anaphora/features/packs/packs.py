"""The memory packs of a project: importing, storing, removing and exporting them."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.core.untrusted import read_json
from anaphora.engine.jobs import PackJob
from anaphora.engine.pack_files import pack_of, read_pack, write_pack
from anaphora.engine.worker import EngineWorker
from anaphora.features.corrections.corrections import CorrectionService
from anaphora.features.drafting.drafting import DraftingService
from anaphora.features.steering.steering import SteeringService
from anaphora.project.document.following import OpenProject, ProjectSetting, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.project.exporting.writing import check_destination
from anaphora.project.store.project import ProjectStore
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.errors import SteeringError
from anaphora_nmt.types import Matches, MemoryPack, MemoryRule

log = logging.getLogger(__name__)

PACKS_SETTING = "memory/packs"
Packs = tuple[MemoryPack, ...]


def read_packs(stored: str) -> Packs | None:
    """The value of `PACKS_SETTING` as packs; None if it cannot be read."""
    try:
        return tuple(MemoryPack.from_bytes(text.encode()) for text in read_json(stored or "[]"))
    except (ValueError, TypeError, AttributeError, SteeringError) as problem:
        log.warning("the packs of a project cannot be read (%.500s)", problem)
        return None


PACKS = ProjectSetting(PACKS_SETTING, read_packs)


class PackService(SessionFollower):
    """A session's packs. In the engine's memory, their segments precede the session's segments.

    Signals:
        changed: the packs may have changed.
        read: the MemoryPack of the chosen file.
        written: (path, number of pairs).
    """

    changed = Signal()
    read = Signal(object)
    written = Signal(Path, int)

    project_settings = (PACKS,)

    def __init__(
        self,
        worker: EngineWorker,
        drafting: DraftingService,
        steering: SteeringService,
        corrections: CorrectionService,
        tasks: BackgroundTasks,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.packs: Packs = ()
        self._matches: tuple[Matches, ...] = ()
        self._worker = worker
        self._drafting = drafting
        self._steering = steering
        self._corrections = corrections
        self._tasks = tasks
        self._store: ProjectStore | None = None

    def follow(self, project: OpenProject) -> None:
        super().follow(project)
        self._store = project.store
        stored = project.settings.of(PACKS)
        self.packs = stored or ()
        if stored is None:
            self.failed.emit(self.tr("The memory packs of this project cannot be read and are not used."))
        if self.packs:
            self._worker.queue.put(self._job(project.session))
        self.changed.emit()

    def close(self) -> None:
        super().close()
        self.packs = self._matches = ()

    def use_matches(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Replace the pairs from the translation memory; redo the drafts made since the project opened."""
        matches = (Matches(tuple(pairs)),) if pairs else ()
        if self._session is None or matches == self._matches:
            return
        self._matches = matches
        self._drafting.change_memory(self._job(self._session), self._drafting.drafted_segments)

    def _job(self, session: DocumentSession) -> PackJob:
        return PackJob(session.key, (*self._matches, *self.packs))

    def with_pack(self, pack: MemoryPack) -> Packs:
        """The packs after adding a pack, or after merging it with the pack of the same name."""
        names = [each.name for each in self.packs]
        if pack.name in names:
            return tuple(each.merged(pack) if each.name == pack.name else each for each in self.packs)
        return (*self.packs, pack)

    def use_packs(self, packs: Packs) -> None:
        if (session := self._session) is None:
            return
        self.packs = packs
        texts = [pack.to_bytes().decode() for pack in packs]
        self._save_setting(PACKS_SETTING, json.dumps(texts, ensure_ascii=False))
        # Packs may affect every draft, like a rule without a segment.
        affected = partial(self._steering.affected_drafts, (MemoryRule("-"),))
        self._drafting.change_memory(self._job(session), affected)
        self.changed.emit()

    def read_file(self, path: Path) -> None:
        """Read a pack; emits `read` or `failed`."""
        self._tasks.start(lambda: read_pack(path), self.read.emit, self._fail)

    def write_file(self, path: Path, name: str) -> int:
        """Write the confirmed segments as a pack; emits `written` or `failed`.
        Returns the number of pairs; if it is 0, nothing is written."""
        session, store = self._session, self._store
        if session is None or store is None:
            return 0
        pack = pack_of(session.document, name, session.pair, self._corrections.corrections)

        def write() -> None:
            check_destination(store, path)
            write_pack(path, pack)

        if pack.pairs:
            report = partial(self.written.emit, path, len(pack.pairs))
            self._tasks.start(write, lambda _: report(), self._fail, must_finish=True)
        return len(pack.pairs)
