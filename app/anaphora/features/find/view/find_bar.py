"""The bar below the table, to find and replace text."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QLineEdit, QPushButton, QToolButton, QWidget

from anaphora.core.search import SearchQuery
from anaphora.editor.appearance.theme import Theme, icon
from anaphora.editor.widgets.dialogs import side_by_side, wrapped
from anaphora.editor.widgets.filter_chips import InputGuard, SearchLine


class FindBar(QFrame):
    """Lets the user enter a query, step through the matching segments and replace text.

    Signals:
        query_changed: the SearchQuery; None if the bar is closed or the search line is empty.
        step_requested: 1 for the next matching segment, -1 for the previous one.
        replace_requested, replace_all_requested: the replacement.
    """

    query_changed = Signal(object)
    step_requested = Signal(int)
    replace_requested = Signal(str)
    replace_all_requested = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.setObjectName("findBar")
        self.needle = self._line(self.tr("Find in source and translation"))
        self.replacement = self._line(self.tr("Replace in translations with"))
        self.status = wrapped(role="muted")
        self._case = QCheckBox(self.tr("Match case"))
        self._regex = QCheckBox(self.tr("Regular expression"))
        self._words = QCheckBox(self.tr("Whole words"))
        self.with_confirmed = QCheckBox(self.tr("Include confirmed segments"))
        self.with_confirmed.setToolTip(self.tr("You need to confirm these segments again after replacing."))
        self.previous = self._tool(self.tr("Previous match"))
        self.next = self._tool(self.tr("Next match"))
        self.close_button = self._tool(self.tr("Close (Esc)"))
        self.replace_one = QPushButton(self.tr("Replace"))
        self.replace_all = QPushButton(self.tr("Replace all…"))
        self._pause = QTimer(self, singleShot=True, interval=150)
        self._pause.timeout.connect(self._announce)
        self._lay_out()
        self._connect()
        theme.changed.connect(self._update_icons)
        self._update_icons()
        self.hide()

    def open(self, with_replace: bool) -> None:
        for widget in (self.replacement, self.replace_one, self.replace_all, self.with_confirmed):
            widget.setVisible(with_replace)
        self.show()
        self.needle.setFocus()
        self.needle.selectAll()
        self._announce()

    def close_bar(self) -> None:
        self.hide()
        self.query_changed.emit(None)
        self.closed.emit()

    def show_keys(self, previous: str, following: str) -> None:
        for button, key in ((self.previous, previous), (self.next, following)):
            button.setToolTip(f"{button.accessibleName()}  {key}".strip())

    @property
    def query(self) -> SearchQuery:
        return SearchQuery(
            self.needle.text(),
            match_case=self._case.isChecked(),
            regex=self._regex.isChecked(),
            whole_words=self._words.isChecked(),
        )

    def show_status(self, text: str) -> None:
        self.status.setText(text)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Tab moves through the fields and then the buttons of the bar, and does not leave the bar."""
        order = [self.needle, self.replacement, self.replace_one, self.replace_all, self.with_confirmed]
        order += [self.previous, self.next, self._case, self._words, self._regex, self.close_button]
        stops: list[QWidget] = [widget for widget in order if widget.isVisible() and widget.isEnabled()]
        if not stops:
            # The bar is being hidden: let Qt choose the focus.
            return super().focusNextPrevChild(forward)
        focused = self.focusWidget()
        index = stops.index(focused) if focused in stops else -1
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[(index + (1 if forward else -1)) % len(stops)].setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.needle.hasFocus():
            self.step_requested.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _line(self, name: str) -> QLineEdit:
        line = SearchLine(name)
        line.setMinimumWidth(110)
        InputGuard(line)
        return line

    def _tool(self, name: str) -> QToolButton:
        button = QToolButton()
        button.setToolTip(name)
        button.setAccessibleName(name)
        return button

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(8)
        grid.addWidget(self.needle, 0, 0)
        upper = self.previous, self.next, self.status, self.close_button
        grid.addLayout(side_by_side(*upper, grows=self.status), 0, 1)
        grid.addWidget(self.replacement, 1, 0)
        grid.addLayout(side_by_side(self.replace_one, self.replace_all, self.with_confirmed), 1, 1)
        options = side_by_side(self._case, self._words, self._regex)
        options.setSpacing(20)
        grid.addLayout(options, 2, 0, 1, 2)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)

    def _connect(self) -> None:
        self.needle.textChanged.connect(lambda: self._pause.start())
        self._case.toggled.connect(self._announce)
        self._regex.toggled.connect(self._announce)
        self._words.toggled.connect(self._announce)
        self.previous.clicked.connect(lambda: self.step_requested.emit(-1))
        self.next.clicked.connect(lambda: self.step_requested.emit(1))
        self.close_button.clicked.connect(self.close_bar)
        self.replace_one.clicked.connect(lambda: self.replace_requested.emit(self.replacement.text()))
        self.replace_all.clicked.connect(lambda: self.replace_all_requested.emit(self.replacement.text()))

    def _announce(self) -> None:
        self._pause.stop()
        self.query_changed.emit(self.query if self.needle.text() else None)

    def _update_icons(self) -> None:
        colours = self.theme.colours
        for button, name in ((self.previous, "previous"), (self.next, "next"), (self.close_button, "close")):
            button.setIcon(icon(name, colours.text, colours.not_started))
