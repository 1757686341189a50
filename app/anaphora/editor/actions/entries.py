"""A feature's entries in menus, the toolbar and context menus.

A place is `menu:group:rank`. Separators surround a group; `window/menus.py` lists the groups in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QMenu


@dataclass(frozen=True, slots=True)
class Action:
    """A command of the user interface.

    Attributes:
        name: its name in keys.toml and in the settings, which must not change.
        text: with its mnemonic.
        places: separated by blanks; the toolbar and context menus are also menus.
        keys: separated by blanks; the first one is displayed.
        always: True if it works without a document.
        beside_icon: the text of its button in the toolbar.
        offered: True if a context menu includes it now.
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
    """A menu in a menu; entries refer to it by name."""

    name: str
    title: str
    places: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Another part of a menu, such as a switch or a choice, which `fill` adds."""

    places: str
    fill: Callable[[QMenu], object]


AnyEntry = Action | Submenu | Entry
