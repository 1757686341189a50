"""The menus and the toolbar, with the order of their groups."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QToolBar, QToolButton

from anaphora.editor.actions.actions import Actions
from anaphora.editor.actions.entries import Action, MenuEntry, Submenu

translate = QCoreApplication.translate

GROUPS = {
    "document": "open documents export review project memory leave",
    "translation_memory": "import export use",
    "edit": "history find places terms language",
    "segment": "confirm go write cut comment explain insert",
    "tags": "insert",
    "suggestions": "insert",
    "insert_term": "insert",
    "states": "show",
    "translate": "again draft matches engine",
    "document_memory": "rules packs",
    "view": "panels parts text look",
    "help": "guide about",
    "toolbar": "file history find go again draft",
    "text_history": "history",
    "target": "confirm write comment tags find",
    "source": "write find cut",
    "row": "confirm write cut go",
}
"""The groups of each menu in order, divided by separators. The toolbar counts as a menu. `target`, `source`
and `row` are context menus; that of the target begins with `text_history` and Qt's own entries."""


class Menus:
    def __init__(self, actions: Actions, entries: Iterable[MenuEntry]) -> None:
        self._actions = actions
        self._entries: dict[tuple[str, str], list[MenuEntry]] = {
            (menu, group): [] for menu, groups in GROUPS.items() for group in groups.split()
        }
        ranked = [(place.split(":"), entry) for entry in entries for place in entry.places.split()]
        for (menu, group, _), entry in sorted(ranked, key=lambda each: int(each[0][2])):
            self._entries[menu, group].append(entry)
        unique = dict.fromkeys(chain.from_iterable(self._entries.values()))
        for entry in unique:
            if isinstance(entry, Action):
                actions.add(entry)

    def fill(self, target: QMenu | QToolBar, name: str, on_request: bool = False) -> None:
        """Add a menu's entries. With `on_request`, entries that are not offered now are left out."""
        is_first = True
        for group in GROUPS[name].split():
            entries = [each for each in self._entries[name, group] if not on_request or _is_offered(each)]
            if entries and not is_first:
                target.addSeparator()
            is_first = is_first and not entries
            for entry in entries:
                self._add(target, entry)

    def fill_bar(self, bar: QMenuBar) -> None:
        titles = {
            "document": translate("Menus", "&Document"),
            "edit": translate("Menus", "&Edit"),
            "segment": translate("Menus", "&Segment"),
            "translate": translate("Menus", "&Translate"),
            "view": translate("Menus", "&View"),
            "help": translate("Menus", "&Help"),
        }
        for name, title in titles.items():
            self.fill(bar.addMenu(title), name)

    def make_toolbar(self, window: QMainWindow) -> QToolBar:
        bar = QToolBar(translate("Menus", "Toolbar"), window)
        bar.setObjectName("toolbar")
        bar.setMovable(False)
        bar.setIconSize(QSize(18, 18))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        # The Confirm button is in the card, not in the toolbar.
        self.fill(bar, "toolbar")
        for action in bar.actions():
            button = bar.widgetForAction(action)
            # `Actions` puts a space before a text that is shown beside the icon.
            if isinstance(button, QToolButton) and action.iconText().startswith(" "):
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        window.addToolBar(bar)
        bar.toggleViewAction().setVisible(False)
        return bar

    def _add(self, target: QMenu | QToolBar, entry: MenuEntry) -> None:
        if isinstance(entry, Action):
            target.addAction(self._actions[entry.name])
        elif isinstance(target, QMenu):
            if isinstance(entry, Submenu):
                self.fill(target.addMenu(entry.title), entry.name)
            else:
                entry.fill(target)


def _is_offered(entry: MenuEntry) -> bool:
    return not isinstance(entry, Action) or entry.offered()
