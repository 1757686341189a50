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
"""Roles of controls, each of which needs a name."""


@dataclass(frozen=True)
class AccessibleNode:
    """The data of one interface.

    Attributes:
        widget: class and object name of the widget; empty for a part of a widget.
        value: the text in a field.
    """

    role: Role
    name: str
    description: str
    value: str
    widget: str
    focusable: bool


def node_of(interface: QAccessibleInterface) -> AccessibleNode:
    widget = interface.object()
    return AccessibleNode(
        interface.role(),
        interface.text(QAccessible.Text.Name),
        interface.text(QAccessible.Text.Description),
        interface.text(QAccessible.Text.Value),
        f"{type(widget).__name__} {widget.objectName()}".strip() if widget is not None else "",
        bool(interface.state().focusable),  # type: ignore[attr-defined]
    )


def tree_of(widget: QWidget) -> list[AccessibleNode]:
    """All visible nodes of a window, in the order of the tree."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return list(_walk(interface))


def _walk(interface: QAccessibleInterface) -> Iterator[AccessibleNode]:
    yield node_of(interface)
    for place in range(interface.childCount()):
        child = interface.child(place)
        # Qt keeps interfaces of removed tabs, with an empty rectangle.
        is_gone = child is None or (child.role() is Role.PageTab and child.rect().isEmpty())
        if child is not None and not is_gone and not child.state().invisible:  # type: ignore[attr-defined]
            yield from _walk(child)


def nameless(widget: QWidget) -> list[AccessibleNode]:
    """The controls of a window without a name."""
    return [each for each in tree_of(widget) if each.role in CONTROLS and not each.name.strip()]
