"""Progress of a step that changes many segments, which the user can cancel."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from anaphora.editor.widgets.progress import ProgressView
from anaphora.project.current import CurrentProject
from anaphora.project.document.following import OpenProject


class LargeStepsView(QObject):
    """Blocks editing while a large step is carried out.

    Attributes:
        progress: progress dialog of the open project; None without a project.
    """

    def __init__(self, window: QWidget, controller: CurrentProject) -> None:
        super().__init__(window)
        self._window = window
        self.progress: ProgressView | None = None
        controller.begun.connect(self._follow)
        controller.closing.connect(self._leave)

    def _follow(self, project: OpenProject) -> None:
        large = project.editing.large
        self.progress = ProgressView(self._window, large.progressed, large.cancel)
        large.begun.connect(self._begin)
        large.ended.connect(self.progress.end)

    def _begin(self, name: str) -> None:
        if self.progress is None:
            return
        self.progress.begin(self.tr("Changing many segments"), f"{name[:1].upper()}{name[1:]}…")
        if (dialog := self.progress.dialog) is not None:
            dialog.block()

    def _leave(self) -> None:
        if self.progress is not None:
            self.progress.end()
            self.progress.deleteLater()
            self.progress = None
