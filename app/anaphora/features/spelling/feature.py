"""Misspelt words: marked in the segment that is edited, with what may be meant."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QMenu

from anaphora.editor.actions.choices import switch
from anaphora.editor.actions.entries import Entry
from anaphora.editor.desk import Desk
from anaphora.editor.feature import Feature
from anaphora.features.spelling.service import SpellingService
from anaphora.features.spelling.speller import Speller
from anaphora.features.spelling.view.misspellings import SETTING, SpellingController
from anaphora.system.locations import own_words_path
from anaphora.system.shipped import dictionaries, used_words


class Spelling(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        speller = Speller(dictionaries(), own_words_path(), used_words())
        self.service = SpellingService(speller, desk.tasks)
        self.before_shown = (self.service,)
        self.controller = SpellingController(desk, self.service)
        self.service.failed.connect(self.announced)

    def entries(self) -> Iterable[Entry]:
        text, choose = self.tr("C&heck spelling"), self.controller.switch
        yield switch("edit:language:20", text, self.desk.settings, SETTING, choose)

    def fill_menu_at_word(self, menu: QMenu) -> None:
        self.controller.fill_menu(menu)
