"""Entries of a feature in menus, the toolbar and context menus.

A place is `menu:group:rank`: a group stands between two separators; `window/menus.py` names them in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QMenu


@dataclass(frozen=True, slots=True)
class Action:
    """Something that the user can do.

    Attributes:
        name: in keys.toml and in the settings: it never changes.
        text: with its mnemonic.
        places: separated by blanks; the toolbar and context menus are menus, too.
        keys: separated by blanks, the first one is shown.
        always: it can be done without a document.
        beside_icon: the text of its button in the toolbar.
        offered: whether a menu that is made on request has it now.
    """

    name: str
    text: str
    do: Callable[[], object]
    places: str
    keys: str = ""
    icon: str = ""
    always: bool = False
    beside_icon: str = ""
    offered: Callable[[], bool] = lambda: True


@dataclass(frozen=True, slots=True)
class Submenu:
    """A menu in a menu; others put entries into it by its name."""

    name: str
    title: str
    places: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Anything else in a menu, such as a switch or a choice: `fill` adds it."""

    places: str
    fill: Callable[[QMenu], object]


AnyEntry = Action | Submenu | Entry
