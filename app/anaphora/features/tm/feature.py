"""Declares the translation memory feature: matches, concordance, pre-translation, import and export."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from anaphora.editor.actions.entries import Action, MenuEntry, MenuPart, Submenu, switch
from anaphora.editor.feature import BOTTOM, Desk, Dock, Feature, selected_text
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.exchange_service import ExchangeService
from anaphora.features.tm.filling import FillingService, PretranslationService
from anaphora.features.tm.memories import PROJECT, SHARED, TranslationMemories
from anaphora.features.tm.view.concordance_panel import ConcordancePanel
from anaphora.features.tm.view.memories import (
    FILL_SETTING,
    SHARED_SETTING,
    RepetitionMenu,
    TranslationMemoryController,
)
from anaphora.features.tm.view.pretranslation_dialog import PretranslationController
from anaphora.system.locations import shared_memory_path
from anaphora.system.window_settings import is_on


class Tm(Feature):
    """Translation memories: matches, concordance, pre-translation, repetitions.

    Signals:
        repetitions_chosen: the RepetitionChoice, when the menu is created and after each change.
    """

    repetitions_chosen = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        settings, project = desk.settings, desk.project
        self.service = memories = TranslationMemories(shared_memory_path(), is_on(settings, SHARED_SETTING))
        self.filling = filling = FillingService(memories, is_on(settings, FILL_SETTING))
        self.follows = (memories, filling)
        self.exchange = exchange = ExchangeService(memories)
        self.panel = panel = ConcordancePanel(desk.theme, desk.model.number_of)
        self.controller = TranslationMemoryController(desk, exchange)
        self.pretranslation_service = PretranslationService(memories, desk.of(Terms).service)
        self.pretranslation = PretranslationController(desk, self.pretranslation_service, filling)
        memories.failed.connect(self.announced)
        memories.searched.connect(panel.show_memory)
        exchange.imported.connect(memories.read_for_engine)
        exchange.imported.connect(filling.search)
        project.languages_changed.connect(memories.follow_languages)
        panel.search_requested.connect(memories.search)
        panel.segment_requested.connect(desk.table.go_to_segment)
        panel.left.connect(self._leave_concordance)

    def entries(self) -> Iterable[MenuEntry]:
        settings, controller, menu = self.desk.settings, self.controller, "translation_memory"
        import_into, export = controller.choose_import, controller.choose_export
        yield Submenu(menu, self.tr("Translation memor&y"), "document:memory:10")
        text = self.tr("&Import into the project's translation memory…")
        yield Action("import_project_memory", text, partial(import_into, PROJECT), f"{menu}:import:10")
        text = self.tr("Import into the &shared translation memory…")
        yield Action("import_shared_memory", text, partial(import_into, SHARED), f"{menu}:import:20")
        text = self.tr("&Export the project's translation memory…")
        yield Action("export_project_memory", text, partial(export, PROJECT), f"{menu}:export:10")
        text = self.tr("Export the s&hared translation memory…")
        yield Action("export_shared_memory", text, partial(export, SHARED), f"{menu}:export:20")
        text = self.tr("&Use the shared translation memory")
        yield switch(f"{menu}:use:10", text, settings, SHARED_SETTING, self.service.use_shared)
        text = self.tr("&Fill in 100% and 101% matches automatically")
        yield switch(f"{menu}:use:20", text, settings, FILL_SETTING, self.filling.set_enabled)
        places = "edit:places:10 target:find:10 source:find:10"
        yield Action("concordance", self.tr("C&oncordance"), self.look_up, places, "Ctrl+K")
        text, open_dialog = self.tr("P&re-translate…"), self.pretranslation.open_dialog
        yield Action("pretranslate", text, open_dialog, "translate:matches:10")
        yield MenuPart("segment:insert:20", self._add_repetitions)

    def shown(self) -> Iterable[Dock]:
        yield Dock("concordance", self.tr("Concordance"), self.panel, BOTTOM, 40)

    def open(self) -> None:
        self.panel.open(self.desk.project.session)

    def close(self) -> None:
        self.panel.open(None)

    def end(self) -> None:
        self.service.finish()

    def look_up(self) -> None:
        selected = selected_text(self.desk.window.focusWidget(), self.desk.table)
        self.desk.panels.raise_panel("concordance")
        self.panel.look_up(selected)

    def _add_repetitions(self, menu: QMenu) -> None:
        choice, report = self.desk.project.repetitions, self.repetitions_chosen.emit
        RepetitionMenu(menu.addMenu(self.tr("R&epetitions")), self.desk.settings, choice, report)

    def _leave_concordance(self) -> None:
        self.desk.panels.show_dock("concordance", bool(self.panel.needle.text().strip()))
        self.desk.table.setFocus()
