"""Imports and exports a project's translation memories in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from anaphora.core.errors import AnaphoraError
from anaphora.core.long_work import CancelledError, LongWork, Step
from anaphora.features.tm.exchange import ImportReport, export_units, import_units
from anaphora.features.tm.memories import TranslationMemories
from anaphora.project.exporting.writing import check_destination
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.background import BackgroundTasks


class ExchangeService(QObject):
    """Runs one import or export at a time. A cancelled import or export changes nothing.

    Signals:
        progressed: progress in per mille.
        imported: the ImportReport.
        exported: (path, number of units).
        failed: an AnaphoraError.
        ended: the import or export has ended; emitted before `imported`, `exported`, `cancelled` or `failed`.
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
        memory.add_tasks(self._tasks)

    def import_file(self, path: Path, name: str) -> bool:
        """Import a file into the memory `name`; False if it is not open or another task is running."""
        pair = self._memory.languages
        return self._start(
            name, lambda memory, step: import_units(path, memory, pair, step), self._report_import
        )

    def export_file(self, path: Path, name: str) -> bool:
        """Write the memory `name` as TMX; like `import_file`, but emits `exported` on success."""
        version, pair = QCoreApplication.applicationVersion() or "unknown", self._memory.languages
        store = self._memory.store

        def write(memory: TranslationMemory, step: Step) -> int:
            step(0.0)  # raises CancelledError if the project is being closed
            if store is not None:
                check_destination(store, path)
            return export_units(path, memory, version, pair, step)

        return self._start(name, write, lambda count: self.exported.emit(path, count))

    def cancel(self) -> None:
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

    def _report_import(self, report: ImportReport) -> None:
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
