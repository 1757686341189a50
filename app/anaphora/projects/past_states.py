"""The texts that a segment had, looked up off the window's thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from anaphora.projects.controller import DocumentController


class PastStates(QObject):
    """Looks up histories in the open project.

    Signals:
        found: (segment id, the PastStates) that were asked for.
    """

    found = Signal(str, object)

    def __init__(self, controller: DocumentController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller

    def ask(self, segment_id: str) -> None:
        if (store := self._controller.store) is None:
            return

        def forget(_: Exception) -> None:
            # The project was closed meanwhile, or its drive is gone, which saving will say.
            pass

        self._controller.tasks.start(
            lambda: store.history(segment_id), lambda found: self.found.emit(segment_id, found), forget
        )
