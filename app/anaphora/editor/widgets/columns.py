"""A widget for choosing which columns of a table to translate."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anaphora.core.reading_choices import Columns
from anaphora.formats.bilingual.csv_table import TablePreview


class ColumnsPart(QWidget):
    """Lets the user choose a table's source and target columns; each is shown with its first cells."""

    def __init__(self, table: TablePreview, labels: tuple[str, str] | None = None) -> None:
        """`labels` are the labels of the two fields, for sources and target; the default suits a document."""
        super().__init__()
        of_sources, of_targets = labels or (self.tr("Columns to translate"), self.tr("Write translations to"))
        self._table = table
        width = max(map(len, table.rows), default=1)
        names = [self._name_of(column) for column in range(width)]
        self.sources = QListWidget()
        self.sources.setAccessibleName(of_sources)
        self.sources.setMaximumHeight(96)
        self.sources.setSpacing(1)
        for column, name in enumerate(names):
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            wanted = column in table.columns.sources
            item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
            self.sources.addItem(item)
        self.target = QComboBox()
        self.target.setAccessibleName(of_targets)
        self.target.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.target.addItem(self.tr("the source cell"), -1)
        for column, name in enumerate(names):
            self.target.addItem(name, column)
        self.target.setCurrentIndex(max(table.columns.targets, default=-1) + 1)
        self.has_header = QCheckBox(self.tr("The first row contains column names and is not translated"))
        self.has_header.setChecked(table.columns.has_header)
        form = QFormLayout()
        form.addRow(of_sources, self.sources)
        form.addRow(of_targets, self.target)
        form.addRow("", self.has_header)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addLayout(form)
        self.sources.itemChanged.connect(self._follow_sources)
        self._follow_sources()

    @property
    def chosen(self) -> Columns:
        """The chosen columns (if none, the initial ones). Several sources are translated in place."""
        sources = self._sources()
        if not sources:
            return self._table.columns
        target = self.target.currentData() if len(sources) == 1 else -1
        targets = (-1 if target in sources else target,) if len(sources) == 1 else (-1,) * len(sources)
        return Columns(sources, targets, self.has_header.isChecked())

    def _sources(self) -> tuple[int, ...]:
        rows = range(self.sources.count())
        return tuple(row for row in rows if self.sources.item(row).checkState() is Qt.CheckState.Checked)

    def _follow_sources(self) -> None:
        self.target.setEnabled(len(self._sources()) == 1)

    def _name_of(self, column: int) -> str:
        cells = [row[column] for row in self._table.rows if column < len(row) and row[column].strip()]
        example = " · ".join(cell.replace("\n", " ")[:24] for cell in cells[:3])
        return f"{column + 1}: {example}"
