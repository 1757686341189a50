"""How a document is read: the columns of a table, readings beside letters, placeholders of one's own."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anaphora.application.messages import describe_error
from anaphora.core.reading_choices import Columns, ReadingChoices
from anaphora.formats.base.own_placeholders import OwnPlaceholders, PatternError
from anaphora.formats.base.placeholders import presets
from anaphora.formats.bilingual.csv_table import Shown
from anaphora.projects.reading_choices import Offer
from anaphora.views.widgets.dialogs import begin, side_by_side, stack, wrapped
from anaphora.views.widgets.plain_text import plain_action, plain_label


class ReadingChoicesDialog(QDialog):
    """Asks what can be chosen about a document.

    Attributes:
        columns: of a table; None of another document.

    Signals:
        chosen: (ReadingChoices, whether the patterns hold for all documents).
    """

    chosen = Signal(object, bool)

    def __init__(self, offer: Offer, several: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin(self, self.tr("How the document is read"), 760, 600 if offer.table is not None else 300)
        self._offer = offer
        name = wrapped(offer.document.name, "section")
        self.columns = None if offer.table is None else _ColumnsPart(offer.table)
        columns = [self.columns] if self.columns is not None else []
        patterns = self._patterns_part(several)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.agree = buttons.addButton(self.tr("Read this way"), QDialogButtonBox.ButtonRole.AcceptRole)
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

    def _patterns_part(self, several: bool) -> tuple[QWidget | QLayout, ...]:
        heading = plain_label(self.tr("Placeholders of your own"), "heading")
        about = wrapped(
            self.tr("Regular expressions, one per line. What they match is kept as it is, as a tag."), "muted"
        )
        self.patterns = QPlainTextEdit("\n".join(self._offer.document.choices.placeholders))
        self.patterns.setAccessibleName(self.tr("Placeholders of your own"))
        self.patterns.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.patterns.setTabChangesFocus(True)
        menu = QMenu(self)
        for label, pattern in presets():
            action = menu.addAction(plain_action(label))
            action.triggered.connect(lambda _=False, wanted=pattern: self._insert(wanted))
        add = QPushButton(self.tr("Add…"))
        add.setAutoDefault(False)
        add.setMenu(menu)
        self.everywhere = QCheckBox(self.tr("For all documents of the project, not only of this format"))
        self.everywhere.setChecked(True)
        self.everywhere.setVisible(several)
        self._problem = wrapped(role="wrong")
        self._problem.hide()
        field = side_by_side(self.patterns, add, grows=self.patterns)
        field.setAlignment(add, Qt.AlignmentFlag.AlignTop)
        return heading, about, field, self.everywhere, self._problem

    def _patterns(self) -> tuple[str, ...]:
        return tuple(line for line in self.patterns.toPlainText().split("\n") if line.strip())

    def _insert(self, pattern: str) -> None:
        self.patterns.setPlainText("\n".join((*self._patterns(), pattern)))


class _ColumnsPart(QWidget):
    """Asks for the columns of a table."""

    def __init__(self, table: Shown) -> None:
        super().__init__()
        self._table = table
        width = max(map(len, table.rows), default=1)
        names = [self._named(at) for at in range(width)]
        self.sources = QListWidget()
        self.sources.setAccessibleName(self.tr("Columns to translate"))
        self.sources.setMaximumHeight(96)
        self.sources.setSpacing(1)
        for at, name in enumerate(names):
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            wanted = at in table.columns.sources
            item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
            self.sources.addItem(item)
        self.target = QComboBox()
        self.target.setAccessibleName(self.tr("Translations go into"))
        self.target.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.target.addItem(self.tr("the cell of the source text"), -1)
        for at, name in enumerate(names):
            self.target.addItem(name, at)
        self.target.setCurrentIndex(max(table.columns.targets, default=-1) + 1)
        self.has_header = QCheckBox(self.tr("The first row names the columns and stays"))
        self.has_header.setChecked(table.columns.has_header)
        form = QFormLayout()
        form.addRow(self.tr("Columns to translate"), self.sources)
        form.addRow(self.tr("Translations go into"), self.target)
        form.addRow("", self.has_header)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addLayout(form)
        self.sources.itemChanged.connect(self._follow_sources)
        self._follow_sources()

    @property
    def chosen(self) -> Columns:
        """What is chosen; without a column those of before."""
        sources = self._sources()
        if not sources:
            return self._table.columns
        target = self.target.currentData() if len(sources) == 1 else -1
        targets = (-1 if target in sources else target,) if len(sources) == 1 else (-1,) * len(sources)
        return Columns(sources, targets, self.has_header.isChecked())

    def _sources(self) -> tuple[int, ...]:
        rows = range(self.sources.count())
        return tuple(at for at in rows if self.sources.item(at).checkState() is Qt.CheckState.Checked)

    def _follow_sources(self) -> None:
        self.target.setEnabled(len(self._sources()) == 1)

    def _named(self, column: int) -> str:
        cells = [row[column] for row in self._table.rows if column < len(row) and row[column].strip()]
        example = " · ".join(cell.replace("\n", " ")[:24] for cell in cells[:3])
        return f"{column + 1}: {example}"
