"""Word counts and progress, per document and in all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Status
from anaphora.core.table_text import as_table
from anaphora.editor.appearance.language_names import language_name
from anaphora.editor.widgets.dialogs import begin, closing_buttons, stack, wrapped
from anaphora.editor.widgets.panel import listing
from anaphora.editor.widgets.plain_text import plain_tip
from anaphora.features.statistics.counting import Statistics, count_documents, total
from anaphora.project.current import CurrentProject

WIDTH = 980
"""The dialog's width in pixels: with its frame it fits a screen of 1280×720 at 125 %."""
ALWAYS = (1, 4, 10)
"""Columns that are shown also where all of them are 0: words, segments, confirmed."""


def show_statistics(controller: CurrentProject, window: QWidget) -> None:
    """Count the open project, and show what was counted."""
    if (project := controller.project) is None:
        return
    segments, documents = list(project.session.document), project.documents

    def show(counted: list[Statistics]) -> None:
        StatisticsDialog(counted, project.pair.of_texts, window).open()

    title = QCoreApplication.translate("StatisticsDialog", "Statistics")
    controller.run(lambda: count_documents(segments, documents), show, title)


class StatisticsDialog(QDialog):
    """A table with a row for each document and one for all of them."""

    def __init__(
        self, documents: Sequence[Statistics], languages: LanguagePair, parent: QWidget | None = None
    ) -> None:
        """`languages` are those of sources and targets."""
        super().__init__(parent)
        begin(self, self.tr("Statistics"), WIDTH, min(280 + 28 * len(documents), 620))
        whole = total(documents, self.tr("All documents"))
        listed = [*documents, whole] if len(documents) > 1 else [*documents]
        self.rows = (self._headings(languages), *(self._row(each) for each in listed))
        note = wrapped(
            self.tr(
                "For languages without spaces, such as Chinese, each character counts as a word. "
                "Punctuation is not counted. A segment counts as repeated if an earlier segment, "
                "here or in another document, has the same source."
            ),
            "muted",
        )
        buttons = closing_buttons(self)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        for text, separator in ((self.tr("Copy as text"), "\t"), (self.tr("Copy as CSV"), ",")):
            button = buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, mark=separator: self._copy(mark))
        table = self._table(len(documents) > 1)
        stack(self, wrapped(self._summary(whole)), table, note, buttons, grows=table)

    def _summary(self, whole: Statistics) -> str:
        text = self.tr("Words: {0}, segments: {1}; confirmed words: {2}, words in repetitions: {3}.")
        share = whole.repeated_words.total / whole.source.total if whole.source.total else 0.0
        return text.format(
            f"{whole.source.total:,}", f"{whole.segments:,}", f"{whole.confirmed_share:.0%}", f"{share:.0%}"
        )

    def _headings(self, languages: LanguagePair) -> tuple[str, ...]:
        return (
            self.tr("Document"),
            self.tr("Words"),
            self.tr("Single-character words"),
            self.tr("Characters"),
            self.tr("Segments"),
            self.tr("Repeated"),
            self.tr("Repeated elsewhere"),
            self.tr("Not started"),
            self.tr("Drafted"),
            self.tr("Edited"),
            self.tr("Confirmed"),
            self.tr("Locked"),
            language_name(languages.target),
        )

    @staticmethod
    def _row(counted: Statistics) -> tuple[str, ...]:
        numbers = (
            counted.source.total,
            counted.source.characters,
            counted.characters,
            counted.segments,
            counted.repeated,
            counted.repeated_across,
            *(counted.by_status[status] for status in Status),
            counted.target.total,
        )
        return (counted.name, *(str(number) for number in numbers))

    def _table(self, with_sum: bool) -> QTreeWidget:
        headings, *rows = self.rows
        titles = [headings[0], *(each.replace(" ", "\n", 1) for each in headings[1:])]
        table = listing(self.tr("Statistics"), titles)
        table.setAlternatingRowColors(True)
        bold = QFont(self.font())
        bold.setBold(True)
        for number, row in enumerate(rows):
            item = QTreeWidgetItem([row[0], *(f"{int(value):,}" for value in row[1:])])
            for column in range(1, len(row)):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if with_sum and number == len(rows) - 1:
                for column in range(len(row)):
                    item.setFont(column, bold)
            item.setToolTip(0, plain_tip(row[0]))
            table.addTopLevelItem(item)
        header = table.header()
        header.setStretchLastSection(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in set(range(1, header.count())).difference(ALWAYS):
            # Empty columns are not listed, but copied.
            header.setSectionHidden(column, not any(int(row[column]) for row in rows))
        table.headerItem().setTextAlignment(0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        return table

    def _copy(self, separator: str) -> None:
        QGuiApplication.clipboard().setText(as_table(self.rows, separator))
