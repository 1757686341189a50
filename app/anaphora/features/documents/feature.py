"""Declares the project's documents: opening, adding, removing, exporting and closing them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QMenu

from anaphora.core.segment import Segment
from anaphora.editor.actions.entries import Action, MenuEntry, MenuPart
from anaphora.editor.feature import LEFT, Desk, Dock, Feature, Strip
from anaphora.features.checks.feature import Checks
from anaphora.features.documents.view.file_choosers import FileChoosers
from anaphora.features.documents.view.panel import DocumentsPanel
from anaphora.features.documents.view.presenter import ProjectPresenter
from anaphora.features.documents.view.saving import ClosePrompt
from anaphora.features.export.exporting import Exporting
from anaphora.features.export.view.exported import ExportedBar, ExportedController
from anaphora.system.locations import sample_document


class Documents(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.exporting = exporting = Exporting(desk.project)
        self.exported_bar, self.panel = ExportedBar(desk.theme), DocumentsPanel(desk.theme)
        self.files = FileChoosers(desk, desk.of(Checks).service, exporting)
        self.exported = ExportedController(desk, self.exported_bar, exporting)
        self.presenter = ProjectPresenter(desk, self.files, self.panel)
        self.close_prompt = ClosePrompt(desk)
        self.presenter.projects.announced.connect(self.announced)
        exporting.exported_all.connect(self.presenter.show_export)

    def entries(self) -> Iterable[MenuEntry]:
        files, presenter = self.files, self.presenter
        text, places, short = self.tr("&Open…"), "document:open:10 toolbar:file:10", self.tr("Open")
        choose = files.choose_document
        yield Action("open", text, choose, places, "Ctrl+O", "open", is_global=True, beside_icon=short)
        text, choose, keys = self.tr("New project from a &folder…"), files.choose_folder, "Ctrl+Shift+O"
        yield Action("open_folder", text, choose, "document:open:20", keys, "open", is_global=True)
        yield MenuPart("document:open:30", self._add_recent)
        text, place = self.tr("Open the &sample"), "document:open:40"
        yield Action("sample", text, self.open_sample, place, icon="document", is_global=True)
        text, choose = self.tr("&Add documents…"), files.choose_additions
        yield Action("add_documents", text, choose, "document:documents:10", icon="add")
        text, choose = self.tr("Re&move this document…"), presenter.ask_removal_of_current
        yield Action("remove_document", text, choose, "document:documents:20", icon="remove")
        text, choose = self.tr("Document import settin&gs…"), presenter.ask_how_to_read
        yield Action("reading_choices", text, choose, "document:documents:30")
        text, choose = self.tr("&Export translation…"), files.choose_destination
        places, short, keys = "document:export:10 toolbar:file:20", self.tr("Export"), "Ctrl+S Ctrl+E"
        yield Action("export", text, choose, places, keys, "export", beside_icon=short)
        text, choose = self.tr("Export a&ll documents…"), files.choose_export_folder
        yield Action("export_all", text, choose, "document:export:20", "Ctrl+Shift+E")
        text, choose = self.tr("Save &project as…"), files.choose_project_file
        yield Action("save_as", text, choose, "document:project:10", "Ctrl+Shift+S")
        text, choose = self.tr("&Backups…"), presenter.projects.list_backups
        yield Action("backups", text, choose, "document:project:30")
        text, choose = self.tr("&Close document"), self.close_prompt.close_document
        yield Action("close", text, choose, "document:leave:10", "Ctrl+W")

    def shown(self) -> Iterable[Dock | Strip]:
        yield Dock("documents", self.tr("Documents"), self.panel, LEFT, 10)
        yield Strip(self.presenter.banner, 9, is_banner=True)
        yield Strip(self.exported_bar, 15)

    def show_segment(self, segment: Segment | None) -> None:
        if segment is not None:
            self.presenter.follow(segment)

    def open(self) -> None:
        self.presenter.open()

    def close(self) -> None:
        self.presenter.close()

    def may_leave(self, leave: Callable[[], object]) -> bool:
        return self.close_prompt.may_leave(leave)

    def open_sample(self) -> None:
        self.desk.opener.open(sample_document())

    def _add_recent(self, menu: QMenu) -> None:
        menu.addMenu(self.files.menu)
