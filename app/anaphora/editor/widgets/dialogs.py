"""Common size, layout and fields of dialogs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anaphora.editor.appearance.language_names import language_name
from anaphora.editor.widgets.plain_text import plain_label

FRAME = QSize(16, 48)
"""Maximum number of pixels that a window manager adds around a dialog."""


def set_up_dialog(dialog: QDialog, title: str, width: int = 0, height: int = 0) -> None:
    """Set up a dialog with a title, deletion on closing, and a size bounded by the screen."""
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if width:
        screen = (dialog.parentWidget() or dialog).screen()
        dialog.resize(QSize(width, height).boundedTo(screen.availableGeometry().size() - FRAME))


def stack(
    dialog: QDialog, *parts: QWidget | QLayout, grows: QWidget | None = None, spacing: int = 12
) -> None:
    """Put parts below each other; the part `grows` takes the remaining space."""
    box = QVBoxLayout(dialog)
    box.setContentsMargins(18, 16, 18, 14)
    box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, QWidget):
            box.addWidget(part, int(part is grows))
        else:
            box.addLayout(part)


def side_by_side(*parts: QWidget, grows: QWidget | None = None) -> QHBoxLayout:
    """Put parts beside each other; the part `grows` takes the remaining space."""
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
    """A plain label of several lines."""
    label = plain_label(text, role)
    label.setWordWrap(True)
    return label


def side_button(text: str, press: Callable[[], object]) -> QPushButton:
    """A button that is never a dialog's default button."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _=False: press())
    return button


_WIDTH = 24
"""Width in characters. Measuring names in many scripts would load their fonts, which takes 0.1 s."""


def use_fixed_width(box: QComboBox) -> QComboBox:
    """Give a box of languages a fixed width, without measuring its items."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_WIDTH)
    return box


def language_box(name: str, codes: Iterable[str]) -> QComboBox:
    box = use_fixed_width(QComboBox())
    box.setAccessibleName(name)
    for code in codes:
        box.addItem(f"{language_name(code)} ({code})", code)
    return box
