"""Importing into and exporting from a project's translation memories, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from anaphora.application.background import BackgroundTasks
from anaphora.export.destinations import check_destination
from anaphora.matches.exchange import (
    ExchangeCancelledError,
    ImportReport,
    Progress,
    export_units,
    import_units,
)
from anaphora.matches.service import MemoryService
from anaphora.translation_memory.memory import TranslationMemory


class ExchangeService(QObject):
    """One import or export at a time; it can be cancelled, and then has changed nothing.

    Signals:
        progressed: per mille of the work that is done.
        imported: the ImportReport.
        exported: (path, number of units).
        failed: what went wrong, an exception.
        ended: it is over, however it went.
    """

    progressed = Signal(int)
    imported = Signal(object)
    exported = Signal(Path, int)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, memory: MemoryService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._tasks = BackgroundTasks(self, threads=1)
        self._cancelled = threading.Event()
        self._busy = False
        memory.closing.connect(self.cancel)
        memory.count_in(self._tasks)

    @property
    def is_busy(self) -> bool:
        """Whether an import or export is under way."""
        return self._busy

    def import_file(self, path: Path, name: str) -> bool:
        """Put the units of a file into a memory; `imported` or `failed` follows.

        Args:
            name: of the memory.
        Returns:
            whether it has begun: not while another one is under way, or without this memory.
        """
        pair = self._memory.languages
        return self._start(
            name,
            lambda memory, progress, cancel: import_units(
                path, memory, progress, cancel, pair, self._begin_writing
            ),
            self._take_import,
        )

    def export_file(self, path: Path, name: str) -> bool:
        """Write the units of a memory as TMX; `exported` or `failed` follows. See `import_file`."""
        version, pair = QCoreApplication.applicationVersion() or "unknown", self._memory.languages
        store = self._memory.store

        def write(memory: TranslationMemory, progress: Progress, cancel: Callable[[], bool]) -> int:
            self._begin_writing()
            if store is not None:
                check_destination(store, path)
            return export_units(path, [memory], version, progress, cancel, pair)

        return self._start(name, write, lambda count: self.exported.emit(path, count))

    def cancel(self) -> None:
        """Stop what is under way; nothing will have been changed."""
        self._cancelled.set()

    def _begin_writing(self) -> None:
        """The memory is used from now on, unless somebody has given up; called from the work's thread."""
        if self._cancelled.is_set():
            raise ExchangeCancelledError("The import was cancelled.", "Nothing was imported.")

    def _start(
        self,
        name: str,
        work: Callable[[TranslationMemory, Progress, Callable[[], bool]], object],
        on_result: Callable[..., None],
    ) -> bool:
        memories = self._memory.memories
        memory = next((each for each in memories.all() if each.name == name), None) if memories else None
        if memory is None or self._busy:
            return False
        self._busy = True
        self._cancelled = cancelled = threading.Event()
        last = -1

        def progress(share: float) -> None:
            nonlocal last
            if round(1000 * share) != last:
                last = round(1000 * share)
                self.progressed.emit(last)

        def end(result: object) -> None:
            self._busy = False
            self.ended.emit()
            on_result(result)

        self._tasks.start(lambda: work(memory, progress, cancelled.is_set), end, self._fail, must_finish=True)
        return True

    def _take_import(self, report: ImportReport) -> None:
        self.imported.emit(report)
        self._memory.changed.emit()

    def _fail(self, error: Exception) -> None:
        self._busy = False
        self.ended.emit()
        if not isinstance(error, ExchangeCancelledError):
            self.failed.emit(error)
