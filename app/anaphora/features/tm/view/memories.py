"""Dialogs to import and export translation memories, and the menu for repetitions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QFileDialog, QMenu

from anaphora.core.errors import AnaphoraError
from anaphora.editor.actions.entries import add_choices, add_switch
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.dialogs import ProgressView, show_error, show_note
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.features.tm.exchange import ImportReport, importable_extensions
from anaphora.features.tm.exchange_service import ExchangeService
from anaphora.features.tm.memories import SHARED
from anaphora.project.document.repetitions import Propagation, RepetitionChoice
from anaphora.system.messages import localise_message
from anaphora.system.window_settings import is_on, stored_choice
from anaphora_nmt.types import Repeats

_TMX = ".tmx"


class TranslationMemoryController(Announcer):
    """Shows the dialogs for import and export, which are not modal, and announces filled-in repetitions."""

    def __init__(self, desk: Desk, exchange: ExchangeService) -> None:
        super().__init__(desk.window)
        self._window, self._project = desk.window, desk.project
        self._exchange = exchange
        self.progress = ProgressView(desk.window, exchange.progressed, exchange.cancel)
        exchange.imported.connect(self._report_import)
        exchange.exported.connect(self._report_export)
        exchange.failed.connect(self._report_failure)
        exchange.cancelled.connect(self._report_cancelled)
        exchange.ended.connect(self.progress.end)
        desk.project.opened.connect(self._follow_editing)

    def choose_import(self, name: str) -> None:
        title = self.tr("Import into the project's translation memory")
        title = self.tr("Import into the shared translation memory") if name == SHARED else title
        patterns = " ".join(f"*{ending}" for ending in importable_extensions())
        filters = [self.tr("Translation memories and files ({0})").format(patterns), self.tr("All files (*)")]
        file, folder = QFileDialog.FileMode.ExistingFile, self._project.folder
        dialog = choose_existing(self._window, title, folder, file, filters)
        dialog.fileSelected.connect(lambda chosen: self.import_file(Path(chosen), name))

    def choose_export(self, name: str) -> None:
        title = self.tr("Export the project's translation memory")
        title = self.tr("Export the shared translation memory") if name == SHARED else title
        filters = [self.tr("Translation memories (*{0})").format(_TMX)]
        folder, file = self._project.folder, self._default_name(name)
        dialog = choose_new(self._window, title, folder, file, filters)
        dialog.fileSelected.connect(lambda chosen: self.export_file(Path(chosen), name))

    def import_file(self, path: Path, name: str) -> None:
        self._show_start(self._exchange.import_file(path, name), self.tr("Importing {0}…").format(path.name))

    def export_file(self, path: Path, name: str) -> None:
        self._show_start(self._exchange.export_file(path, name), self.tr("Exporting {0}…").format(path.name))

    def _show_start(self, is_started: bool, text: str) -> None:
        if not is_started:
            self.announced.emit(
                self.tr("The translation memory is not ready yet or is in use. Try again later.")
            )
            return
        self.progress.begin(self.tr("Translation memory"), text)

    def _report_cancelled(self) -> None:
        self.announced.emit(self.tr("Cancelled. Nothing was changed."))

    def _report_import(self, report: ImportReport) -> None:
        lines = [
            self.tr("Translation units in {0}: {1}").format(report.file, report.units),
            self.tr("Added: {0}").format(report.added),
            self.tr("Already in the translation memory, or repeated in the file: {0}").format(report.present),
            self.tr("Skipped (empty, unconfirmed, too long, other languages): {0}").format(report.left_out),
        ]
        show_note(self._window, self.tr("Imported"), "\n".join(lines))

    def _report_export(self, path: Path, count: int) -> None:
        self.announced.emit(self.tr("Translation units exported to {1}: {0}").format(count, path))

    def _report_failure(self, error: AnaphoraError) -> None:
        title = self.tr("Translation memory")
        show_error(self._window, title, localise_message(error.message), localise_message(error.advice))

    def _follow_editing(self) -> None:
        if self._project.editing is not None:
            self._project.editing.propagated.connect(self._report_propagation)

    def _report_propagation(self, propagation: Propagation) -> None:
        parts = []
        if propagation.states:
            parts.append(self.tr("Repetitions filled in: {0}").format(len(propagation.states)))
        if propagation.adapted:
            parts.append(self.tr("of these, adapted: {0}").format(propagation.adapted))
        if propagation.kept:
            parts.append(self.tr("Not changed (translated differently): {0}").format(propagation.kept))
        if propagation.unfit:
            parts.append(self.tr("Not changed (could not be adapted): {0}").format(propagation.unfit))
        self.announced.emit(" · ".join(parts))

    def _default_name(self, name: str) -> str:
        session = self._project.session
        stem = Path(session.document.name).stem if session is not None and name != SHARED else "memory"
        return f"{stem}{_TMX}"


REACH_SETTING = "repetitions/reach"
CONFIRM_SETTING = "repetitions/confirm_exact"
SHARED_SETTING = "memory/shared"
FILL_SETTING = "memory/fill"
Report = Callable[[RepetitionChoice], None]


def stored_repetitions(settings: QSettings) -> RepetitionChoice:
    reach = stored_choice(settings, REACH_SETTING, Repeats.ALL)
    return RepetitionChoice(reach, is_on(settings, CONFIRM_SETTING, False))


class RepetitionMenu(QObject):
    """Lets the user choose how confirming a segment changes its repetitions."""

    def __init__(self, menu: QMenu, settings: QSettings, choice: RepetitionChoice, report: Report) -> None:
        """Fill the menu. Now and after each change, update `choice` and call `report`."""
        super().__init__(menu)
        self._settings = settings
        self._choice, self._report = choice, report
        chosen = stored_repetitions(settings)
        self.reaches = add_choices(menu, self._texts(), chosen.reach, self._choose_reach)
        menu.addSeparator()
        text = self.tr("&Confirm exact repetitions too")
        self.confirm = add_switch(menu, text, settings, CONFIRM_SETTING, self._apply, default=False)
        self._apply()

    def _texts(self) -> dict[Repeats, str]:
        return {
            Repeats.ALL: self.tr("Fill in &all repetitions"),
            Repeats.SAME_BEFORE: self.tr("Fill in only repetitions &with the same preceding segment"),
            Repeats.NONE: self.tr("&Leave repetitions unchanged"),
        }

    def _choose_reach(self, reach: Repeats) -> None:
        self._settings.setValue(REACH_SETTING, reach.value)
        self._apply()

    def _apply(self, _: bool = True) -> None:
        chosen = stored_repetitions(self._settings)
        self.confirm.setEnabled(chosen.reach is not Repeats.NONE)
        self._choice.reach, self._choice.confirm_exact = chosen.reach, chosen.confirm_exact
        self._report(chosen)
