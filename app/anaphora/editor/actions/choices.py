"""Menu entries that choose one of several options or switch one on and off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeVar

from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from anaphora.editor.actions.entries import Entry
from anaphora.system.window_settings import is_on

Choice = TypeVar("Choice", bound=Enum)


def add_choices(
    menu: QMenu, texts: Mapping[Choice, str], chosen: Choice, choose: Callable[[Choice], None]
) -> QActionGroup:
    """Add a group of options, of which one is chosen."""
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
) -> Entry:
    """A submenu of options, of which one is chosen."""
    return Entry(places, lambda menu: add_choices(menu.addMenu(title), texts, chosen, choose))


def add_switch(
    menu: QMenu,
    text: str,
    settings: QSettings,
    name: str,
    choose: Callable[[bool], None],
    usually: bool = True,
) -> QAction:
    """Add a checkable entry for the setting `name`."""

    def store(wanted: bool) -> None:
        settings.setValue(name, wanted)
        choose(wanted)

    action = QAction(text, menu, checkable=True)
    action.setChecked(is_on(settings, name, usually))
    action.triggered.connect(store)
    menu.addAction(action)
    return action


def switch(places: str, text: str, settings: QSettings, name: str, choose: Callable[[bool], None]) -> Entry:
    return Entry(places, lambda menu: add_switch(menu, text, settings, name, choose))
