"""The dialog before an export: state of the translation, destination and options."""

from __future__ import annotations

import os.path
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anaphora.core.drafts import Proposals
from anaphora.core.segment import Status
from anaphora.editor.appearance.theme import STATUS_ICONS, Theme, pixmap
from anaphora.editor.widgets.dialogs import side_button, side_by_side, wrapped
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.editor.widgets.sentence import plain_label, short_path
from anaphora.features.checks.issue_count import IssueCount
from anaphora.project.exporting.writing import ExportSummary
from anaphora.system.disk_queries import DiskQueries
from anaphora.system.locations import with_home

ICON = 18
LINE_HEIGHT = 28


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the summary. `link` is the filter for its segments; None for a line without a link."""

    icon: Status | None
    count: int
    text: str
    link: Shown | None


class WorkSummary(QWidget):
    """Lines with an icon, a number and a text; a click on a link emits `requested` with its filter."""

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
        self._issue_widgets: list[QWidget] = []
        for row, line in enumerate(self._lines(summary)):
            self._issue_widgets = self._add(grid, row, line)
        self._follow_issues()
        issues.changed.connect(self._follow_issues)
        self._paint_pictures()
        theme.changed.connect(self._paint_pictures)

    @property
    def texts(self) -> list[str]:
        """The visible lines as screen readers read them."""
        return [text.accessibleName() for _, text in self._labels if not text.isHidden()]

    def _follow_issues(self) -> None:
        count, is_complete = self._issues.number, self._issues.is_complete
        number, text = self._labels[-1]
        number.setText(QLocale().toString(count) if count or is_complete else "…")
        checking = QCoreApplication.translate("WorkSummary", "with issues so far (still checking)")
        text.setText(_issues_text() if is_complete else checking)
        text.setAccessibleName(f"{count} {text.text()}" if count else text.text())
        for widget in self._issue_widgets:
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
        matches = translate("ReasonLines", "from the translation memory")
        drafts = translate("WorkSummary", "machine drafts, not confirmed")
        proposals = translate("WorkSummary", "tentative, probably too poor to edit")
        untouched = translate("WorkSummary", "not started: the source is kept")
        lines = (
            _Line(Status.CONFIRMED, summary.confirmed, translate("WorkSummary", "confirmed"), None),
            _Line(Status.EDITED, summary.edited, edited, Shown.UNCONFIRMED),
            _Line(Status.EDITED, summary.matches, matches, Shown.UNCONFIRMED),
            _Line(Status.DRAFT, summary.drafts, drafts, Shown.UNCONFIRMED),
            _Line(Status.NOT_STARTED, summary.proposals, proposals, Shown.PROPOSED),
            _Line(Status.NOT_STARTED, summary.untranslated, untouched, Shown.UNCONFIRMED),
            _Line(Status.LOCKED, summary.locked, translate("WorkSummary", "locked"), None),
            _Line(None, self._issues.number, _issues_text(), Shown.ISSUES),
        )
        return [line for line in lines if line.count or line.icon in (Status.CONFIRMED, None)]

    def _add(self, grid: QGridLayout, row: int, line: _Line) -> list[QWidget]:
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
        if line.link is not None:
            link = QPushButton(QIcon(), QCoreApplication.translate("WorkSummary", "Show"))
            link.setProperty("link", True)
            link.setAutoDefault(False)
            link.setAccessibleName(
                QCoreApplication.translate("WorkSummary", "Show segments: {0}").format(line.text)
            )
            link.clicked.connect(lambda _=False, wanted=line.link: self.requested.emit(wanted))
            grid.addWidget(link, row, 3, Qt.AlignmentFlag.AlignLeft)
            parts.append(link)
        return parts


def _issues_text() -> str:
    return QCoreApplication.translate("WorkSummary", "with issues")


CHECK_DELAY_MS = 150
"""Pause in milliseconds between the last typed character and the check of the path."""


class PlaceField(QWidget):
    """Asks for the path of a folder or file, and checks the path in the background by calling `examine`.

    Signals:
        changed: the path has changed and is not checked yet.
        checked: the result of `examine` for the current path; not emitted for an empty path.
    """

    changed = Signal()
    checked = Signal(object)

    def __init__(self, proposed: Path, is_folder: bool, examine: Callable[[Path], Any]) -> None:
        super().__init__()
        self._proposed, self._is_folder, self._examine = proposed, is_folder, examine
        self._queries = DiskQueries(self)
        self._check_timer = QTimer(self, singleShot=True, interval=CHECK_DELAY_MS)
        self._check_timer.timeout.connect(partial(self.check, self.checked.emit))
        label = plain_label(self.tr("Location"), "heading")
        self.line = QLineEdit(short_path(proposed))
        self.line.setAccessibleName(self.tr("Location"))
        self.line.setMinimumWidth(380)
        self.line.textChanged.connect(self._follow)
        browse = side_button(self.tr("Choose…"), self._browse)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(label)
        box.addLayout(side_by_side(self.line, browse, grows=self.line))
        self._check_timer.start(0)

    @property
    def is_empty(self) -> bool:
        return not self.line.text().strip()

    @property
    def place(self) -> Path:
        """The chosen path; a name without a folder goes into the proposed folder."""
        return self._proposed.parent / with_home(Path(self.line.text().strip()))

    def check(self, receive: Callable[[Any], None]) -> None:
        """Check the path and call `receive` with the result, unless the path is empty or has changed."""
        self._check_timer.stop()
        if not self.is_empty:
            self._queries.ask(partial(self._examine, self.place), receive)

    def _follow(self) -> None:
        self._queries.ignore_answer()
        self._check_timer.start(CHECK_DELAY_MS)
        self.changed.emit()

    def _browse(self) -> None:
        title, place = self.tr("Location"), self.place
        if self._is_folder:
            dialog = choose_existing(
                self,
                title,
                lambda: next(filter(os.path.isdir, (place, place.parent)), place),
                QFileDialog.FileMode.Directory,
            )
        else:
            filters = [f"*{self._proposed.suffix}", self.tr("All files (*)")]
            dialog = choose_new(self, title, lambda: place.parent, place.name, filters)
        dialog.fileSelected.connect(self.line.setText)


class ExportDialog(QDialog):
    """Shows the state of the translation and asks for a destination.

    Signals:
        chosen: the destination.
        segments_requested: the filter (`Shown`) of a clicked link; the dialog closes without an export.
    """

    chosen = Signal(Path)
    segments_requested = Signal(object)

    def __init__(
        self,
        name: str,
        summary: ExportSummary,
        issues: IssueCount,
        proposed: Path,
        is_folder: bool,
        can_name_language: bool,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export translation"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._is_folder = is_folder
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(20, 18, 20, 16)
        self.box.setSpacing(12)
        self.box.addStrut(420)  # `setMinimumWidth` would override the layout's minimum width
        heading = plain_label(name)
        heading.setProperty("role", "section")
        heading.setWordWrap(True)
        self.summary = WorkSummary(summary, issues, theme)
        self.summary.requested.connect(self._show_segments)
        self.box.addWidget(heading)
        self.box.addWidget(self.summary)
        self.field = PlaceField(proposed, is_folder, os.path.isdir if is_folder else os.path.isfile)
        self.field.changed.connect(self._follow_place)
        self.field.checked.connect(self._warn_about_existing)
        self.names_language = QCheckBox(self.tr("Set the file's language to that of the translation"))
        self.names_language.setToolTip(
            self.tr(
                "Spelling checkers and screen readers use this language. Fonts without "
                "letters for this language are replaced."
            )
        )
        self.names_language.setChecked(True)
        self.names_language.setVisible(can_name_language)
        self.proposals = QComboBox()
        self.proposals.setAccessibleName(self.tr("Tentative drafts"))
        leave, empty = self.tr("Tentative drafts: keep the source"), self.tr("Tentative drafts: leave empty")
        self.proposals.addItems((leave, empty, self.tr("Tentative drafts: export the drafts")))
        self.proposals.setVisible(summary.proposals > 0)
        self.remark = wrapped(role="muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.write = buttons.addButton(self.tr("Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.write.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.box.addWidget(self.field)
        self.box.addWidget(self.proposals)
        self.box.addWidget(self.names_language)
        self.box.addWidget(self.remark)
        self.box.addStretch(1)  # the line about issues may disappear
        self.box.addWidget(buttons)
        self._follow_place()
        self.write.setFocus()

    @property
    def choices(self) -> tuple[bool, Proposals]:
        """Arguments for `write_export`: names_language, proposals."""
        return self.names_language.isChecked(), [*Proposals][self.proposals.currentIndex()]

    def show_conversion(self, own: str, inner: str) -> None:
        """Explain that LibreOffice converts the file to the type `own`, unless its name ends in `inner`."""
        text = self.tr("LibreOffice converts the file to {0}. To avoid this, use a name that ends in {1}.")
        self.box.insertWidget(self.box.indexOf(self.remark), wrapped(text.format(own, inner), "muted"))

    def accept(self) -> None:
        """Emit `chosen` and close. If the file or folder exists, the first call only warns."""
        self.field.check(partial(self._export, self.remark.isVisible()))

    def _show_segments(self, wanted: Shown) -> None:
        self.reject()
        self.segments_requested.emit(wanted)

    def _export(self, was_warned: bool, exists: bool) -> None:
        if exists and not was_warned:
            self._warn_about_existing(True)
            return
        place = self.field.place
        super().accept()
        self.chosen.emit(place)

    def _follow_place(self) -> None:
        self.write.setEnabled(not self.field.is_empty)
        self.remark.hide()

    def _warn_about_existing(self, exists: bool) -> None:
        files = self.tr("This folder exists. Files with the same names will be replaced.")
        file = self.tr("This file exists and will be replaced.")
        self.remark.setText(files if self._is_folder else file)
        self.remark.setVisible(exists)
