"""The sentence's recurring terms that have several renderings: a section of the rail."""

from __future__ import annotations

import html

from PySide6.QtWidgets import QWidget

from anaphora.core.consistency import TermReport
from anaphora.core.segment import Segment
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.sentence import Lines

MOST = 8
"""More lines than this are not read."""


class TermLines(Lines):
    """The sentence's terms that this document renders in more than one way, and which way is used here."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.set_title(self.tr("Terms of the current segment"))
        self._reports: tuple[TermReport, ...] = ()
        self._segment = ""
        theme.changed.connect(self._fill)

    def show_reports(self, reports: tuple[TermReport, ...]) -> None:
        self._reports = reports
        self._fill()

    def show_segment(self, segment: Segment | None) -> None:
        self._segment = segment.id if segment is not None else ""
        self._fill()

    def _fill(self) -> None:
        here = [
            report
            for report in self._reports
            if len(report.renderings) > 1
            and any(self._segment in rendering.segments for rendering in report.renderings)
        ]
        self.show_lines([self._line(report) for report in here[:MOST]])

    def _line(self, report: TermReport) -> str:
        parts = []
        for rendering in report.renderings[:4]:
            count = len(rendering.segments)
            text = html.escape(f"{rendering.text} ×{count}" if count > 1 else rendering.text)
            used = self._segment in rendering.segments
            parts.append(f"<b>{text}</b>" if used else self._other(text, rendering.segments[0]))
        return f"{html.escape(report.term)} → {', '.join(parts)}"

    def _other(self, text: str, segment: str) -> str:
        style = f"color:{self._theme.colours.muted};text-decoration:none"
        return f'<a style="{style}" href="{html.escape(segment)}">{text}</a>'
