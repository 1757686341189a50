"""A feature's entries in menus, the toolbar and context menus.

The place of an entry is written as `menu:group:rank`. The toolbar and each context menu are menus, too.
Separators divide the groups of a menu; `window/menus.py` lists the groups in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from anaphora.system.window_settings import is_on


@dataclass(frozen=True, slots=True)
class Action:
    """A command of the user interface.

    Attributes:
        name: identifies the action in keys.toml and in the settings, so it must never change.
        text: the title, with a mnemonic.
        places: the places of the action, separated by spaces.
        keys: the default keys, separated by spaces; the tooltip shows the first one.
        is_global: True if the action works without a document.
        beside_icon: the text beside the icon of the action's button in the toolbar.
        offered: returns True if a context menu should include the action now.
    """

    name: str
    text: str
    do: Callable[[], object]
    places: str
    keys: str = ""
    icon: str = ""
    is_global: bool = False
    beside_icon: str = ""
    offered: Callable[[], bool] = lambda: True


@dataclass(frozen=True, slots=True)
class Submenu:
    """A menu in another menu. Its own entries have places that begin with its name (`name:group:rank`)."""

    name: str
    title: str
    places: str


@dataclass(frozen=True, slots=True)
class MenuPart:
    """A part that `fill` adds to a menu, such as a switch or a submenu of options."""

    places: str
    fill: Callable[[QMenu], object]


MenuEntry = Action | Submenu | MenuPart


Choice = TypeVar("Choice", bound=Enum)


def add_choices(
    menu: QMenu, texts: Mapping[Choice, str], chosen: Choice, choose: Callable[[Choice], None]
) -> QActionGroup:
    """Add options. Exactly one is checked, initially `chosen`; `choose` is called with the user's choice."""
    group = QActionGroup(menu)
    for choice, text in texts.items():
        action = QAction(text, menu, checkable=True)
        action.setData(choice.value)
        action.setChecked(choice is chosen)
        action.triggered.connect(lambda _=False, wanted=choice: choose(wanted))
        group.addAction(action)
        menu.addAction(action)
    return group


def choice(
    places: str, title: str, texts: Mapping[Choice, str], chosen: Choice, choose: Callable[[Choice], None]
) -> MenuPart:
    """A submenu of options; see `add_choices`."""
    return MenuPart(places, lambda menu: add_choices(menu.addMenu(title), texts, chosen, choose))


def add_switch(
    menu: QMenu,
    text: str,
    settings: QSettings,
    key: str,
    apply: Callable[[bool], None],
    default: bool = True,
) -> QAction:
    """Add a checkable entry that stores its state as the setting `key` and passes it to `apply`."""

    def store(wanted: bool) -> None:
        settings.setValue(key, wanted)
        apply(wanted)

    action = QAction(text, menu, checkable=True)
    action.setChecked(is_on(settings, key, default))
    action.triggered.connect(store)
    menu.addAction(action)
    return action


def switch(places: str, text: str, settings: QSettings, key: str, apply: Callable[[bool], None]) -> MenuPart:
    return MenuPart(places, lambda menu: add_switch(menu, text, settings, key, apply))
