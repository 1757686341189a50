"""Message boxes, questions and progress dialogs, and functions that lay out other dialogs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anaphora.editor.appearance.theme import language_name
from anaphora.editor.widgets.sentence import plain_label

FRAME = QSize(16, 48)
"""Maximum width and height in pixels that a window manager adds to a dialog."""


def set_up_dialog(dialog: QDialog, title: str, width: int = 0, height: int = 0) -> None:
    """Set a dialog's title and, unless `width` is 0, its size (at most the screen's). Closing deletes it."""
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if width:
        screen = (dialog.parentWidget() or dialog).screen()
        dialog.resize(QSize(width, height).boundedTo(screen.availableGeometry().size() - FRAME))


def stack(
    dialog: QDialog, *parts: QWidget | QLayout, grows: QWidget | None = None, spacing: int = 12
) -> None:
    """Put a dialog's parts one below the other; the part `grows` takes the remaining space."""
    box = QVBoxLayout(dialog)
    box.setContentsMargins(18, 16, 18, 14)
    box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, QWidget):
            box.addWidget(part, int(part is grows))
        else:
            box.addLayout(part)


def side_by_side(*parts: QWidget, grows: QWidget | None = None) -> QHBoxLayout:
    box = QHBoxLayout()
    box.setSpacing(8)
    for part in parts:
        box.addWidget(part, int(part is grows))
    if grows is None:
        box.addStretch(1)
    return box


def closing_buttons(dialog: QDialog) -> QDialogButtonBox:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    return buttons


def wrapped(text: str = "", role: str = "") -> QLabel:
    label = plain_label(text, role)
    label.setWordWrap(True)
    return label


def side_button(text: str, press: Callable[[], object]) -> QPushButton:
    """A button that is not pressed when the user presses Enter in a field."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _=False: press())
    return button


_BOX_LENGTH = 24
"""Width of a language box in characters. To measure the names, Qt would load fonts for 0.1 s."""


def use_fixed_width(box: QComboBox) -> QComboBox:
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_BOX_LENGTH)
    return box


def language_box(name: str, codes: Iterable[str]) -> QComboBox:
    box = use_fixed_width(QComboBox())
    box.setAccessibleName(name)
    for code in codes:
        box.addItem(f"{language_name(code)} ({code})", code)
    return box


def _box(parent: QWidget, icon: QMessageBox.Icon, title: str, message: str, advice: str) -> QMessageBox:
    box = QMessageBox(parent)
    box.setIcon(icon)
    box.setWindowTitle(title)
    box.setText(message)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(advice)
    # Otherwise the label of the advice would render markup and open links.
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box


def show_error(parent: QWidget, title: str, message: str, advice: str = "") -> QMessageBox:
    """Show an error and advice on it, without waiting for the user."""
    box = _box(parent, QMessageBox.Icon.Warning, title, message, advice)
    box.open()
    return box


def show_note(parent: QWidget, title: str, message: str) -> QMessageBox:
    """Show a message that requires no action, without waiting for the user."""
    box = _box(parent, QMessageBox.Icon.Information, title, message, "")
    box.open()
    return box


def ask(
    parent: QWidget,
    title: str,
    message: str,
    advice: str,
    accept: str,
    on_accept: Callable[[], None],
    loses_work: bool = False,
) -> QMessageBox:
    """Ask the user to confirm an important action, without waiting for the answer.

    Args:
        accept: the label of the button that calls `on_accept`.
        loses_work: True if the action discards work; Cancel is then the default button.
    """
    box = _box(parent, QMessageBox.Icon.Question, title, message, advice)
    role = QMessageBox.ButtonRole
    agree = box.addButton(accept, role.DestructiveRole if loses_work else role.AcceptRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    if loses_work:
        box.setDefaultButton(cancel)
    agree.clicked.connect(on_accept)
    box.open()
    return box


def choose(
    parent: QWidget, title: str, message: str, advice: str, choices: Sequence[tuple[str, Callable[[], None]]]
) -> QMessageBox:
    """Let the user choose an action or cancel. `choices` are (label, action), the recommended one first."""
    box = _box(parent, QMessageBox.Icon.Question, title, message, advice)
    for label, act in choices:
        button = box.addButton(label, QMessageBox.ButtonRole.AcceptRole)
        button.clicked.connect(act)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setEscapeButton(cancel)
    box.open()
    return box


DELAY_MS = 300
"""Milliseconds before a progress dialog appears; it does not appear for shorter tasks."""
PROGRESS_WIDTH = 420


class ProgressDialog(QDialog):
    """A progress dialog that appears after a delay; the caller must close it with `end`."""

    cancel_requested = Signal()

    def __init__(self, title: str, text: str, steps: int, parent: QWidget, delay: int = DELAY_MS) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(PROGRESS_WIDTH)
        self.cancelled = False
        self._text = wrapped(text)
        self._bar = QProgressBar()
        self._bar.setRange(0, steps)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        # Enter must not cancel the task.
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        stack(self, self._text, self._bar, buttons)
        self._delay = QTimer(self, singleShot=True, interval=delay)
        self._delay.timeout.connect(self._appear)
        self._delay.start()

    def block(self) -> None:
        """Block the window's keyboard and mouse input now, before the dialog appears."""
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.show()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_text(self, text: str) -> None:
        self._text.setText(text)
        self._bar.setAccessibleName(text)

    def show_step(self, step: int) -> None:
        self._bar.setValue(step)

    def reject(self) -> None:
        self.cancelled = True
        self.cancel_requested.emit()
        super().reject()

    def _appear(self) -> None:
        if self.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen):
            self.hide()
            self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, False)
        self.show()

    def end(self) -> None:
        self._delay.stop()
        self.hide()
        self.deleteLater()


class ProgressView(QObject):
    """Shows one progress dialog at a time, for tasks that report their progress from 0 to 1000."""

    def __init__(
        self, window: QWidget, progressed: SignalInstance, cancel: Callable[[], None], delay: int = DELAY_MS
    ) -> None:
        super().__init__(window)
        self.dialog: ProgressDialog | None = None
        self._window = window
        self._progressed = progressed
        self._cancel = cancel
        self._delay = delay

    def begin(self, title: str, text: str) -> None:
        self.end()
        self.dialog = ProgressDialog(title, text, 1000, self._window, self._delay)
        self.dialog.cancel_requested.connect(self._cancel)
        self._progressed.connect(self.dialog.show_step)

    def end(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            self._progressed.disconnect(dialog.show_step)
            dialog.end()
