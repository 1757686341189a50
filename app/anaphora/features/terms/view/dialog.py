"""The term base: a searchable list of entries, and fields to edit the selected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.editor.widgets.dialogs import (
    closing_buttons,
    set_up_dialog,
    side_button,
    side_by_side,
    stack,
    wrapped,
)
from anaphora.editor.widgets.filter_chips import SearchLine
from anaphora.editor.widgets.rail import set_up_rows
from anaphora.editor.widgets.sentence import plain_tip
from anaphora.features.terms.service import PROJECT, SHARED
from anaphora_text.punctuation import SEMICOLONS

_SEPARATORS = str.maketrans(SEMICOLONS[1], SEMICOLONS[0])


class TermsModel(QStandardItemModel):
    """Entries in rows: term, translations, forbidden translations, domain, note."""

    def __init__(self, entries: Sequence[TermEntry] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries = tuple(entries)
        headings = (self.tr("Term"), self.tr("Translations"), self.tr("Forbidden"), self.tr("Domain"))
        self.setHorizontalHeaderLabels([*headings, self.tr("Note")])
        for entry in self.entries:
            texts = (entry.source, _joined(entry.allowed), _joined(entry.forbidden), entry.domain, entry.note)
            cells = [QStandardItem(" ".join(text.split())) for text in texts]
            for cell in cells:
                cell.setToolTip(plain_tip(cell.text()))
            self.appendRow(cells)


class TermsDialog(QDialog):
    """Lists and edits entries. Signals carry a base's name, then the entry to store or the ids to remove."""

    store_requested = Signal(str, object)
    remove_requested = Signal(str, object)
    import_requested = Signal(str)
    export_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Term base"), 1060, 640)
        self._all: dict[str, tuple[TermEntry, ...]] = {}
        self._shown_entry: TermEntry | None = None
        self._unchanged = self._saved = TermEntry("")
        self._selecting = False
        self.base = QComboBox()
        self.base.setAccessibleName(self.tr("Term base"))
        self.base.addItem(self.tr("This project"), PROJECT)
        self.base.addItem(self.tr("All projects"), SHARED)
        self.search = SearchLine(self.tr("Search terms, translations and notes"))
        self.model = TermsModel(parent=self)
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.model)
        self.proxy.setFilterKeyColumn(-1)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.proxy.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.list = self._make_list()
        self.count = wrapped(role="muted")
        self._make_fields()
        self._lay_out()
        self._shown_base = self.name
        self.base.currentIndexChanged.connect(lambda _: self._change_base())
        self.search.textChanged.connect(self.proxy.setFilterFixedString)
        self.search.textChanged.connect(lambda _: self._show_count())
        self.list.selectionModel().currentChanged.connect(lambda current, _: self._show_selected(current))
        self.new()

    @property
    def name(self) -> str:
        return str(self.base.currentData())

    def show_entries(self, entries: dict[str, tuple[TermEntry, ...]]) -> None:
        """List `entries` (by the term base's name); the fields keep an entry that is being edited."""
        self._all = dict(entries)
        for number in range(self.base.count()):
            item = self.base.model().item(number)  # type: ignore[attr-defined]
            item.setEnabled(str(self.base.itemData(number)) in entries)
        self._refill()

    def show_entry(self, entry: TermEntry) -> None:
        """Request to store changes to the current entry, then edit `entry`, which is new if it has no id."""
        self._store_changes()
        self._show_entry(entry)
        (self.source if entry.targets or not entry.source else self.preferred).setFocus()

    def show_stored(self, entry: TermEntry) -> None:
        """Show a stored entry in the fields if they have not changed since they were saved."""
        if not self._saved.source:
            return
        if self.typed_entry() == self._saved:
            self._show_entry(entry)
        else:
            self._shown_entry, self._saved = entry, TermEntry("")

    def new(self) -> None:
        self._store_changes()
        self._show_entry(TermEntry(""))
        self.source.setFocus()

    def typed_entry(self) -> TermEntry:
        targets = tuple(
            TargetTerm(text.strip(), usage)
            for usage, field in self._fields_by_usage.items()
            for text in field.text().translate(_SEPARATORS).split(";")
            if text.strip()
        )
        entry = self._shown_entry or TermEntry("")
        return replace(
            entry,
            source=self.source.text(),
            targets=targets,
            note=self.note.toPlainText(),
            domain=self.domain.text(),
        )

    def done(self, result: int) -> None:
        self._store_changes()
        super().done(result)

    def _make_list(self) -> QTableView:
        table = QTableView()
        set_up_rows(table, self.proxy, self.tr("Terms"), (130, 200, 110, 90))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSortingEnabled(True)
        table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        return table

    def _make_fields(self) -> None:
        self.source, self.preferred, self.admitted, self.forbidden, self.domain = (
            QLineEdit() for _ in range(5)
        )
        self.note = QPlainTextEdit()
        self.note.setTabChangesFocus(True)
        self.note.setMaximumHeight(90)
        tip = self.tr("Separate translations with semicolons.")
        fields = self.preferred, self.admitted, self.forbidden
        self._fields_by_usage = dict(zip(Usage, fields, strict=True))
        for field in fields:
            field.setToolTip(tip)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setSpacing(8)
        for text, field in (
            (self.tr("&Term"), self.source),
            (self.tr("&Preferred"), self.preferred),
            (self.tr("Also a&llowed"), self.admitted),
            (self.tr("&Forbidden"), self.forbidden),
            (self.tr("&Domain"), self.domain),
            (self.tr("&Note"), self.note),
        ):
            form.addRow(text, field)
        hint = wrapped(
            self.tr("Separate translations with semicolons. Inflected forms are recognised."), "muted"
        )
        self.save = side_button(self.tr("&Save"), self._store)
        self.save.setDefault(True)
        self.remove = side_button(self.tr("&Remove"), self._remove)
        new = side_button(self.tr("Ne&w"), self.new)
        entry_part = QWidget()
        right = QVBoxLayout(entry_part)
        right.setContentsMargins(12, 0, 0, 0)
        right.addLayout(form)
        right.addWidget(hint)
        right.addLayout(side_by_side(self.save, new, self.remove))
        right.addStretch(1)
        list_part = QWidget()
        left = QVBoxLayout(list_part)
        left.setContentsMargins(0, 0, 0, 0)
        left.addWidget(self.search)
        left.addWidget(self.list, 1)
        left.addWidget(self.count)
        split = QSplitter()
        split.addWidget(list_part)
        split.addWidget(entry_part)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        split.setSizes([660, 340])
        buttons = closing_buttons(self)
        for text, signal in (
            (self.tr("&Import…"), self.import_requested),
            (self.tr("&Export…"), self.export_requested),
        ):
            button = buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, request=signal: request.emit(self.name))
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        stack(self, self.base, split, buttons, grows=split)

    def _store_changes(self) -> None:
        """Request to store a changed entry that is not blank; the service refuses an incomplete entry."""
        entry = self.typed_entry()
        if entry != self._unchanged and (entry.source.strip() or entry.targets or entry.note.strip()):
            self._unchanged = entry
            self.store_requested.emit(self._shown_base, entry)

    def _change_base(self) -> None:
        self._store_changes()
        self._shown_base = self.name
        self._show_entry(TermEntry(""))
        self._refill()

    def _refill(self) -> None:
        shown, is_changed = self._shown_entry, self.typed_entry() != self._unchanged
        self._selecting = True
        self.model.deleteLater()
        self.model = TermsModel(self._all.get(self.name, ()), self)
        self.proxy.setSourceModel(self.model)
        self._selecting = False
        self._show_count()
        if shown is None:
            return
        updated = next((entry for entry in self.model.entries if entry.id == shown.id), None)
        if is_changed:  # keep the typed text, as a new entry if its entry was removed
            self._shown_entry = updated
            self._select(updated)
        else:
            self._show_entry(updated or TermEntry(""))

    def _show_entry(self, entry: TermEntry) -> None:
        self._saved = TermEntry("")
        self._shown_entry = entry if entry.id else None
        self._select(self._shown_entry)
        self._fill(entry)

    def _select(self, entry: TermEntry | None) -> None:
        row = next((n for n, each in enumerate(self.model.entries) if entry and each.id == entry.id), None)
        index = QModelIndex() if row is None else self.proxy.mapFromSource(self.model.index(row, 0))
        self._selecting = True
        if not index.isValid():
            self.list.clearSelection()
        self.list.setCurrentIndex(index)
        self._selecting = False

    def _show_count(self) -> None:
        shown, every = self.proxy.rowCount(), self.model.rowCount()
        self.count.setText(self.tr("Terms: {0} of {1}").format(f"{shown:,}", f"{every:,}"))

    def _show_selected(self, current: QModelIndex) -> None:
        if self._selecting or not current.isValid():
            return
        entry = self.model.entries[self.proxy.mapToSource(current).row()]
        self._store_changes()
        self._show_entry(entry)

    def _fill(self, entry: TermEntry) -> None:
        self.source.setText(entry.source)
        for usage, field in self._fields_by_usage.items():
            field.setText(_joined([each.text for each in entry.targets if each.usage is usage]))
        self.domain.setText(entry.domain)
        self.note.setPlainText(entry.note)
        self.remove.setEnabled(bool(entry.id))
        self._unchanged = self.typed_entry()

    def _store(self) -> None:
        self._unchanged = self._saved = self.typed_entry()
        self.store_requested.emit(self.name, self._unchanged)

    def _remove(self) -> None:
        if self._shown_entry is not None:
            self._unchanged = self.typed_entry()
            self.remove_requested.emit(self.name, [self._shown_entry.id])


def _joined(texts: Sequence[str]) -> str:
    return "; ".join(texts)
