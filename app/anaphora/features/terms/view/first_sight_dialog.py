"""The offer of recurring names and terms: its bar, its dialog, and their controller."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.banner import ClosableBar
from anaphora.editor.widgets.dialogs import set_up_dialog, side_button, side_by_side, stack, wrapped
from anaphora.editor.widgets.rail import set_up_rows
from anaphora.features.terms.first_sight import Candidate
from anaphora.features.terms.first_sight_service import FirstSightService
from anaphora.features.terms.phrases import PhraseKind
from anaphora.features.terms.service import TermService

Index = QModelIndex | QPersistentModelIndex
TERM, COUNT, KIND, TRANSLATION = range(4)
_CONTEXT_LENGTH = 60


class CandidatesModel(QStandardItemModel):
    """Candidates in rows: name or term with a check box, count, kind, translation."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(0, TRANSLATION + 1, parent)
        self.candidates: tuple[Candidate, ...] = ()
        self.setHorizontalHeaderLabels(
            [self.tr("Name or term"), self.tr("Count"), self.tr("Kind"), self.tr("Translation")]
        )
        self.itemChanged.connect(self._follow)

    def show_candidates(self, candidates: Sequence[Candidate]) -> None:
        self.candidates = ()
        self.setRowCount(0)
        for each in candidates:
            cells = [QStandardItem(text) for text in (each.text, str(each.count), self._kind(each.kind), "")]
            cells[TERM].setCheckable(True)
            cells[COUNT].setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            for cell in cells[:TRANSLATION]:
                cell.setEditable(False)
            cells[TRANSLATION].setText(_likeliest(each))
            cells[TERM].setCheckState(_check_state(each.is_sure))
            self.appendRow(cells)
        self.candidates = tuple(candidates)

    def improve(self, candidates: Sequence[Candidate]) -> None:
        """Add the renderings of improved candidates; rows that the user has changed stay as they are."""
        better = {each.text: each for each in candidates}
        old, self.candidates = self.candidates, tuple(better.get(each.text, each) for each in self.candidates)
        for row, (before, after) in enumerate(zip(old, self.candidates, strict=True)):
            tick, translation = self.item(row, TERM), self.item(row, TRANSLATION)
            if (tick.checkState(), translation.text()) == (_check_state(before.is_sure), _likeliest(before)):
                translation.setText(_likeliest(after))
                tick.setCheckState(_check_state(after.is_sure))

    def is_ticked(self, row: int) -> bool:
        is_checked = self.item(row, TERM).checkState() is Qt.CheckState.Checked
        return is_checked and bool(self.item(row, TRANSLATION).text())

    def tick(self, row: int, is_ticked: bool) -> None:
        self.item(row, TERM).setCheckState(_check_state(is_ticked))

    def tick_all(self, are_ticked: bool) -> None:
        for row in range(self.rowCount()):
            self.tick(row, are_ticked and bool(self.item(row, TRANSLATION).text()))

    def chosen(self) -> list[tuple[str, str]]:
        """Tuples (term, translation) of the ticked rows."""
        return [
            (self.item(row, TERM).text(), self.item(row, TRANSLATION).text())
            for row in range(self.rowCount())
            if self.is_ticked(row)
        ]

    def _follow(self, cell: QStandardItem) -> None:
        """Tidy an edited translation; tick its row if the translation is new, untick it if there is none."""
        if cell.column() != TRANSLATION or not self.candidates:
            return
        text = " ".join(cell.text().split())
        if text != cell.text():
            cell.setText(text)  # calls this method again
        elif text not in self.candidates[cell.row()].renderings[:1]:
            self.tick(cell.row(), bool(text))

    def _kind(self, kind: PhraseKind) -> str:
        return {
            PhraseKind.PERSON: self.tr("person"),
            PhraseKind.PLACE: self.tr("place"),
            PhraseKind.ORGANISATION: self.tr("organisation"),
            PhraseKind.PRODUCT: self.tr("name"),
            PhraseKind.TERM: self.tr("term"),
        }[kind]


def _likeliest(candidate: Candidate) -> str:
    return candidate.renderings[0] if candidate.renderings else ""


def _check_state(is_ticked: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked


class RenderingDelegate(QStyledItemDelegate):
    def createEditor(  # noqa: N802
        self, parent: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> QWidget:
        editor = QComboBox(parent)
        editor.setEditable(True)
        editor.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        editor.setCompleter(None)  # type: ignore[arg-type]  # it would change the case of the typed text
        model = index.model()
        if isinstance(model, CandidatesModel):
            editor.addItems(list(model.candidates[index.row()].renderings))
        editor.setAccessibleName(self.tr("Translation"))
        return editor

    def updateEditorGeometry(  # noqa: N802
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        # Cover the whole cell: inside the text rectangle, the editor's margins would cut off letters.
        editor.setGeometry(option.rect)  # type: ignore[attr-defined]

    def setEditorData(self, editor: QWidget, index: Index) -> None:  # noqa: N802
        line = editor.lineEdit() if isinstance(editor, QComboBox) else None
        # Keep the typed text when the model's renderings arrive.
        if isinstance(editor, QComboBox) and line is not None and not line.isModified():
            editor.setCurrentText(str(index.data(Qt.ItemDataRole.EditRole)))
            line.selectAll()


class CandidatesTable(QTableView):
    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        current = self.currentIndex()
        model = self.model()
        if current.isValid() and isinstance(model, CandidatesModel):
            if event.key() == Qt.Key.Key_Space:
                model.tick(current.row(), not model.is_ticked(current.row()))
                return
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
                # The Enter key that closes an editor must not press the default button, too.
                if self.state() is not QAbstractItemView.State.EditingState:
                    self.edit(model.index(current.row(), TRANSLATION))
                return
        super().keyPressEvent(event)


class FirstSightDialog(QDialog):
    """Lists candidates and requests to add the ticked ones; not modal.

    Signals:
        accepted_terms: list of (term, translation) of the ticked rows.
        refused: the user wants no more proposals for this document.
        segment_requested: id of the segment to go to.
    """

    accepted_terms = Signal(object)
    refused = Signal()
    segment_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Recurring names and terms"), 760, 620)
        self.about = wrapped(
            self.tr(
                "Selected rows become terms of this project. Drafts that do not use these terms are "
                "translated again. Press Space to select, Enter to edit the translation."
            ),
            "muted",
        )
        self.model = CandidatesModel(self)
        self.model.itemChanged.connect(lambda _: self._show_count())
        self.list = self._make_list()
        self.example = wrapped()
        self.example.setTextFormat(Qt.TextFormat.RichText)
        self.example.setMinimumHeight(self.fontMetrics().lineSpacing() * 2)
        self.example.setAccessibleName(self.tr("Example sentence"))
        self.go = side_button(self.tr("Go to the segment"), self._go)
        self.all = side_button(self.tr("Select all"), lambda: self.model.tick_all(True))
        self.none = side_button(self.tr("Select none"), lambda: self.model.tick_all(False))
        self.add = QPushButton()
        self.add.clicked.connect(self._add)
        self._lay_out()
        self._show_count()

    def show_candidates(self, candidates: Sequence[Candidate]) -> None:
        self.model.show_candidates(candidates)
        if candidates:
            self.list.setCurrentIndex(self.model.index(0, TERM))
        else:
            self.about.setText(self.tr("All recurring names and terms are already in a term base."))
        self._show_example()
        self._show_count()

    def _make_list(self) -> CandidatesTable:
        table = CandidatesTable()
        set_up_rows(table, self.model, self.windowTitle(), (240, 70, 110))
        table.setItemDelegateForColumn(TRANSLATION, RenderingDelegate(table))
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        table.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        table.selectionModel().currentRowChanged.connect(lambda *_: self._show_example())
        return table

    def _lay_out(self) -> None:
        keys = side_by_side(self.all, self.none, self.go)
        buttons = QDialogButtonBox()
        self.later = buttons.addButton(self.tr("Later"), QDialogButtonBox.ButtonRole.RejectRole)
        self.never = buttons.addButton(
            self.tr("Do not suggest these again"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.never.setAutoDefault(False)
        self.never.clicked.connect(self._refuse)
        self.later.setAutoDefault(False)
        buttons.addButton(self.add, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        stack(self, self.about, self.list, self.example, keys, buttons, grows=self.list)

    def _current(self) -> Candidate | None:
        row = self.list.currentIndex().row()
        return self.model.candidates[row] if 0 <= row < len(self.model.candidates) else None

    def _show_example(self) -> None:
        candidate = self._current()
        self.go.setEnabled(candidate is not None)
        self.example.setText(
            _with_term_in_bold(candidate.example, candidate.text) if candidate is not None else ""
        )

    def _show_count(self) -> None:
        count = len(self.model.chosen())
        self.add.setText(self.tr("&Add to the term base: {0}").format(count))
        self.add.setEnabled(count > 0)
        self.add.setDefault(count > 0)

    def _go(self) -> None:
        if (candidate := self._current()) is not None:
            self.segment_requested.emit(candidate.segment)

    def _add(self) -> None:
        self.accepted_terms.emit(self.model.chosen())
        self.accept()

    def _refuse(self) -> None:
        self.refused.emit()
        self.reject()


def _with_term_in_bold(source: str, term: str) -> str:
    """The part of a sentence around a term, as rich text; the sentence's start if the term is missing."""
    plain = " ".join(readable_tags(source).split())
    place = plain.find(term)
    if place < 0:
        return html.escape(plain[: 2 * _CONTEXT_LENGTH])
    start, end = max(place - _CONTEXT_LENGTH, 0), place + len(term)
    before, following = plain[start:place], plain[end : end + _CONTEXT_LENGTH]
    opening, closing = "…" if start else "", "…" if end + _CONTEXT_LENGTH < len(plain) else ""
    bold = f"<b>{html.escape(term)}</b>"
    return f"{opening}{html.escape(before)}{bold}{html.escape(following)}{closing}"


class FirstSightBar(ClosableBar):
    """Shown while there are candidates that the user has neither accepted nor refused."""

    review_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "offerBar")
        self.review = QPushButton(self.tr("Show…"))
        self.review.clicked.connect(self.review_requested)
        self.lay_out(self.review, closing=self.tr("Do not suggest these again"))
        self.close_button.setToolTip(self.close_button.accessibleName())

    def offer(self, count: int) -> None:
        text = self.tr(
            "Recurring names and terms: {0}. Choose their translations once, and drafts use them everywhere."
        )
        self.label.setText(text.format(count))
        self.show()


class FirstSightController(Announcer):
    def __init__(
        self, desk: Desk, service: FirstSightService, terms: TermService, bar: FirstSightBar
    ) -> None:
        super().__init__(desk.window)
        self.dialog: FirstSightDialog | None = None
        self._window, self._table = desk.window, desk.table
        self._service, self._bar = service, bar
        self._offered_candidates: Sequence[Candidate] = ()
        service.offered.connect(self._show_offer)
        service.found.connect(self._show_list)
        service.improved.connect(self._improve)
        service.withdrawn.connect(self._forget_offer)
        service.closed.connect(self._close_list)
        service.failed.connect(self.announced)
        terms.added.connect(self._report_added)
        bar.review_requested.connect(self._review)
        bar.closed.connect(self._refuse)

    def search(self) -> None:
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
        elif self._service.is_possible:
            self.announced.emit(self.tr("Looking for recurring names and terms…"))
            self._service.search()
        else:
            self.announced.emit(
                self.tr("Names and terms are suggested only for translations from Chinese into English.")
            )

    def _show_offer(self, candidates: Sequence[Candidate]) -> None:
        self._offered_candidates = candidates
        self._bar.offer(len(candidates))

    def _review(self) -> None:
        if self._offered_candidates:
            self._show_list(self._offered_candidates)

    def _show_list(self, candidates: Sequence[Candidate]) -> None:
        self.announced.emit("")
        if self.dialog is None:
            self.dialog = dialog = FirstSightDialog(self._window)
            dialog.accepted_terms.connect(self._service.accept)
            dialog.refused.connect(self._service.mark_as_seen)
            dialog.segment_requested.connect(self._table.go_to_segment)
            dialog.finished.connect(self._forget_dialog)
        self.dialog.show_candidates(candidates)
        self.dialog.show()
        self.dialog.list.setFocus()
        self._service.ask_model(candidates)

    def _improve(self, candidates: Sequence[Candidate]) -> None:
        if self.dialog is not None:
            self.dialog.model.improve(candidates)

    def _refuse(self) -> None:
        self._service.mark_as_seen()
        self._table.setFocus()

    def _report_added(self, count: int) -> None:
        self.announced.emit(self.tr("Added to the term base: {0}").format(count))

    def _forget_offer(self) -> None:
        self._offered_candidates = ()
        self._bar.hide()

    def _close_list(self) -> None:
        """Close the list of a closed project; its rows must not be added to the next project's terms."""
        if self.dialog is not None:
            self.dialog.reject()

    def _forget_dialog(self) -> None:
        self.dialog = None
        self._table.setFocus()
