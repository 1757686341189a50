"""Making the preview of a document off the window's thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from anaphora.features.preview.document_preview import PreviewColours, PreviewRequest, preview_html
from anaphora.system.background import BackgroundTasks


class PreviewService(QObject):
    """Makes the HTML of what is asked for: `made` (request, HTML) or `failed` (request, error) follows."""

    made = Signal(object, str)
    failed = Signal(object, object)

    def __init__(self, tasks: BackgroundTasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks

    def ask(self, request: PreviewRequest, colours: PreviewColours) -> None:
        self._tasks.start(
            lambda: preview_html(request, colours),
            lambda html: self.made.emit(request, html),
            lambda error: self.failed.emit(request, error),
        )
