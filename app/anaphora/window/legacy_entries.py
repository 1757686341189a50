"""The actions that no feature declares yet, by the feature that is to declare them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QObject

from anaphora.core.segment import Status
from anaphora.editor.actions.choices import add_choices, add_switch
from anaphora.editor.actions.entries import Action, AnyEntry, Entry, Submenu
from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.engine.device import DeviceChoice
from anaphora.features.help.view.about import AboutDialog
from anaphora.features.help.view.guide import GuideDialog
from anaphora.features.help.view.problem_report import ProblemReportDialog
from anaphora.features.help.view.shortcuts import ShortcutsDialog
from anaphora.features.spelling.view.misspellings import SETTING as SPELLING
from anaphora.features.tm.memories import PROJECT, SHARED
from anaphora.features.tm.view.choices import FILL_SETTING, SHARED_SETTING, RepetitionMenu
from anaphora.system.interface_language import Language
from anaphora.system.problem_log import read_log
from anaphora.window.menus import place_in_menus

if TYPE_CHECKING:
    from anaphora.window.legacy import Legacy
    from anaphora.window.main_window import MainWindow

translate = QCoreApplication.translate


class LegacyEntries(QObject):
    def __init__(self, legacy: Legacy, window: MainWindow) -> None:
        super().__init__(legacy)
        self._legacy, self._desk, self._window = legacy, legacy.desk, window

    def all(self) -> Iterable[AnyEntry]:
        return (*self._of_project(), *self._of_segments(), *self._others(), *self._choices())

    # fmt: off
    def _of_project(self) -> tuple[AnyEntry, ...]:
        of, window = self._legacy, self._window
        return (
            # window
            Action("quit", self.tr("&Quit"), window.close, "document:leave:20", "Ctrl+Q", always=True),
            Action("next_part", self.tr("Next &part of the window"), lambda: window.focus_keeper.step(1),
                   "view:parts:10", "F6"),
            Action("previous_part", self.tr("Previous part of the &window"),
                   lambda: window.focus_keeper.step(-1), "view:parts:20", "Shift+F6"),
            Action("larger", self.tr("&Larger text"), lambda: window.state.scale_text(1), "view:text:10",
                   "Ctrl++ Ctrl+=", always=True),
            Action("smaller", self.tr("S&maller text"), lambda: window.state.scale_text(-1), "view:text:20",
                   "Ctrl+-", always=True),
            # documents
            Action("open", self.tr("&Open…"), of.files.choose_document, "document:open:10 toolbar:file:10",
                   "Ctrl+O", "open", always=True, beside_icon=self.tr("Open")),
            Action("open_folder", self.tr("New project from a &folder…"), of.files.choose_folder,
                   "document:open:20", "Ctrl+Shift+O", "open", always=True),
            Action("sample", self.tr("Open the &sample"), of.open_sample, "document:open:40", icon="document",
                   always=True),
            Action("add_documents", self.tr("&Add documents…"), of.files.choose_additions,
                   "document:documents:10", icon="add"),
            Action("remove_document", self.tr("Re&move this document…"), of.presenter.ask_removal_of_current,
                   "document:documents:20", icon="remove"),
            Action("save_as", self.tr("Save &project as…"), of.files.choose_project_file,
                   "document:project:10", "Ctrl+Shift+S"),
            Action("backups", self.tr("&Backups…"), of.presenter.projects.list_backups,
                   "document:project:30"),
            Action("close", self.tr("&Close document"), of.close_prompt.close_document, "document:leave:10",
                   "Ctrl+W"),
            # importing
            Action("reading_choices", self.tr("&How this document is read…"), of.presenter.ask_how_to_read,
                   "document:documents:30"),
            # export
            Action("export", self.tr("&Export translation…"), of.files.choose_destination,
                   "document:export:10 toolbar:file:20", "Ctrl+S Ctrl+E", "export",
                   beside_icon=self.tr("Export")),
            Action("export_all", self.tr("Export a&ll documents…"), of.files.choose_export_folder,
                   "document:export:20", "Ctrl+Shift+E"),
            # review
            Action("review_out", self.tr("Export for re&view…"), of.review.give_out, "document:review:10"),
            Action("review_in", self.tr("Take &in a review…"), of.review.take_in, "document:review:20"),
            # statistics
            Action("statistics", self.tr("S&tatistics…"), of.presenter.projects.count, "document:project:40"),
            # tm
            Action("import_project_memory", self.tr("&Import into the project's memory…"),
                   partial(of.memory.choose_import, PROJECT), "translation_memory:import:10"),
            Action("import_shared_memory", self.tr("Import into the &shared memory…"),
                   partial(of.memory.choose_import, SHARED), "translation_memory:import:20"),
            Action("export_project_memory", self.tr("&Export the project's memory…"),
                   partial(of.memory.choose_export, PROJECT), "translation_memory:export:10"),
            Action("export_shared_memory", self.tr("Export the s&hared memory…"),
                   partial(of.memory.choose_export, SHARED), "translation_memory:export:20"),
            Action("concordance", self.tr("C&oncordance"), of.look_up,
                   "edit:places:10 target:find:10 source:find:10", "Ctrl+K"),
            Action("pretranslate", self.tr("P&re-translate…"), of.memory.pretranslation.open_dialog,
                   "translate:matches:10"),
            # help
            Action("guide", self.tr("&Guide"), self._open_guide, "help:read:10", "F1", always=True),
            Action("keys", self.tr("&Keyboard shortcuts…"),
                   lambda: ShortcutsDialog(window.keymap, window).open(), "help:read:20", "Ctrl+F1",
                   always=True),
            Action("report", self.tr("&Report a problem…"),
                   lambda: ProblemReportDialog(of.engine_state.info, read_log, window).open(), "help:tell:10",
                   always=True),
            Action("about", self.tr("&About Anaphora"),
                   lambda: AboutDialog(of.engine_state.info, window).open(), "help:tell:20", always=True),
        )

    def _of_segments(self) -> tuple[AnyEntry, ...]:
        of, window = self._legacy, self._window
        segments = of.segment_actions
        return (
            # segments
            Action("undo", self.tr("&Undo"), segments.undo,
                   "edit:history:10 toolbar:history:10 text_history:history:10", "Ctrl+Z", "undo"),
            Action("redo", self.tr("&Redo"), segments.redo,
                   "edit:history:20 toolbar:history:20 text_history:history:20", "Ctrl+Y Ctrl+Shift+Z",
                   "redo"),
            Action("go_to", self.tr("&Go to segment…"), lambda: segments.ask_number(window),
                   "edit:places:20 row:go:20", "Ctrl+G"),
            Action("sentence_rules", self.tr("&Sentence rules…"), of.resegmentation.edit_rules,
                   "edit:language:10", always=True),
            Action("confirm", self.tr("&Confirm and go on"), segments.confirm,
                   "segment:confirm:10 target:confirm:10 row:confirm:10", "Ctrl+Return Ctrl+Enter",
                   "confirm"),
            Action("confirm_jump", self.tr("Confirm and go to the next &unconfirmed"),
                   segments.confirm_and_jump, "segment:confirm:20", "Ctrl+Shift+Return Ctrl+Shift+Enter"),
            Action("unconfirm", self.tr("&Take back the confirmation"), segments.unconfirm,
                   "segment:confirm:30 target:confirm:20 row:confirm:20", "Ctrl+Shift+U",
                   offered=self._is_confirmed),
            Action("previous", self.tr("&Previous segment"), lambda: window.table.step(-1),
                   "segment:go:10 toolbar:go:10", "Ctrl+Up", "previous"),
            Action("next", self.tr("&Next segment"), lambda: window.table.step(1),
                   "segment:go:20 toolbar:go:20", "Ctrl+Down", "next"),
            Action("copy_source", self.tr("Copy the &source"), segments.copy_source,
                   "segment:write:20 target:write:20 source:write:10 row:write:10", "Ctrl+Insert"),
            Action("change_case", self.tr("Change capitals"), segments.change_case,
                   "segment:write:30 target:write:10", "Alt+C"),
            Action("clear", self.tr("Clear the t&ranslation"), segments.clear,
                   "segment:write:40 target:write:30", "Ctrl+Shift+Delete"),
            Action("join", self.tr("&Join with the next segment"), of.resegmentation.merge,
                   "segment:cut:10 source:cut:20 row:cut:10", "Ctrl+J"),
            Action("split", self.tr("Sp&lit the segment…"), of.resegmentation.split,
                   "segment:cut:20 source:cut:10 row:cut:20", "Ctrl+Shift+J"),
            Action("insert_tag", self.tr("Insert the next ta&g"), segments.insert_tag,
                   "tags:insert:10 target:tags:10", "Ctrl+,", offered=self._has_tags),
            Action("insert_pair", self.tr("Put the next pair of tags &around"), segments.insert_pair,
                   "tags:insert:20 target:tags:20", "Ctrl+Shift+,", offered=self._has_tags),
            # filter
            Action("filter", self.tr("F&ilter by text"), of.strip.needle.setFocus, "edit:find:50",
                   "Ctrl+Shift+L"),
            Action("next_changed", self.tr("Next changed &draft"), of.filtering.review_next, "segment:go:30",
                   "F4"),
            # checks
            Action("next_warning", self.tr("Next segment to &check"), segments.go_to_warning, "segment:go:40",
                   "F8", "warning"),
            Action("checks", self.tr("C&hecks…"), of.checks.open_dialog, "segment:go:60", "Shift+F8"),
        )

    def _others(self) -> Iterable[AnyEntry]:
        of, desk, settings = self._legacy, self._desk, self._desk.settings
        yield Entry("document:open:30", lambda menu: menu.addMenu(of.files.menu))
        yield Submenu("translation_memory", translate("Menus", "Translation memor&y"), "document:memory:10")
        yield self._switch("translation_memory:use:10",
                           translate("Menus", "&Use the memory that all projects share"),
                           SHARED_SETTING, of.services.memory.use_shared)
        yield self._switch("translation_memory:use:20",
                           translate("Menus", "&Fill in 100 % and 101 % matches automatically"),
                           FILL_SETTING, of.services.filling.want)
        yield self._switch("edit:language:20", translate("Menus", "C&heck spelling"),
                           SPELLING, of.spelling.switch)
        yield Submenu("tags", translate("Menus", "Ta&gs"), "segment:insert:10")
        repetitions, choose = translate("Menus", "R&epetitions"), desk.project.choose_repetitions
        yield Entry("segment:insert:20",
                    lambda menu: RepetitionMenu(menu.addMenu(repetitions), settings, choose))

    def _choices(self) -> Iterable[AnyEntry]:
        device, theme, state = self._desk.device, self._desk.theme, self._window.state
        devices = {
            DeviceChoice.AUTO: translate("DeviceMenu", "&Automatic"),
            DeviceChoice.CPU: translate("DeviceMenu", "&CPU"),
            DeviceChoice.GPU: translate("DeviceMenu", "&GPU (CUDA)"),
        }
        themes = {
            ThemeChoice.SYSTEM: translate("Menus", "Follow the &system"),
            ThemeChoice.LIGHT: translate("Menus", "&Light"),
            ThemeChoice.DARK: translate("Menus", "&Dark"),
            ThemeChoice.CONTRAST: translate("Menus", "&High contrast"),
        }
        # The languages call themselves by their own names, so that nobody gets lost.
        languages = {
            Language.SYSTEM: translate("Menus", "Follow the &system"),
            Language.ENGLISH: "&English",
            Language.CHINESE: "简体中文(&C)",
        }
        yield _choice("translate:engine:20", translate("Menus", "Compute &device"), devices,
                      device.choice, device.choose)
        yield _choice("view:look:10", translate("Menus", "&Colours"), themes,
                      theme.choice, state.choose_theme)
        yield _choice("view:look:20", translate("Menus", "&Language"), languages,
                      state.language, self._choose_language)

    # fmt: on
    def _switch(self, places: str, text: str, setting: str, choose: Callable[[bool], None]) -> Entry:
        return Entry(places, lambda menu: add_switch(menu, text, self._desk.settings, setting, choose))

    def _choose_language(self, language: Language) -> None:
        self._window.state.choose_language(language)
        said = translate("Menus", "The language changes when Anaphora is started the next time.")
        self._window.show_message(said)

    def _is_confirmed(self) -> bool:
        """Only what is confirmed can be taken back."""
        segment = self._desk.table.current_segment
        return segment is not None and segment.status is Status.CONFIRMED

    def _has_tags(self) -> bool:
        return bool(self._desk.table.editor.marks)

    def _open_guide(self) -> None:
        """Show the guide, or bring the one that is open to the front."""
        window, actions = self._window, self._desk.actions
        dialog = window.findChild(GuideDialog)
        if dialog is None:
            bar = window.menuBar()
            dialog = GuideDialog(
                window.state.language,
                actions.key_text,
                lambda name: place_in_menus(bar, actions[name]),
                window,
            )
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()


C = TypeVar("C", bound=Enum)


def _choice(places: str, title: str, texts: Mapping[C, str], chosen: C, choose: Callable[[C], None]) -> Entry:
    return Entry(places, lambda menu: add_choices(menu.addMenu(title), texts, chosen, choose))
