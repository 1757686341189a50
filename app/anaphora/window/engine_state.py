"""What the window shows of the engine: whether it is there, what it lacks, how far the drafts are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from anaphora.features.drafting.drafting import DraftProgress
from anaphora_nmt.types import EngineInfo

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


class EngineState(QObject):
    """Between the engine's thread and the banners, the status bar and the commands that need drafts."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.info: EngineInfo | None = None
        self._window = window
        worker = window.services.worker
        worker.loaded.connect(self._take)
        worker.load_failed.connect(self._show_none)
        worker.restoring.connect(window.status_line.show_restoring)
        worker.failed.connect(window.show_message)
        worker.short.connect(window.shortage_banner.show_short)
        worker.steered.connect(self._follow_steering)
        window.services.drafting.progressed.connect(self.show_progress)

    def show_progress(self, progress: DraftProgress) -> None:
        window, actions = self._window, self._window.actions_by_name
        window.status_line.show_progress(progress)
        actions.show_paused(progress.paused)
        is_open = window.session is not None
        for name in ("again", "draft"):
            actions[name].setEnabled(is_open and self.info is not None)
        actions["pause"].setEnabled(is_open and (progress.active or progress.paused))
        actions["cancel"].setEnabled(is_open and progress.active)

    def _take(self, info: EngineInfo) -> None:
        self.info = info
        self._window.banner.hide()
        self._window.status_line.show_engine(info)
        self._window.docks.topic.show_engine(True)
        self.show_progress(self._window.services.drafting.progress)

    def _show_none(self, reason: str) -> None:
        self._window.status_line.show_no_engine(reason)
        self._window.docks.topic.show_engine(False)
        self._window.banner.show_problem(reason)

    def _follow_steering(self) -> None:
        """The memory holds something else: what was said of the current sentence is asked for again."""
        self._window.services.changed.forget_cause()
        self._window.inspector.refresh()
        self._window.suggester.forget()
