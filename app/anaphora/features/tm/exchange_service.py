"""Import into and export from a project's translation memories, in a separate thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from anaphora.core.errors import AnaphoraError
from anaphora.core.long_work import CancelledError, LongWork, Step
from anaphora.features.tm.exchange import ImportReport, export_units, import_units
from anaphora.features.tm.memories import TranslationMemories
from anaphora.project.exporting.destinations import check_destination
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.background import BackgroundTasks


class ExchangeService(QObject):
    """One import or export at a time; it can be cancelled, and then has changed nothing.

    Signals:
        progressed: per mille of the work that is done.
        imported: the ImportReport.
        exported: (path, number of units).
        cancelled: it was given up.
        failed: an AnaphoraError.
        ended: it is over, however it went.
    """

    progressed = Signal(int)
    imported = Signal(object)
    exported = Signal(Path, int)
    cancelled = Signal()
    failed = Signal(object)
    ended = Signal()

    def __init__(self, memory: TranslationMemories, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._tasks = BackgroundTasks(self, threads=1)
        self._work: LongWork | None = None
        memory.closing.connect(self.cancel)
        memory.count_in(self._tasks)

    def import_file(self, path: Path, name: str) -> bool:
        """Put the units of a file into the memory of this name; `imported`, `cancelled` or `failed` follows.

        Returns:
            whether it has begun: not while another one is under way, or without this memory.
        """
        pair = self._memory.languages
        return self._start(
            name, lambda memory, step: import_units(path, memory, pair, step), self._take_import
        )

    def export_file(self, path: Path, name: str) -> bool:
        """Write the units of a memory as TMX; `exported` follows, or as of `import_file`."""
        version, pair = QCoreApplication.applicationVersion() or "unknown", self._memory.languages
        store = self._memory.store

        def write(memory: TranslationMemory, step: Step) -> int:
            step(0.0)  # or nothing is read of a project that is about to be closed
            if store is not None:
                check_destination(store, path)
            return export_units(path, memory, version, pair, step)

        return self._start(name, write, lambda count: self.exported.emit(path, count))

    def cancel(self) -> None:
        """Stop what is under way; nothing will have been changed."""
        if self._work is not None:
            self._work.cancel()

    def _start(
        self, name: str, run: Callable[[TranslationMemory, Step], object], on_result: Callable[..., None]
    ) -> bool:
        memories = self._memory.memories
        memory = next((each for each in memories.all() if each.name == name), None) if memories else None
        if memory is None or self._work is not None:
            return False
        self._work = work = LongWork(self.progressed.emit)

        def end(result: object) -> None:
            self._work = None
            self.ended.emit()
            on_result(result)

        self._tasks.start(lambda: run(memory, work.step), end, self._fail, must_finish=True)
        return True

    def _take_import(self, report: ImportReport) -> None:
        self.imported.emit(report)
        self._memory.changed.emit()

    def _fail(self, error: Exception) -> None:
        self._work = None
        self.ended.emit()
        if isinstance(error, CancelledError):
            self.cancelled.emit()
        elif isinstance(error, AnaphoraError):
            self.failed.emit(error)
        else:
            raise error
