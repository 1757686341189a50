"""The exported document, as far as its structure is known, beside the table."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QTimer, QUrl, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from anaphora.core.segment import Segment
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.panel import Panel
from anaphora.features.preview.document_preview import PreviewColours, PreviewRequest, around
from anaphora.features.preview.service import PreviewService
from anaphora.project.document.session import DocumentSession

PAUSE_MS = 150
TOP = 0.3
"""Where the current segment stands, as a share of the height."""
MARGIN = 16
"""Pixels around the text."""


class _Page(QTextBrowser):
    """Shows HTML made here; it loads nothing from anywhere."""

    def loadResource(self, type_: int, name: QUrl | str) -> None:  # noqa: N802
        return None


class PreviewPanel(Panel):
    """Follows the current segment and every edit while it is seen.

    Signals:
        segment_requested: id of a segment that was clicked.
        wanted: (PreviewRequest, PreviewColours) of which a preview is to be made.
    """

    segment_requested = Signal(str)
    wanted = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._session: DocumentSession | None = None
        self._segment = ""
        self._asked: PreviewRequest | None = None
        self.page = _Page()
        self.page.setFrameShape(QFrame.Shape.NoFrame)
        self.page.setOpenLinks(False)
        self.page.setAccessibleName(self.tr("Preview of the exported document"))
        self.page.anchorClicked.connect(self._follow_link)
        self.page.document().setDocumentMargin(MARGIN)
        self.box.addWidget(self.page)
        self.setFocusProxy(self.page)
        self.setMinimumHeight(90)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        theme.changed.connect(self._pause.start)

    def take_from(self, service: PreviewService) -> None:
        """Ask a service for what is shown."""
        self.wanted.connect(service.ask)
        service.made.connect(self.show_preview)
        service.failed.connect(self.show_failure)

    def open(self, session: DocumentSession | None) -> None:
        """Show a session's document; None for none."""
        if self._session is not None:
            self._session.applied.disconnect(self._follow)
            self._session.resegmented.disconnect(self._follow)
        self._session, self._segment = session, ""
        if session is None:
            self._asked = None
            self.page.clear()
            return
        session.applied.connect(self._follow)
        session.resegmented.connect(self._follow)

    def show_segment(self, segment: Segment | None) -> None:
        """Another segment is current."""
        self._segment = segment.id if segment else ""
        self._pause.start()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._pause.start()

    def _follow_link(self, url: QUrl) -> None:
        place = url.toString()
        if self._asked is not None and place.isdecimal() and int(place) < len(self._asked.segments):
            self.segment_requested.emit(self._asked.segments[int(place)].id)

    def _follow(self, _: object) -> None:
        self._pause.start()

    def _ask(self) -> None:
        session = self._session
        if session is None or not self.isVisible() or not session.document.has(self._segment):
            return
        colours = self._theme.colours
        wanted = PreviewColours(colours.text, colours.muted, colours.border, colours.accent_soft)
        request = around(session.document, session.document.row(self._segment))
        self._asked = request
        self.wanted.emit(request, wanted)

    def show_failure(self, request: PreviewRequest, error: Exception) -> None:
        """Say why there is no preview."""
        if request is self._asked:
            self.page.setPlainText(str(error))

    def show_preview(self, request: PreviewRequest, made: str) -> None:
        """Show what was made, unless something else has been asked for since."""
        if request is not self._asked:
            return
        self.page.setHtml(made)
        self.page.scrollToAnchor("current")
        bar = self.page.verticalScrollBar()
        bar.setValue(bar.value() - round(self.page.viewport().height() * TOP))
        # The line at the upper edge is shown whole.
        line = self.page.cursorRect(self.page.cursorForPosition(QPoint(MARGIN, 0)))
        bar.setValue(bar.value() + line.top())
