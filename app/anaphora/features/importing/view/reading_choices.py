"""The dialog with the choices for reading a document: a table's columns, and the user's placeholders."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import ReadingChoices
from anaphora.editor.widgets.columns import ColumnsPart
from anaphora.editor.widgets.dialogs import set_up_dialog, side_by_side, stack, wrapped
from anaphora.editor.widgets.sentence import plain_action, plain_label
from anaphora.features.importing.reading_choices import OfferedChoices, choices_like, offered_choices
from anaphora.formats.base.own_placeholders import OwnPlaceholders, PatternError
from anaphora.formats.base.placeholders import presets
from anaphora.project.current import CurrentProject
from anaphora.project.opener import Opener
from anaphora.project.rereading import read_with
from anaphora.system.messages import describe_error


def ask_how_to_read(
    document: DocumentInfo, controller: CurrentProject, opener: Opener, window: QWidget
) -> None:
    if (project := controller.project) is None:
        return
    store, documents = project.store, project.documents

    def show(offer: OfferedChoices) -> None:
        dialog = ReadingChoicesDialog(offer, len(documents) > 1, window)
        dialog.chosen.connect(apply)
        dialog.open()

    def apply(choices: ReadingChoices, everywhere: bool) -> None:
        if wanted := choices_like(choices, document, documents, everywhere):
            opener.reopen(partial(read_with, wanted))

    title = QCoreApplication.translate("ReadingChoicesDialog", "Document import settings")
    controller.run(lambda: offered_choices(document, store), show, title)


class ReadingChoicesDialog(QDialog):
    """Asks how to read a document. `columns` is None unless the document is a table.

    Signals:
        chosen: (ReadingChoices, True if the placeholders apply to all documents).
    """

    chosen = Signal(object, bool)

    def __init__(self, offer: OfferedChoices, has_others: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Document import settings"), 760, 600 if offer.table is not None else 300)
        self._offer = offer
        name = wrapped(offer.document.name, "section")
        self.columns = None if offer.table is None else ColumnsPart(offer.table)
        columns = [self.columns] if self.columns is not None else []
        patterns = self._patterns_part(has_others)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.agree = buttons.addButton(self.tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.agree.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        stack(self, name, *columns, *patterns, buttons)

    @property
    def choices(self) -> ReadingChoices:
        return replace(
            self._offer.document.choices,
            columns=None if self.columns is None else self.columns.chosen,
            placeholders=self._patterns(),
        )

    def accept(self) -> None:
        try:
            OwnPlaceholders(self._patterns())
        except PatternError as error:
            self._problem.setText(describe_error(error))
            self._problem.show()
            return
        choices, everywhere = self.choices, self.everywhere.isChecked()
        super().accept()
        self.chosen.emit(choices, everywhere)

    def _patterns_part(self, has_others: bool) -> tuple[QWidget | QLayout, ...]:
        heading = plain_label(self.tr("Custom placeholders"), "heading")
        about = wrapped(
            self.tr("Regular expressions, one per line. Matching text becomes a tag and is not translated."),
            "muted",
        )
        self.patterns = QPlainTextEdit("\n".join(self._offer.document.choices.placeholders))
        self.patterns.setAccessibleName(self.tr("Custom placeholders"))
        self.patterns.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.patterns.setTabChangesFocus(True)
        menu = QMenu(self)
        for label, pattern in presets():
            action = menu.addAction(plain_action(label))
            action.triggered.connect(lambda _=False, wanted=pattern: self._insert(wanted))
        add = QPushButton(self.tr("Add…"))
        add.setAutoDefault(False)
        add.setMenu(menu)
        self.everywhere = QCheckBox(self.tr("Apply to all documents in the project, in all formats"))
        self.everywhere.setChecked(True)
        self.everywhere.setVisible(has_others)
        self._problem = wrapped(role="wrong")
        self._problem.hide()
        field = side_by_side(self.patterns, add, grows=self.patterns)
        field.setAlignment(add, Qt.AlignmentFlag.AlignTop)
        return heading, about, field, self.everywhere, self._problem

    def _patterns(self) -> tuple[str, ...]:
        return tuple(line for line in self.patterns.toPlainText().split("\n") if line.strip())

    def _insert(self, pattern: str) -> None:
        self.patterns.setPlainText("\n".join((*self._patterns(), pattern)))
