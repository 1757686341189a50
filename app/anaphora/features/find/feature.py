"""Declares find and replace."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature, Strip
from anaphora.features.find.search import SearchService
from anaphora.features.find.view.find_bar import FindBar
from anaphora.features.find.view.finder import Finder


class Find(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.bar, self.service = FindBar(desk.theme), SearchService(desk.tasks)
        self.finder = Finder(desk, self.bar, self.service)
        desk.keymap.changed.connect(self._show_keys)

    def entries(self) -> Iterable[Action]:
        bar, step = self.bar, self.finder.step
        places = "edit:find:10 toolbar:find:10"
        yield Action("find", self.tr("&Find…"), lambda: bar.open(False), places, "Ctrl+F", "find")
        replace = self.tr("Find and r&eplace…")
        yield Action("replace", replace, lambda: bar.open(True), "edit:find:20", "Ctrl+H")
        yield Action("find_next", self.tr("Find &next"), lambda: step(1), "edit:find:30", "F3")
        yield Action("find_previous", self.tr("Find &previous"), lambda: step(-1), "edit:find:40", "Shift+F3")

    def shown(self) -> Iterable[Strip]:
        yield Strip(self.bar, 20, is_focus_stop=False)

    def close(self) -> None:
        self.bar.close_bar()

    def _show_keys(self) -> None:
        key_text = self.desk.actions.key_text
        self.bar.show_keys(key_text("find_previous"), key_text("find_next"))
