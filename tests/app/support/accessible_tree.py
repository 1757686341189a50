"""The tree of accessible interfaces for screen readers, and its named parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

Role = QAccessible.Role
CONTROLS = {
    Role.Button,
    Role.CheckBox,
    Role.RadioButton,
    Role.ComboBox,
    Role.EditableText,
    Role.SpinBox,
    Role.List,
    Role.Tree,
    Role.Table,
    Role.MenuItem,
    Role.PageTab,
    Role.ProgressBar,
}
"""What a user can act on, or reads from: each needs a name."""


@dataclass(frozen=True)
class Said:
    """One interface.

    Attributes:
        widget: class and object name of the widget, empty for a part of one.
        value: the text in a field.
    """

    role: Role
    name: str
    description: str
    value: str
    widget: str
    focusable: bool


def said_by(interface: QAccessibleInterface) -> Said:
    """The data of one interface."""
    made = interface.object()
    return Said(
        interface.role(),
        interface.text(QAccessible.Text.Name),
        interface.text(QAccessible.Text.Description),
        interface.text(QAccessible.Text.Value),
        f"{type(made).__name__} {made.objectName()}".strip() if made is not None else "",
        bool(interface.state().focusable),  # type: ignore[attr-defined]
    )


def tree_of(widget: QWidget) -> list[Said]:
    """Everything in a window that is visible, in the order of the tree."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return list(_walk(interface))


def _walk(interface: QAccessibleInterface) -> Iterator[Said]:
    yield said_by(interface)
    for place in range(interface.childCount()):
        child = interface.child(place)
        # Qt keeps interfaces of tabs that are gone: they are nowhere.
        gone = child is None or (child.role() is Role.PageTab and child.rect().isEmpty())
        if child is not None and not gone and not child.state().invisible:  # type: ignore[attr-defined]
            yield from _walk(child)


def nameless(widget: QWidget) -> list[Said]:
    """The controls of a window that a screen reader could not name."""
    return [each for each in tree_of(widget) if each.role in CONTROLS and not each.name.strip()]
