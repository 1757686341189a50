"""Which commands wait for the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from anaphora.features.drafting.drafting import DraftProgress
from anaphora_nmt.types import EngineInfo

if TYPE_CHECKING:
    from anaphora.window.legacy import Legacy


class EngineState(QObject):
    def __init__(self, legacy: Legacy) -> None:
        super().__init__(legacy)
        self._of, self._desk = legacy, legacy.desk
        self.info: EngineInfo | None = None
        worker = legacy.desk.worker
        worker.loaded.connect(self._take)
        worker.load_failed.connect(self._show_none)
        worker.steered.connect(self._follow_steering)
        legacy.services.drafting.progressed.connect(self.show_progress)

    def show_progress(self, progress: DraftProgress) -> None:
        actions = self._desk.actions
        self.show_paused(progress.paused)
        is_open = self._desk.project.session is not None
        for name in ("again", "draft"):
            actions[name].setEnabled(is_open and self.info is not None)
        actions["pause"].setEnabled(is_open and (progress.active or progress.paused))
        actions["cancel"].setEnabled(is_open and progress.active)

    def show_paused(self, paused: bool) -> None:
        text = self.tr("Re&sume drafting") if paused else self.tr("&Pause drafting")
        self._desk.actions.show_as("pause", text, "resume" if paused else "pause")

    def _take(self, info: EngineInfo) -> None:
        self.info = info
        self._of.topic.show_engine(True)
        self.show_progress(self._of.services.drafting.progress)

    def _show_none(self) -> None:
        self._of.topic.show_engine(False)

    def _follow_steering(self) -> None:
        """The memory holds something else: what was said of the current sentence is asked for again."""
        self._of.services.changed.forget_cause()
        self._of.inspector.refresh()
        self._of.suggester.forget()
