"""Pre-translation: the dialog with the minimum match and counts of segments, and its controller."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QProgressBar,
    QSpinBox,
    QTreeWidgetItem,
    QWidget,
)

from anaphora.core.matching import ADAPTED, EXACT, IN_CONTEXT, MIN_PERCENT, UNADAPTED
from anaphora.core.segment import Status
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.dialogs import set_up_dialog, side_by_side, stack, wrapped
from anaphora.editor.widgets.rail import listing
from anaphora.editor.widgets.sentence import plain_label
from anaphora.features.tm.filling import FillingService, FoundText, PretranslationService, may_be_filled
from anaphora.project.document.editing import NewText
from anaphora.system.messages import describe_error

MARGIN = 6
"""Pixels between the field's left edge and the number; Qt applies the style's padding only at the arrows."""


class NumberField(QSpinBox):
    def __init__(self, lowest: int, highest: int) -> None:
        super().__init__()
        self.setRange(lowest, highest)
        self.lineEdit().setTextMargins(MARGIN, 0, 0, 0)


DEFAULT_MINIMUM = 75
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_FUZZY_BANDS = ((95, UNADAPTED), (85, 94), (75, 84), (MIN_PERCENT, 74))


class PretranslationDialog(QDialog):
    """Shows counts of the texts found; emits `agreed` with the tuple of FoundText that the user accepts."""

    agreed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[FoundText, ...] | None = None
        set_up_dialog(self, self.tr("Pre-translate"), 520, 400)
        self.lowest = NumberField(MIN_PERCENT, IN_CONTEXT)
        self.lowest.setValue(DEFAULT_MINIMUM)
        self.lowest.setSuffix(" %")
        self.lowest.valueChanged.connect(self._fill)
        self.drafts = QCheckBox(self.tr("Replace machine drafts"))
        self.drafts.setChecked(True)
        self.drafts.toggled.connect(self._fill)
        titles = [self.tr("Match"), self.tr("Found"), self.tr("To fill in")]
        self.counts = listing(self.windowTitle(), titles)
        self.counts.header().setStretchLastSection(False)
        self.counts.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.counts.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            self.counts.headerItem().setTextAlignment(column, RIGHT)
        self.progress = QProgressBar()
        self.progress.setMaximum(1000)
        self.progress.setAccessibleName(self.tr("Looking for matches"))
        self.about = wrapped()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.fill = buttons.addButton(self.tr("&Pre-translate"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.fill.setDefault(True)
        self.fill.setEnabled(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        label = plain_label(self.tr("Minimum match:"))
        label.setBuddy(self.lowest)
        parts = self.drafts, self.counts, self.progress, self.about, buttons
        stack(self, side_by_side(label, self.lowest), *parts, grows=self.counts)

    @property
    def chosen(self) -> tuple[FoundText, ...]:
        return tuple(each for each in self._found or () if self._is_chosen(each))

    def show_found(self, found: Sequence[FoundText]) -> None:
        self._found = tuple(found)
        self.progress.hide()
        self._fill()

    def accept(self) -> None:
        self.agreed.emit(self.chosen)
        super().accept()

    def _is_chosen(self, each: FoundText) -> bool:
        if each.before.status is Status.DRAFT and not self.drafts.isChecked():
            return False
        return each.percent >= self.lowest.value() and each.text != each.before.target

    def _fill(self) -> None:
        if self._found is None:
            return
        number = QLocale().toString
        self.counts.clear()
        for name, found in self._groups(self._found):
            chosen = sum(map(self._is_chosen, found))
            item = QTreeWidgetItem([name, number(len(found)), number(chosen)])
            for column in (1, 2):
                item.setTextAlignment(column, RIGHT)
            self.counts.addTopLevelItem(item)
        count = len(self.chosen)
        self.fill.setEnabled(count > 0)
        text = self.tr("Segments to fill in: {0}.").format(number(count))
        self.about.setText(f"{text} " + self.tr("Edited and confirmed segments do not change."))

    def _groups(self, found: Sequence[FoundText]) -> list[tuple[str, list[FoundText]]]:
        bands = [
            (self.tr("Context match"), IN_CONTEXT, IN_CONTEXT),
            (self.tr("Exact match"), EXACT, EXACT),
            (self.tr("Adapted: different tags, numbers, case or character width"), ADAPTED, ADAPTED),
            *((self.tr("Fuzzy match, {0}–{1}%").format(low, high), low, high) for low, high in _FUZZY_BANDS),
        ]
        groups = [
            (name, [each for each in found if not each.is_term and low <= each.percent <= high])
            for name, low, high in bands
        ]
        groups.append((self.tr("Terms"), [each for each in found if each.is_term]))
        return [(name, matches) for name, matches in groups if matches]


class PretranslationController(Announcer):
    """Inserts texts from the translation memories and the term bases into unedited segments."""

    def __init__(self, desk: Desk, service: PretranslationService, filling: FillingService) -> None:
        super().__init__(desk.window)
        self._window, self._project, self._service = desk.window, desk.project, service
        self.dialog: PretranslationDialog | None = None
        service.found.connect(self._show_found)
        service.failed.connect(self._fail)
        filling.found.connect(self._fill_in)
        filling.failed.connect(self.announced)
        desk.project.closed.connect(self._close_dialog)

    def open_dialog(self) -> None:
        session = self._project.session
        if session is None or self.dialog is not None:
            return
        if not self._service.look_up(session):
            self.announced.emit(self.tr("The translation memory is not ready yet. Try again later."))
            return
        self.dialog = PretranslationDialog(self._window)
        self.dialog.agreed.connect(self._apply)
        self._service.progressed.connect(self.dialog.progress.setValue)
        self.dialog.finished.connect(self._drop_dialog)
        self.dialog.open()

    def _apply(self, found: tuple[FoundText, ...]) -> None:
        text = self.tr("Pre-translated segments: {0}")
        self._insert(found, self.tr("pre-translating"), lambda count: self.announced.emit(text.format(count)))

    def _fill_in(self, found: tuple[FoundText, ...]) -> None:
        text = self.tr("Segments filled in from the translation memory: {0}")

        def report(count: int) -> None:
            if count:
                self.announced.emit(text.format(count))

        self._insert(found, self.tr("filling in matches"), report)

    def _insert(self, found: tuple[FoundText, ...], name: str, report_count: Callable[[int], None]) -> None:
        editing = self._project.editing
        if editing is None:
            return
        document = editing.session.document
        texts = [
            NewText(each.segment_id, document.get(each.segment_id).target, each.text, report=each.report)
            for each in found
            if document.has(each.segment_id) and may_be_filled(document.get(each.segment_id))
        ]
        editing.change_many(texts, name, report_count)

    def _show_found(self, found: tuple[FoundText, ...]) -> None:
        if self.dialog is not None:
            self.dialog.show_found(found)

    def _fail(self, error: Exception) -> None:
        self._close_dialog()
        self.announced.emit(describe_error(error))

    def _close_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()

    def _drop_dialog(self) -> None:
        self._service.cancel()
        self.dialog = None
