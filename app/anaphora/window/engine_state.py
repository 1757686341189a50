"""What the window shows of the engine: whether it is there, what it lacks, how far the drafts are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from anaphora.features.drafting.drafting import DraftingService, DraftProgress
from anaphora_nmt.types import EngineInfo

if TYPE_CHECKING:
    from anaphora.window.legacy import Legacy
    from anaphora.window.main_window import MainWindow


class EngineState(QObject):
    """Between the engine's thread and the banners, the status bar and the commands that need drafts."""

    def __init__(self, legacy: Legacy, window: MainWindow, drafting: DraftingService) -> None:
        super().__init__(window)
        self._of = legacy
        self.info: EngineInfo | None = None
        self._window = window
        worker = legacy.desk.worker
        worker.loaded.connect(self._take)
        worker.load_failed.connect(self._show_none)
        worker.restoring.connect(window.status_line.show_restoring)
        worker.failed.connect(window.show_message)
        worker.short.connect(legacy.shortage_banner.show_short)
        self._drafting = drafting
        drafting.progressed.connect(self.show_progress)

    def show_progress(self, progress: DraftProgress) -> None:
        self._window.status_line.show_progress(progress)

    def _take(self, info: EngineInfo) -> None:
        self.info = info
        self._of.banner.hide()
        self._window.status_line.show_engine(info)
        self.show_progress(self._drafting.progress)

    def _show_none(self, reason: str) -> None:
        self._window.status_line.show_no_engine(reason)
        self._of.banner.show_problem(reason)
