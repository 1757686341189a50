"""The dialog with word counts, matches and progress, for each document and in total."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from anaphora.core.segment import Status
from anaphora.core.table_text import as_table
from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, stack, wrapped
from anaphora.editor.widgets.rail import listing
from anaphora.editor.widgets.sentence import plain_tip
from anaphora.features.statistics.counting import BANDS, Statistics, total

WIDTH = 1140
"""Width of the dialog in pixels, with room for all columns; the dialog is narrower on a small screen."""
ALWAYS_SHOWN = (1, 3, 9)
"""Numbers of the columns that are shown even if all values are 0: words, segments, confirmed."""


class StatisticsDialog(QDialog):
    """A table of the documents (with a total if there are several) and a table of the matches."""

    def __init__(self, documents: Sequence[Statistics], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        totals = total(documents, self.tr("All documents"))
        band_count = sum(map(bool, totals.by_band.values()))
        set_up_dialog(self, self.tr("Statistics"), WIDTH, min(330 + 28 * (len(documents) + band_count), 680))
        statistics = [*documents, totals] if len(documents) > 1 else [*documents]
        self.rows = (self._headings(), *(self._row(each) for each in statistics))
        names = "101%", "100%", "95–99%", "85–94%", "75–84%", self.tr("New")
        counts = totals.by_band, totals.words_by_band, totals.characters_by_band
        self.bands = (
            (self.tr("Match"), self.tr("Segments"), self.tr("Words"), self.tr("Characters")),
            *((name, *(str(each[band]) for each in counts)) for band, name in zip(BANDS, names, strict=True)),
        )
        note = wrapped(
            self.tr(
                "For languages without spaces between words (such as Chinese), each character counts as a "
                "word. Punctuation is not counted. A segment counts as repeated if an earlier segment "
                "in this or another document has the same source. Matches come from the translation "
                "memories. For a 101% match, the neighbouring segments are the same too."
            ),
            "muted",
        )
        buttons = closing_buttons(self)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(self._copy)
        table, bands = self._table(self.rows, len(documents) > 1), self._table(self.bands)
        for column in set(range(1, table.columnCount())).difference(ALWAYS_SHOWN):
            # Columns with only zeros are hidden, but the user can copy them.
            table.setColumnHidden(column, not any(int(row[column]) for row in self.rows[1:]))
        for number, row in enumerate(self.bands[1:]):
            bands.setRowHidden(number, QModelIndex(), row[1] == "0")
        bands.setFixedHeight(bands.header().sizeHint().height() + 2 + band_count * bands.sizeHintForRow(0))
        stack(self, wrapped(self._summary(totals)), table, bands, note, buttons, grows=table)
        bands.setVisible(band_count > 0)

    def _summary(self, totals: Statistics) -> str:
        text = self.tr("Words: {0}. Segments: {1}. {2} of the words are in repetitions.")
        share = totals.repeated_words.total / totals.source.total if totals.source.total else 0.0
        return text.format(f"{totals.source.total:,}", f"{totals.segments:,}", f"{share:.0%}")

    def _headings(self) -> tuple[str, ...]:
        return (
            self.tr("Document"),
            self.tr("Words"),
            self.tr("Characters"),
            self.tr("Segments"),
            self.tr("Repeated"),
            self.tr("Not started"),
            self.tr("Tentative"),
            self.tr("Machine draft"),
            self.tr("Edited"),
            self.tr("Confirmed"),
            self.tr("Approved"),
            self.tr("Locked"),
            self.tr("Target words"),
        )

    @staticmethod
    def _row(counted: Statistics) -> tuple[str, ...]:
        numbers = (
            counted.source.total,
            counted.characters,
            counted.segments,
            counted.repeated,
            counted.by_status[Status.NOT_STARTED] - counted.proposed,
            counted.proposed,
            *(counted.by_status[status] for status in (Status.DRAFT, Status.EDITED, Status.CONFIRMED)),
            counted.approved,
            counted.by_status[Status.LOCKED],
            counted.target.total,
        )
        return (counted.name, *(str(number) for number in numbers))

    def _table(self, table_rows: Sequence[tuple[str, ...]], has_total: bool = False) -> QTreeWidget:
        headings, *rows = table_rows
        titles = [headings[0], *(each.replace(" ", "\n", 1) for each in headings[1:])]
        table = listing(self.tr("Statistics"), titles)
        table.setAlternatingRowColors(True)
        bold = QFont(self.font())
        bold.setBold(True)
        for number, row in enumerate(rows):
            item = QTreeWidgetItem([row[0], *(f"{int(value):,}" for value in row[1:])])
            for column in range(1, len(row)):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if has_total and number == len(rows) - 1:
                for column in range(len(row)):
                    item.setFont(column, bold)
            item.setToolTip(0, plain_tip(row[0]))
            table.addTopLevelItem(item)
        header = table.header()
        header.setStretchLastSection(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.headerItem().setTextAlignment(0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        return table

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_table((*self.rows, *self.bands), "\t"))
