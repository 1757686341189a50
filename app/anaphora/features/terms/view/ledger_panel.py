"""The panel of recurring terms with their renderings, and its controller."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QTreeWidgetItem

from anaphora.core.consistency import Origin, Rendering, TermReport, normal_form
from anaphora.core.edits import Preview
from anaphora.editor.appearance.theme import Theme, pixmap
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.changes import RenderingPreview
from anaphora.editor.widgets.rail import Panel, child_items, note, top_items, tree
from anaphora.editor.widgets.sentence import plain_label, plain_tip
from anaphora.features.terms.consistency_service import UnifyingService
from anaphora.features.terms.service import TermService

REPORT_ROLE = Qt.ItemDataRole.UserRole + 1
RENDERING_ROLE = Qt.ItemDataRole.UserRole + 2
TERM, RENDERING, ORIGIN, COUNT = range(4)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ConsistencyPanel(Panel):
    """Lists terms with their renderings; a click goes to a segment, and one rendering can be chosen.

    Signals:
        segment_requested: id of the segment to go to.
        rendering_chosen: (TermReport, the Rendering to use everywhere).
        accepted: the TermReport with the renderings to allow.
    """

    segment_requested = Signal(str)
    rendering_chosen = Signal(object, object)
    accepted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._reports: tuple[TermReport, ...] = ()
        self._positions: dict[tuple[str, str], int] = {}
        self._about = note()
        self._filter = QCheckBox(self.tr("Only terms with several translations"))
        self._filter.toggled.connect(self._fill)
        headings = [self.tr("Term"), self.tr("Translation"), self.tr("Origin"), self.tr("Count")]
        widths = {TERM: 320, ORIGIN: 130, COUNT: 60}
        self.terms = tree(headings, RENDERING, widths, self.tr("Recurring terms"))
        self.terms.setRootIsDecorated(True)
        self.terms.headerItem().setTextAlignment(COUNT, RIGHT)
        self.terms.itemClicked.connect(self._step)
        self.terms.itemActivated.connect(self._step)
        self.terms.currentItemChanged.connect(self._show_rendering)
        self.rendering = QLineEdit()
        self.rendering.setAccessibleName(self.tr("Translation of the term"))
        self.rendering.textChanged.connect(self._enable_buttons)
        self.rendering.returnPressed.connect(self._choose)
        self.use_button = QPushButton(self.tr("Use everywhere…"))
        self.use_button.setToolTip(
            self.tr("Rewrites all segments that use another translation. A preview shows the changes first.")
        )
        self.use_button.clicked.connect(self._choose)
        self.accept_button = QPushButton(self.tr("Allow all"))
        self.accept_button.setToolTip(self.tr("Add all translations of this term to the project's term base"))
        self.accept_button.clicked.connect(self._accept)
        self._lay_out()
        theme.changed.connect(self._fill)
        self._fill()
        self._enable_buttons()

    def _lay_out(self) -> None:
        self.box.addWidget(self._about)
        self.box.addWidget(self.terms, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(10, 8, 10, 8)
        buttons.setSpacing(8)
        buttons.addWidget(self._filter)
        buttons.addStretch(1)
        # These small widths let the widgets shrink on a small screen with docks on both sides.
        for widget, width in ((self._filter, 90), (self.rendering, 70), (self.use_button, 80)):
            widget.setMinimumWidth(width)
        label = plain_label(self.tr("Use:"))
        label.setBuddy(self.rendering)
        buttons.addWidget(label)
        buttons.addWidget(self.rendering, 1)
        buttons.addWidget(self.use_button)
        buttons.addWidget(self.accept_button)
        self.box.addLayout(buttons)

    def show_reports(self, reports: tuple[TermReport, ...]) -> None:
        if reports != self._reports:
            self._reports = reports
            self._fill()

    def show_several(self) -> None:
        self._filter.setChecked(True)
        if (first := self.terms.topLevelItem(0)) is not None:
            self.terms.setCurrentItem(first)

    def _fill(self) -> None:
        chosen, typed = self._key(self.terms.currentItem()), self.rendering.text()
        was_typing = self.rendering.isModified()
        offset = self.terms.verticalScrollBar().value()
        self.terms.blockSignals(True)
        self.terms.clear()
        several = sum(not report.is_consistent for report in self._reports)
        if not self._reports:
            self._about.setText(self.tr("No recurring terms have been found yet."))
        else:
            text = self.tr("Recurring terms: {0} ({1} with several translations)")
            self._about.setText(text.format(len(self._reports), several))
        for report in self._reports:
            if not report.is_consistent or not self._filter.isChecked():
                self.terms.addTopLevelItem(self._term_item(report))
        self._restore_selection(chosen)
        self.terms.verticalScrollBar().setValue(offset)
        self.terms.blockSignals(False)
        self._show_rendering(self.terms.currentItem())
        if was_typing and self._key(self.terms.currentItem()) == chosen:
            self.rendering.setText(typed)
            self.rendering.setModified(True)

    def _term_item(self, report: TermReport) -> QTreeWidgetItem:
        colours = self._theme.colours
        item = self._item(report.term, report.chosen, self._origin_name(report.origin), str(report.count))
        item.setData(TERM, REPORT_ROLE, report)
        if not report.is_consistent:
            item.setIcon(TERM, QIcon(pixmap("inconsistent", colours.warning, 14)))
            item.setForeground(TERM, QColor(colours.warning))
            item.setToolTip(TERM, self.tr("{0} translations").format(len(report.renderings)))
        for rendering in report.renderings:
            child = self._item(report.term, rendering.text, "", str(len(rendering.segments)))
            child.setForeground(TERM, QColor(colours.muted))
            child.setData(TERM, REPORT_ROLE, report)
            child.setData(TERM, RENDERING_ROLE, rendering)
            tip = self.tr("Forms: {0}. Click to go to the next segment.").format(", ".join(rendering.forms))
            child.setToolTip(RENDERING, plain_tip(tip))
            item.addChild(child)
        return item

    def _item(self, *texts: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([*texts])
        item.setTextAlignment(COUNT, RIGHT)
        for column in (ORIGIN, COUNT):
            item.setForeground(column, QColor(self._theme.colours.muted))
        return item

    def _origin_name(self, origin: Origin) -> str:
        names = {
            Origin.NONE: self.tr("suggested"),
            Origin.TERM_BASE: self.tr("term base"),
            Origin.CONFIRMED: self.tr("confirmed"),
            Origin.DRAFT: self.tr("draft"),
        }
        return names[origin]

    def _restore_selection(self, chosen: tuple[str, str]) -> None:
        for item in top_items(self.terms):
            report: TermReport = item.data(TERM, REPORT_ROLE)
            item.setExpanded(not report.is_consistent or report.term == chosen[0])
            for candidate in (item, *child_items(item)):
                if self._key(candidate) == chosen:
                    self.terms.setCurrentItem(candidate)

    @staticmethod
    def _key(item: QTreeWidgetItem | None) -> tuple[str, str]:
        if item is None:
            return "", ""
        rendering: Rendering | None = item.data(TERM, RENDERING_ROLE)
        return item.data(TERM, REPORT_ROLE).term, rendering.text if rendering else ""

    def _report(self) -> TermReport | None:
        item = self.terms.currentItem()
        return None if item is None else item.data(TERM, REPORT_ROLE)

    def _show_rendering(self, item: QTreeWidgetItem | None) -> None:
        rendering: Rendering | None = item.data(TERM, RENDERING_ROLE) if item else None
        report: TermReport | None = item.data(TERM, REPORT_ROLE) if item else None
        self.rendering.setText(rendering.text if rendering else report.chosen if report else "")
        self._enable_buttons()

    def _enable_buttons(self) -> None:
        report, text = self._report(), self.rendering.text().strip()
        has_others = report is not None and any(
            normal_form(each.text) != normal_form(text) for each in report.renderings
        )
        is_new = report is not None and (report.origin is not Origin.TERM_BASE or text != report.chosen)
        self.rendering.setEnabled(report is not None)
        self.use_button.setEnabled(bool(text) and (has_others or is_new))
        self.accept_button.setEnabled(report is not None and not report.is_consistent)

    def _step(self, item: QTreeWidgetItem) -> None:
        """Go to the next segment with the item's rendering; for a term, to the next with any rendering."""
        report: TermReport = item.data(TERM, REPORT_ROLE)
        rendering: Rendering | None = item.data(TERM, RENDERING_ROLE)
        all_ids = tuple(place for each in report.renderings for place in each.segments)
        segment_ids = (rendering.segments if rendering else all_ids) or report.segments
        if segment_ids:
            key = self._key(item)
            self._positions[key] = (self._positions.get(key, -1) + 1) % len(segment_ids)
            self.segment_requested.emit(segment_ids[self._positions[key]])

    def _choose(self) -> None:
        report, text = self._report(), " ".join(self.rendering.text().split())
        if report is None or not self.use_button.isEnabled():
            return
        form = normal_form(text)
        known = next((each for each in report.renderings if normal_form(each.text) == form), None)
        forms = (text, *(known.forms if known else ()))
        segment_ids = known.segments if known else ()
        self.rendering_chosen.emit(report, Rendering(text, segment_ids, tuple(dict.fromkeys(forms))))

    def _accept(self) -> None:
        if (report := self._report()) is not None:
            self.accepted.emit(report)


class LedgerController(Announcer):
    def __init__(
        self, desk: Desk, panel: ConsistencyPanel, unifying: UnifyingService, terms: TermService
    ) -> None:
        super().__init__(desk.window)
        self.preview: RenderingPreview | None = None
        self._desk, self._controller, self._terms = desk, desk.project, terms
        panel.rendering_chosen.connect(unifying.propose)
        panel.accepted.connect(self._accept)
        unifying.working.connect(self._report_work)
        unifying.proposed.connect(self._show_preview)
        unifying.failed.connect(self.announced)

    def _report_work(self, count: int) -> None:
        self.announced.emit(self.tr("Translating segments again: {0}…").format(count))

    def _show_preview(self, report: TermReport, rendering: Rendering, previews: tuple[Preview, ...]) -> None:
        if not previews:
            self._terms.settle(report.term, [rendering.text])
            return
        self.preview = preview = RenderingPreview(
            report.term,
            rendering.text,
            previews,
            self._desk.model.number_of,
            self._desk.theme,
            self._desk.window,
        )

        def agree(chosen: tuple[Preview, ...]) -> None:
            is_kept = preview.keep.isChecked()

            def end(count: int) -> None:
                self._report_changed(count)
                # If the user cancels the changes, the term base stays unchanged.
                if is_kept and (count or not chosen):
                    self._terms.settle(report.term, [rendering.text])

            if (editing := self._controller.editing) is not None:
                editing.apply_previews(chosen, end)

        preview.agreed.connect(agree)
        preview.finished.connect(self._forget_preview)
        preview.open()

    def _report_changed(self, count: int) -> None:
        many = self.tr("{0} segments changed").format(count)
        self.announced.emit(self.tr("1 segment changed") if count == 1 else many)

    def _forget_preview(self) -> None:
        self.preview = None

    def _accept(self, report: TermReport) -> None:
        first = report.chosen
        others = [each.text for each in report.renderings if each.text != first]
        self._terms.settle(report.term, [first, *others])
