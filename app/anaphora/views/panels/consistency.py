"""Recurring terms, their renderings, and where they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QToolButton, QTreeWidgetItem, QWidget

from anaphora.core.consistency import Rendering, TermReport
from anaphora.views.appearance.icons import icon, pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.panel import Panel, child_items, note, top_items, tree
from anaphora.views.widgets.plain_text import plain_tip

REPORT_ROLE = Qt.ItemDataRole.UserRole + 1
RENDERING_ROLE = Qt.ItemDataRole.UserRole + 2


def words_to_mark(reports: tuple[TermReport, ...]) -> dict[str, tuple[str, ...]]:
    """By segment id, the terms with several renderings and how they are rendered there."""
    words: dict[str, list[str]] = {}
    for report in reports:
        for rendering in () if report.consistent else report.renderings:
            for segment in rendering.segments:
                words.setdefault(segment, []).extend((report.term, *rendering.forms))
    return {segment: tuple(dict.fromkeys(found)) for segment, found in words.items()}


class ConsistencyPanel(Panel):
    """Terms with their renderings below; stepping through occurrences; settling on one rendering.

    Signals:
        segment_requested: id of the occurrence to go to.
        rendering_chosen: (TermReport, Rendering) to be used everywhere.
    """

    segment_requested = Signal(str)
    rendering_chosen = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._reports: tuple[TermReport, ...] = ()
        self._position: dict[tuple[str, str], int] = {}
        self._about = note()
        self._only = QCheckBox(self.tr("Only terms with several renderings"))
        self._only.setContentsMargins(12, 0, 12, 0)
        self._only.toggled.connect(self._fill)
        self.terms = tree(theme, [self.tr("Term"), self.tr("Count")], 0, {1: 60}, self.tr("Recurring terms"))
        self.terms.setRootIsDecorated(True)
        self.terms.itemClicked.connect(lambda item: self._step(item, 1))
        self.terms.itemActivated.connect(lambda item: self._step(item, 1))
        self.terms.currentItemChanged.connect(self._enable)
        self._previous = QToolButton()
        self._previous.setToolTip(self.tr("Previous occurrence"))
        self._previous.setAccessibleName(self.tr("Previous occurrence"))
        self._previous.clicked.connect(lambda: self._step(self.terms.currentItem(), -1))
        self._next = QToolButton()
        self._next.setToolTip(self.tr("Next occurrence"))
        self._next.setAccessibleName(self.tr("Next occurrence"))
        self._next.clicked.connect(lambda: self._step(self.terms.currentItem(), 1))
        self.use_button = QPushButton(self.tr("Use everywhere…"))
        self.use_button.setToolTip(self.tr("Use this rendering in all unconfirmed segments, after a preview"))
        self.use_button.clicked.connect(self._choose)
        self._lay_out()
        theme.changed.connect(self._update_icons)
        self._update_icons()
        self._enable()

    def _lay_out(self) -> None:
        self.box.addWidget(self._about)
        only = QHBoxLayout()
        only.setContentsMargins(12, 0, 12, 8)
        only.addWidget(self._only)
        self.box.addLayout(only)
        self.box.addWidget(self.terms, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(10, 8, 10, 8)
        buttons.addWidget(self._previous)
        buttons.addWidget(self._next)
        buttons.addStretch(1)
        buttons.addWidget(self.use_button)
        self.box.addLayout(buttons)

    def show_reports(self, reports: tuple[TermReport, ...]) -> None:
        """Show the terms of a document."""
        if reports != self._reports:
            self._reports = reports
            self._fill()

    def _update_icons(self) -> None:
        colour = self._theme.colours.text
        self._previous.setIcon(icon("previous", colour, self._theme.colours.not_started))
        self._next.setIcon(icon("next", colour, self._theme.colours.not_started))
        self._fill()

    def _fill(self) -> None:
        chosen = self._key(self.terms.currentItem())
        offset = self.terms.verticalScrollBar().value()
        self.terms.blockSignals(True)
        self.terms.clear()
        several = sum(not report.consistent for report in self._reports)
        if not self._reports:
            self._about.setText(self.tr("No recurring terms have been found yet."))
        else:
            text = self.tr("{0} recurring terms, {1} with more than one rendering.")
            self._about.setText(text.format(len(self._reports), several))
        for report in self._reports:
            if not report.consistent or not self._only.isChecked():
                self.terms.addTopLevelItem(self._term_item(report))
        self._restore(chosen)
        self.terms.verticalScrollBar().setValue(offset)
        self.terms.blockSignals(False)
        self._enable()

    def _term_item(self, report: TermReport) -> QTreeWidgetItem:
        colours = self._theme.colours
        item = QTreeWidgetItem([report.term, str(report.count)])
        item.setData(0, REPORT_ROLE, report)
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setForeground(1, QColor(colours.muted))
        if not report.consistent:
            item.setIcon(0, QIcon(pixmap("inconsistent", colours.warning, 14)))
            item.setForeground(0, QColor(colours.warning))
            item.setToolTip(0, self.tr("{0} renderings").format(len(report.renderings)))
        for rendering in report.renderings:
            child = QTreeWidgetItem([rendering.text, str(len(rendering.segments))])
            child.setData(0, REPORT_ROLE, report)
            child.setData(0, RENDERING_ROLE, rendering)
            child.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            child.setForeground(1, QColor(colours.muted))
            tip = self.tr("Written as {0}. Click to step through.").format(", ".join(rendering.forms))
            child.setToolTip(0, plain_tip(tip))
            item.addChild(child)
        return item

    def _restore(self, chosen: tuple[str, str]) -> None:
        for item in top_items(self.terms):
            report: TermReport = item.data(0, REPORT_ROLE)
            item.setExpanded(not report.consistent or report.term == chosen[0])
            for candidate in (item, *child_items(item)):
                if self._key(candidate) == chosen:
                    self.terms.setCurrentItem(candidate)

    @staticmethod
    def _key(item: QTreeWidgetItem | None) -> tuple[str, str]:
        if item is None:
            return "", ""
        rendering: Rendering | None = item.data(0, RENDERING_ROLE)
        return item.data(0, REPORT_ROLE).term, rendering.text if rendering else ""

    def _enable(self) -> None:
        item = self.terms.currentItem()
        rendering = item.data(0, RENDERING_ROLE) if item else None
        report: TermReport | None = item.data(0, REPORT_ROLE) if item else None
        self.use_button.setEnabled(rendering is not None and report is not None and not report.consistent)
        self._previous.setEnabled(item is not None)
        self._next.setEnabled(item is not None)

    def _step(self, item: QTreeWidgetItem | None, by: int) -> None:
        if item is None:
            return
        report: TermReport = item.data(0, REPORT_ROLE)
        rendering: Rendering | None = item.data(0, RENDERING_ROLE)
        places = rendering.segments if rendering else tuple(s for r in report.renderings for s in r.segments)
        if not places:
            return
        key = self._key(item)
        position = self._position.get(key, -1 if by > 0 else 0) + by
        self._position[key] = position % len(places)
        self.segment_requested.emit(places[position % len(places)])

    def _choose(self) -> None:
        item = self.terms.currentItem()
        if item is not None and (rendering := item.data(0, RENDERING_ROLE)) is not None:
            self.rendering_chosen.emit(item.data(0, REPORT_ROLE), rendering)
