"""The list of remarks: filter by kind, go to, fix, dismiss and restore."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from anaphora.core.structure import shortened
from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.changes import compared
from anaphora.editor.widgets.dialogs import (
    closing_buttons,
    set_up_dialog,
    side_button,
    side_by_side,
    stack,
    wrapped,
)
from anaphora.editor.widgets.rail import NumberOf
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.segment.check import RemarkKind

FOLLOW_MS = 150
"""Milliseconds between a change of remarks and the update of the list."""


class ChecksDialog(QDialog):
    """Lists the remarks, one per row; the list is empty until `follow` is called.

    Signals:
        segment_requested: id of the segment to go to.
        dismissed: (segment id, key, True to dismiss or False to restore).
        fix_requested: (segment id, key) of the remark to fix.
        fix_all_requested: list of (segment id, key) of the listed remarks that are not dismissed.
        terms_requested: the user wants to see the terms with several renderings.
    """

    segment_requested = Signal(str)
    dismissed = Signal(str, str, bool)
    fix_requested = Signal(str, str)
    fix_all_requested = Signal(object)
    terms_requested = Signal()

    def __init__(
        self,
        checking: CheckingService,
        preview: Callable[[str, str], tuple[str, str]],
        texts_of: Callable[[str], tuple[str, str, Mapping[str, str]]],
        number_of: NumberOf,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """`preview`: see `QuickFixes`; `texts_of` returns source, target and tag labels by segment id."""
        super().__init__(parent)
        self._checking = checking
        self._preview = preview
        self._texts_of = texts_of
        self._number_of = number_of
        self._theme = theme
        set_up_dialog(self, self.tr("Checks"), 640, 420)
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(self.tr("Kind"))
        self.kinds.currentIndexChanged.connect(lambda _: self._fill())
        self.with_dismissed = QCheckBox(self.tr("Show dismissed issues"))
        self.with_dismissed.toggled.connect(self.follow)
        self._about = wrapped(role="muted")
        self.list = QListWidget()
        self.list.setAccessibleName(self.windowTitle())
        self.list.setWordWrap(True)
        self.list.itemActivated.connect(lambda _: self._go())
        self.list.currentItemChanged.connect(self._show_current)
        self.go = QPushButton(self.tr("Go to the segment"))
        self.go.clicked.connect(self._go)
        self.dismiss = QPushButton()
        self.dismiss.clicked.connect(self._dismiss)
        self.source, self.target, self.fixed = wrapped(role="muted"), wrapped(), wrapped()
        self.fixed.setTextFormat(Qt.TextFormat.RichText)
        self.fix = QPushButton(self.tr("Fix"))
        self.fix.clicked.connect(self._fix_current)
        self.fix_all = QPushButton(self.tr("Fix all listed"))
        self.fix_all.setToolTip(
            self.tr("Fixes only issues with exactly one safe fix. Confirmed segments do not change.")
        )
        self.fix_all.clicked.connect(lambda: self.fix_all_requested.emit(self._open_remarks()))
        self.fix_all.setEnabled(False)
        self.terms = side_button("", self.terms_requested.emit)
        self.terms.hide()
        self._lay_out()
        theme.changed.connect(self._show_current)
        self._soon = QTimer(self, singleShot=True, interval=FOLLOW_MS)
        self._soon.timeout.connect(self.follow)
        checking.checked.connect(self.follow_soon)
        checking.counted.connect(self._show_count)
        self._show_count()

    def _lay_out(self) -> None:
        top = side_by_side(self.kinds, self.with_dismissed, grows=self.kinds)
        buttons = closing_buttons(self)
        for button in (self.go, self.fix, self.fix_all, self.dismiss):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        texts = self.source, self.target, self.fixed
        terms = side_by_side(self.terms)
        stack(self, top, self._about, self.list, *texts, terms, buttons, grows=self.list)

    def follow_soon(self) -> None:
        """Update after a short pause, because more changes may follow."""
        if not self._soon.isActive():
            self._soon.start()

    def follow(self) -> None:
        chosen = self.kinds.currentData()
        counts = {kind: 0 for kind in RemarkKind}
        for _, remark, is_dismissed in self._checking.remarks():
            counts[remark.kind] += not is_dismissed or self.with_dismissed.isChecked()
        self.kinds.blockSignals(True)
        self.kinds.clear()
        self.kinds.addItem(self.tr("All kinds ({0})").format(sum(counts.values())), None)
        for kind, name in self._kind_names().items():
            if counts[kind] or kind is chosen:
                self.kinds.addItem(f"{name} ({counts[kind]})", kind)
        self.kinds.setCurrentIndex(max(self.kinds.findData(chosen), 0))
        self.kinds.blockSignals(False)
        self._fill()

    def _fill(self) -> None:
        row, chosen = self.list.currentRow(), self.kinds.currentData()
        self.list.clear()
        for segment_id, remark, is_dismissed in self._checking.remarks():
            if (is_dismissed and not self.with_dismissed.isChecked()) or chosen not in (None, remark.kind):
                continue
            text = f"{self._number_of(segment_id)}  {remark}"
            item = QListWidgetItem(self.tr("{0} (dismissed)").format(text) if is_dismissed else text)
            item.setData(Qt.ItemDataRole.UserRole, (segment_id, remark.key, is_dismissed))
            self.list.addItem(item)
        self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
        self._show_current()
        self.fix_all.setEnabled(bool(self._open_remarks()))

    def _show_count(self) -> None:
        segments, is_complete = self._checking.issue_count, self._checking.is_complete
        if is_complete and not segments:
            text = self.tr("The checks found no issues.")
        else:
            text = self.tr("Segments with issues: {0}").format(segments)
        self._about.setText(text if is_complete else self.tr("{0}. Still checking…").format(text))

    def show_terms(self, count: int) -> None:
        self.terms.setText(self.tr("Terms with several translations: {0}").format(count))
        self.terms.setVisible(count > 0)

    def _show_current(self) -> None:
        item = self.list.currentItem()
        is_dismissed = item is not None and item.data(Qt.ItemDataRole.UserRole)[2]
        self.dismiss.setText(self.tr("Restore") if is_dismissed else self.tr("Dismiss"))
        for button in (self.go, self.dismiss):
            button.setEnabled(item is not None)
        source = target = before = after = ""
        labels: Mapping[str, str] = {}
        if item is not None:
            segment_id, key, _ = item.data(Qt.ItemDataRole.UserRole)
            source, target, labels = self._texts_of(segment_id)
            before, after = self._preview(segment_id, key)
        self.fix.setEnabled(bool(after))
        self.fixed.setText(compared(self._theme, before, after, labels))
        self.fixed.setVisible(bool(after))
        for label, text in ((self.source, source), (self.target, "" if after else target)):
            label.setText(readable_tags(shortened(text), labels))
            label.setVisible(bool(text))

    def _go(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.segment_requested.emit(item.data(Qt.ItemDataRole.UserRole)[0])

    def _dismiss(self) -> None:
        if (item := self.list.currentItem()) is not None:
            segment_id, key, is_dismissed = item.data(Qt.ItemDataRole.UserRole)
            self.dismissed.emit(segment_id, key, not is_dismissed)

    def _fix_current(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.fix_requested.emit(*item.data(Qt.ItemDataRole.UserRole)[:2])

    def _open_remarks(self) -> list[tuple[str, str]]:
        shown = (self.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(self.list.count()))
        return [(segment_id, key) for segment_id, key, is_dismissed in shown if not is_dismissed]

    def _kind_names(self) -> dict[RemarkKind, str]:
        return {
            RemarkKind.TAGS: self.tr("Tags and format strings"),
            RemarkKind.NUMBERS: self.tr("Numbers and web addresses"),
            RemarkKind.TERMS: self.tr("Terms"),
            RemarkKind.CONSISTENCY: self.tr("Consistency"),
            RemarkKind.NAMES: self.tr("Names"),
            RemarkKind.WORDING: self.tr("Wording and punctuation"),
            RemarkKind.LENGTH: self.tr("Length and reading speed"),
            RemarkKind.LEFT_OVER: self.tr("Untranslated source text"),
            RemarkKind.ENGINE: self.tr("Other"),
        }
