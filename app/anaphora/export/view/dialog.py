"""Before a translation is exported, or its document left: what it holds, and where it goes."""

from __future__ import annotations

import os.path
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from anaphora.checks.issue_count import IssueCount
from anaphora.export.view.work_summary import WorkSummary
from anaphora.export.writing import ExportSummary
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.filter_chips import Shown
from anaphora.views.widgets.place_field import PlaceField
from anaphora.views.widgets.plain_text import plain_label


class _SummaryDialog(QDialog):
    """A heading, the summary, and what the dialogs below put under it; closed to look at segments."""

    segments_requested = Signal(object)

    def __init__(
        self,
        title: str,
        heading: str,
        summary: ExportSummary,
        issues: IssueCount,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(20, 18, 20, 16)
        self.box.setSpacing(12)
        self.box.addStrut(420)  # a width of the dialog itself would count for what its lines need, too
        name = plain_label(heading)
        name.setProperty("role", "section")
        name.setWordWrap(True)
        self.summary = WorkSummary(summary, issues, theme)
        self.summary.requested.connect(self._show_segments)
        self.box.addWidget(name)
        self.box.addWidget(self.summary)

    def _show_segments(self, wanted: Shown) -> None:
        self.reject()
        self.segments_requested.emit(wanted)


def _muted(text: str) -> QLabel:
    label = plain_label(text)
    label.setProperty("role", "muted")
    label.setWordWrap(True)
    return label


class ExportDialog(_SummaryDialog):
    """What the exported document will hold, and its place; Enter writes it: `chosen` tells the path."""

    chosen = Signal(Path)

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
        title = self.tr("Export translation")
        super().__init__(title, name, summary, issues, theme, parent)
        self._is_folder = is_folder
        self.field = PlaceField(proposed, is_folder, os.path.isdir if is_folder else os.path.isfile)
        self.field.changed.connect(self._follow_place)
        self.field.looked.connect(self._say_what_is_there)
        self.names_language = QCheckBox(self.tr("The file names the language of the translation as its own"))
        self.names_language.setToolTip(
            self.tr(
                "Spelling checkers and screen readers then take the right one. "
                "Fonts that lack its letters are replaced."
            )
        )
        self.names_language.setChecked(True)
        self.names_language.setVisible(can_name_language)
        self.remark = _muted("")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.write = buttons.addButton(self.tr("Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.write.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.box.addWidget(self.field)
        self.box.addWidget(self.names_language)
        self.box.addWidget(self.remark)
        self.box.addWidget(buttons)
        self._follow_place()
        self.write.setFocus()

    def show_conversion(self, own: str, inner: str) -> None:
        """Say that LibreOffice converts the file, and under which suffix it does not."""
        said = self.tr("LibreOffice converts it to {0}. Under a name that ends in {1} it is not converted.")
        self.box.insertWidget(self.box.indexOf(self.remark), _muted(said.format(own, inner)))

    def accept(self) -> None:
        """Write it; what is there now and was not told before is told first."""
        self.field.look_again(partial(self._go_on, self.remark.isVisible()))

    def _go_on(self, was_told: bool, is_there: bool) -> None:
        if is_there and not was_told:
            self._say_what_is_there(True)
            return
        place = self.field.place
        super().accept()
        self.chosen.emit(place)

    def _follow_place(self) -> None:
        self.write.setEnabled(not self.field.is_empty)
        self.remark.hide()

    def _say_what_is_there(self, is_there: bool) -> None:
        files = self.tr("This folder is there already: files of the same names in it will be replaced.")
        file = self.tr("This file is there already and will be replaced.")
        self.remark.setText(files if self._is_folder else file)
        self.remark.setVisible(is_there)


class ClosingDialog(_SummaryDialog):
    """What is done and what is not, before a document is left that was not exported since."""

    close_agreed = Signal()
    export_requested = Signal()

    def __init__(
        self,
        name: str,
        summary: ExportSummary,
        issues: IssueCount,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        title = self.tr("Close {0}").format(name)
        heading = self.tr("{0} is saved, and not exported since you changed it.").format(name)
        super().__init__(title, heading, summary, issues, theme, parent)
        self.again = QCheckBox(self.tr("Say this when I close"))
        self.again.setChecked(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        export = buttons.addButton(self.tr("Export…"), QDialogButtonBox.ButtonRole.ActionRole)
        export.setAutoDefault(False)
        export.clicked.connect(self._export)
        agree = buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.AcceptRole)
        agree.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.box.addWidget(self.again)
        self.box.addWidget(buttons)
        agree.setFocus()

    def accept(self) -> None:
        super().accept()
        self.close_agreed.emit()

    def _export(self) -> None:
        self.reject()
        self.export_requested.emit()
