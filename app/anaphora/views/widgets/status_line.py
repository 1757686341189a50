"""The status bar: engine, progress, and whether everything is saved."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QStatusBar, QWidget

from anaphora.services.drafting import DraftProgress
from anaphora.views.widgets.plain_text import plain_label, plain_tip
from anaphora_nmt.types import EngineInfo


class StatusLine(QStatusBar):
    """Engine, progress, speed, saving."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._drafting = DraftProgress(0, 0)
        self.engine = plain_label()
        self.engine.setAccessibleName(self.tr("Engine"))
        self.progress = plain_label()
        self.progress.setAccessibleName(self.tr("Progress"))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(150)
        self.bar.setAccessibleName(self.tr("Drafting"))
        self.saved = plain_label()
        for widget in (self.bar, self.progress, self.saved, self.engine):
            self.addPermanentWidget(widget)
        self.bar.hide()
        self.show_loading()

    def show_loading(self) -> None:
        """The model is being loaded."""
        self.engine.setText(self.tr("Loading the model…"))

    def show_engine(self, info: EngineInfo) -> None:
        """The model is loaded."""
        threads = self.tr("{0} threads").format(info.threads) if info.threads != 1 else self.tr("1 thread")
        place = f"{info.device} · {threads}" if info.device == "cpu" else info.device
        self.engine.setText(f"{info.model} · {place} · {info.precision}")
        memories = ", ".join(info.memories) or self.tr("none")
        self.engine.setToolTip(plain_tip(self.tr("Memories of this model: {0}").format(memories)))

    def show_no_engine(self, reason: str) -> None:
        """There is no model."""
        self.engine.setText(self.tr("No model"))
        self.engine.setToolTip(plain_tip(reason))

    def show_restoring(self, done: int, total: int) -> None:
        """A reopened document's memory is being rebuilt; once it is, drafting shows again."""
        if done >= total:
            self.show_progress(self._drafting)
            return
        self.progress.setText(self.tr("Rebuilding the memory: {0} of {1}").format(done, total))
        self._show_bar(done, total, True)

    def show_progress(self, progress: DraftProgress) -> None:
        """Show the progress of drafting."""
        self._drafting = progress
        if not progress.total:
            self.progress.clear()
            self.bar.hide()
            return
        parts = [self.tr("{0} of {1} segments").format(progress.done, progress.total)]
        complete = progress.done == progress.total
        if progress.paused and not complete:
            parts.append(self.tr("paused"))
        elif progress.active and complete:
            parts.append(self.tr("refreshing drafts"))
        elif progress.active and progress.words_per_second:
            parts.append(self.tr("{0} words/s").format(f"{progress.words_per_second:.1f}"))
            if progress.seconds_left is not None:
                parts.append(self.tr("{0} left").format(self.duration(progress.seconds_left)))
        self.progress.setText(" · ".join(parts))
        running = progress.active or progress.paused
        self._show_bar(progress.done, progress.total, running and not complete)

    def show_saved(self, saved: bool) -> None:
        """Whether the project file holds everything."""
        self.saved.setText(self.tr("Saved") if saved else self.tr("Saving…"))

    def show_not_saved(self, reason: str) -> None:
        """The project file cannot be written."""
        self.saved.setText(self.tr("Not saved"))
        self.saved.setToolTip(plain_tip(reason))

    def clear_document(self) -> None:
        """No document is open."""
        self.show_progress(DraftProgress(0, 0))
        self.saved.clear()

    def duration(self, seconds: float) -> str:
        """A time as a person says it."""
        if seconds < 60:
            return self.tr("{0} s").format(max(round(seconds), 1))
        if seconds < 3600:
            return self.tr("{0} min").format(round(seconds / 60))
        return self.tr("{0} h {1} min").format(int(seconds // 3600), round(seconds % 3600 / 60))

    def _show_bar(self, done: int, total: int, visible: bool) -> None:
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        self.bar.setVisible(visible)
