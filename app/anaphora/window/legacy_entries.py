"""The actions that no feature declares yet, by the feature that is to declare them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from anaphora.editor.actions.choices import switch
from anaphora.editor.actions.entries import Action, AnyEntry, Entry, Submenu
from anaphora.features.drafting.view.completer import SETTING as COMPLETION
from anaphora.features.drafting.view.suggester import TAKE_ACTIONS

if TYPE_CHECKING:
    from anaphora.window.legacy import Legacy

translate = QCoreApplication.translate


class LegacyEntries(QObject):
    def __init__(self, legacy: Legacy) -> None:
        super().__init__(legacy)
        self._legacy, self._desk = legacy, legacy.desk

    def all(self) -> Iterable[AnyEntry]:
        return (*self._of_project(), *self._of_segments(), *self._others())

    # fmt: off
    def _of_project(self) -> tuple[AnyEntry, ...]:
        of = self._legacy
        return (
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
            # models
            Action("models", self.tr("&Models…"), of.models.open_dialog, "translate:engine:30", always=True),
            Action("languages", self.tr("&Languages of the project…"), of.models.ask_project_languages,
                   "translate:engine:40"),
        )

    def _of_segments(self) -> tuple[AnyEntry, ...]:
        of = self._legacy
        drafting = of.services.drafting
        return (
            # explain
            Action("use_confirmed", self.tr("Use the con&firmed word here"), of.influence.use_here,
                   "segment:write:10", "Ctrl+Alt+U"),
            Action("word_left", self.tr("Explain the previous &word"), lambda: of.step_word(-1),
                   "segment:explain:10", "Alt+Left"),
            Action("word_right", self.tr("Explain the next w&ord"), lambda: of.step_word(1),
                   "segment:explain:20", "Alt+Right"),
            # drafting
            Action("again", self.tr("Translate this segment &again"), of.translate_again,
                   "translate:again:10 toolbar:again:10 target:write:40 row:write:20", "Ctrl+T", "again",
                   beside_icon=self.tr("Translate again")),
            Action("draft", self.tr("&Draft the rest"), drafting.draft_remaining, "translate:draft:10",
                   "Ctrl+F9"),
            Action("pause", self.tr("&Pause drafting"), lambda: drafting.set_paused(not drafting.paused),
                   "translate:draft:20 toolbar:draft:10", "F9", "pause"),
            Action("cancel", self.tr("&Cancel drafting"), drafting.cancel,
                   "translate:draft:30 toolbar:draft:20", "Shift+F9", "cancel"),
            # corrections
            Action("corrections", self.tr("&Corrections…"), of.show_corrections, "document_memory:said:10"),
            # steering
            Action("memory_rules", self.tr("What you &said about the memory…"), of.steering.list_rules,
                   "document_memory:said:20"),
            Action("memory_timeline", self.tr("&Timeline…"), of.steering.show_timeline,
                   "document_memory:said:30"),
            *(
                Action(name, self.tr("Take suggestion &{0}").format(n), partial(of.suggester.take, n),
                       f"take:take:{n}", f"Ctrl+{n}")
                for n, name in enumerate(TAKE_ACTIONS, 1)
            ),
        )

    def _others(self) -> Iterable[AnyEntry]:
        of, settings = self._legacy, self._desk.settings
        yield Entry("document:open:30", lambda menu: menu.addMenu(of.files.menu))
        yield switch("segment:insert:30",
                     translate("Menus", "Complete te&xt while typing (Tab takes it, Ctrl+→ a word)"),
                     settings, COMPLETION, of.completer.switch)
        yield Submenu("take", translate("Menus", "Ta&ke a suggestion"), "segment:insert:40")
        yield Submenu("document_memory", translate("Menus", "Document &memory"), "translate:engine:10")
