"""A guided tour: a note beside one part of the window after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.plain_text import plain_label

WIDTH = 340
GAP = 12
"""Between the note and what it speaks of, in pixels."""


@dataclass(frozen=True, slots=True)
class TourStep:
    """One stop.

    Attributes:
        target: the part of the window that it speaks of.
        title, text: what is said.
    """

    target: Callable[[], QWidget]
    title: str
    text: str


class _Ring(QWidget):
    """A line around what the note speaks of."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.colours.accent), 2.5))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 8, 8)


class Tour(QFrame):
    """Goes by Enter and the arrow keys, and is left by Esc at any time.

    Signals:
        left: it is over, at its end or before.
    """

    left = Signal()

    def __init__(self, steps: Sequence[TourStep], theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._steps = tuple(steps)
        self._window = window
        self.place = 0
        self.setObjectName("tour")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self._ring = _Ring(theme, window)
        self.title = plain_label()
        self.title.setProperty("role", "section")
        self.text = plain_label()
        self.text.setWordWrap(True)
        self._count = plain_label()
        self._count.setProperty("role", "muted")
        self.leave_button = QPushButton(self.tr("Leave"))
        self.leave_button.clicked.connect(self.leave)
        self.back_button = QPushButton(self.tr("Back"))
        self.back_button.clicked.connect(lambda: self.step(-1))
        self.next_button = QPushButton(self.tr("Next"))
        self.next_button.setProperty("primary", True)
        self.next_button.clicked.connect(lambda: self.step(1))
        for button in (self.leave_button, self.back_button, self.next_button):
            button.installEventFilter(self)
        self._lay_out()
        window.installEventFilter(self)
        # A part of the window may get its place only after the window has its size.
        self._settle = QTimer(self, singleShot=True, interval=0)
        self._settle.timeout.connect(self._put)
        self._show_step()

    @property
    def target(self) -> QRect:
        """Where the part of the window lies that is spoken of, in the window."""
        widget = self._steps[self.place].target()
        return QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size())

    def step(self, by: int) -> None:
        """Go on, or back; beyond the last step it is over."""
        if self.place + by >= len(self._steps):
            self.leave()
            return
        self.place = max(self.place + by, 0)
        self._show_step()

    def leave(self) -> None:
        """End the tour."""
        self._window.removeEventFilter(self)
        self._settle.stop()
        for widget in (self._ring, self):
            widget.hide()
            widget.deleteLater()
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        match event.key():
            case Qt.Key.Key_Escape:
                self.leave()
            case Qt.Key.Key_Right | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.step(1)
            case Qt.Key.Key_Left:
                self.step(-1)
            case _:
                # Nothing is typed into the translation behind the note.
                event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Tab stays in the note."""
        stops = [each for each in (self.next_button, self.leave_button, self.back_button) if each.isEnabled()]
        focused = self.focusWidget()
        here = stops.index(focused) if focused in stops else -1  # type: ignore[arg-type]
        stops[(here + (1 if forward else -1)) % len(stops)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            # Buttons would take the arrow keys to go to each other.
            if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and watched is not self._window:
                self.keyPressEvent(event)
                return True
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._settle.start()
        return False

    def _show_step(self) -> None:
        step = self._steps[self.place]
        self.title.setText(step.title)
        self.text.setText(step.text)
        self.setAccessibleName(step.title)
        self.setAccessibleDescription(step.text)
        self._count.setText(self.tr("{0} of {1}").format(self.place + 1, len(self._steps)))
        last = self.place + 1 == len(self._steps)
        self.next_button.setText(self.tr("Done") if last else self.tr("Next"))
        self.back_button.setEnabled(self.place > 0)
        self.show()
        self._ring.show()
        self.next_button.setFocus(Qt.FocusReason.TabFocusReason)
        self._put()
        self._settle.start()

    def _put(self) -> None:
        """Stand beside what is spoken of, and inside the window."""
        target = self.target
        self._ring.setGeometry(target.adjusted(-4, -4, 4, 4).intersected(self._window.rect()))
        size = QSize(WIDTH, max(self.heightForWidth(WIDTH), self.minimumSizeHint().height()))
        room = self._window.rect().adjusted(GAP, GAP, -GAP, -GAP)
        left = min(max(target.left(), room.left()), room.right() - size.width())
        top = min(max(target.top(), room.top()), room.bottom() - size.height())
        corners = (
            QPoint(left, target.bottom() + GAP),
            QPoint(left, target.top() - GAP - size.height()),
            QPoint(target.left() - GAP - size.width(), top),
            QPoint(target.right() + GAP, top),
        )
        fitting = (corner for corner in corners if room.contains(QRect(corner, size)))
        middle = room.center() - QPoint(size.width() // 2, size.height() // 2)
        self.setGeometry(QRect(next(fitting, middle), size))
        self._ring.raise_()
        self.raise_()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self._count)
        buttons.addStretch(1)
        for button in (self.leave_button, self.back_button, self.next_button):
            buttons.addWidget(button)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 14, 14, 12)
        box.setSpacing(8)
        box.addWidget(self.title)
        box.addWidget(self.text)
        box.addLayout(buttons)
