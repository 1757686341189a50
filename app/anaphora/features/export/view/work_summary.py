"""The state of a translation: numbers of confirmed, drafted and other segments, and of issues."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from anaphora.core.segment import Status
from anaphora.editor.appearance.icons import STATUS_ICONS, pixmap
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.editor.widgets.plain_text import plain_label
from anaphora.features.checks.issue_count import IssueCount
from anaphora.project.exporting.writing import ExportSummary

ICON = 18
LINE_HEIGHT = 28


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the summary; `shown` is the filter that shows its segments."""

    icon: Status | None
    count: int
    text: str
    shown: Shown | None


class WorkSummary(QWidget):
    """Lines with an icon, a number and a text; `requested` emits the Shown to filter by."""

    requested = Signal(object)

    def __init__(self, summary: ExportSummary, issues: IssueCount, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._issues = issues
        self._pictures: list[tuple[QLabel, Status | None]] = []
        self._labels: list[tuple[QLabel, QLabel]] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(3, 1)
        self._flagged: list[QWidget] = []
        for row, line in enumerate(self._lines(summary)):
            self._flagged = self._add(grid, row, line)
        self._follow_issues()
        issues.changed.connect(self._follow_issues)
        self._paint_pictures()
        theme.changed.connect(self._paint_pictures)

    @property
    def texts(self) -> list[str]:
        """The visible lines as screen readers read them."""
        return [text.accessibleName() for _, text in self._labels if not text.isHidden()]

    def _follow_issues(self) -> None:
        """Update the number of segments with issues while checks run."""
        count, is_complete = self._issues.number, self._issues.is_complete
        number, text = self._labels[-1]
        number.setText(QLocale().toString(count) if count or is_complete else "…")
        checking = QCoreApplication.translate("WorkSummary", "with issues so far (still checking)")
        text.setText(_flagged() if is_complete else checking)
        text.setAccessibleName(f"{count} {text.text()}" if count else text.text())
        for widget in self._flagged:
            widget.setVisible(bool(count) or not is_complete)

    def _paint_pictures(self) -> None:
        colours = self._theme.colours
        for picture, status in self._pictures:
            if status is None:
                picture.setPixmap(pixmap("warning", colours.warning, ICON))
            else:
                picture.setPixmap(pixmap(STATUS_ICONS[status], colours.status(status).name(), ICON))

    def _lines(self, summary: ExportSummary) -> list[_Line]:
        translate = QCoreApplication.translate
        edited = translate("WorkSummary", "edited, not confirmed")
        drafts = translate("WorkSummary", "drafted, not confirmed")
        proposals = translate("WorkSummary", "tentative, probably not worth editing")
        untouched = translate("WorkSummary", "not translated: the source is kept")
        every = (
            _Line(Status.CONFIRMED, summary.confirmed, translate("WorkSummary", "confirmed"), None),
            _Line(Status.EDITED, summary.edited, edited, Shown.UNCONFIRMED),
            _Line(Status.DRAFT, summary.drafts, drafts, Shown.UNCONFIRMED),
            _Line(Status.NOT_STARTED, summary.proposals, proposals, Shown.PROPOSED),
            _Line(Status.NOT_STARTED, summary.untranslated, untouched, Shown.UNCONFIRMED),
            _Line(Status.LOCKED, summary.locked, translate("WorkSummary", "locked"), None),
            _Line(None, self._issues.number, _flagged(), Shown.ISSUES),
        )
        return [line for line in every if line.count or line.icon in (Status.CONFIRMED, None)]

    def _add(self, grid: QGridLayout, row: int, line: _Line) -> list[QWidget]:
        """Add a line; return its widgets."""
        picture = QLabel()
        self._pictures.append((picture, line.icon))
        number = plain_label(QLocale().toString(line.count))
        number.setProperty("role", "section")
        text = plain_label(line.text)
        text.setAccessibleName(f"{line.count} {line.text}")
        self._labels.append((number, text))
        text.setMinimumHeight(LINE_HEIGHT)  # as high as a line with a link
        grid.addWidget(picture, row, 0)
        grid.addWidget(number, row, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(text, row, 2)
        parts: list[QWidget] = [picture, number, text]
        if line.shown is not None:
            link = QPushButton(QIcon(), QCoreApplication.translate("WorkSummary", "Show"))
            link.setProperty("link", True)
            link.setAutoDefault(False)
            link.setAccessibleName(
                QCoreApplication.translate("WorkSummary", "Show segments: {0}").format(line.text)
            )
            link.clicked.connect(lambda _=False, wanted=line.shown: self.requested.emit(wanted))
            grid.addWidget(link, row, 3, Qt.AlignmentFlag.AlignLeft)
            parts.append(link)
        return parts


def _flagged() -> str:
    return QCoreApplication.translate("WorkSummary", "with issues")
