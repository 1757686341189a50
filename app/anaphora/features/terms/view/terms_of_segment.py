"""The term base in the window: terms of the current segment, keys to add and insert terms, the dialog."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from anaphora.core.errors import AnaphoraError
from anaphora.core.reading_choices import Columns
from anaphora.core.tags import MARK
from anaphora.core.term_entries import TargetTerm, TermEntry
from anaphora.editor.desk import Desk
from anaphora.editor.table.segment_words import SegmentWords
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.editor.widgets.messages import show_error, show_note
from anaphora.editor.widgets.progress import ProgressView
from anaphora.features.terms.exchange import TABLES, TBX, TermImport
from anaphora.features.terms.service import SHARED, TermService
from anaphora.features.terms.usage import TermUse
from anaphora.features.terms.view.columns import TermColumnsDialog
from anaphora.features.terms.view.dialog import TermsDialog
from anaphora.features.terms.view.term_list import TermBaseLines
from anaphora.formats.terminology.table import UncertainColumnsError
from anaphora.system.messages import describe_error, localise_message

INSERT_ACTIONS = tuple(f"insert_term_{number}" for number in range(1, 10))


class TermController(SegmentWords):
    """Connects the term bases and their views; no dialog is modal.

    Attributes:
        uses: the terms of the current segment.
    """

    def __init__(self, desk: Desk, terms: TermService, panel: TermBaseLines) -> None:
        super().__init__(desk.window, desk.project, desk.table)
        self._window, self._controller, self._keymap = desk.window, desk.project, desk.keymap
        self.uses: tuple[TermUse, ...] = ()
        self.dialog: TermsDialog | None = None
        self._terms, self._panel = terms, panel
        self._import_base = ""
        terms.found.connect(self._set_uses)
        terms.changed.connect(self._follow_terms)
        terms.stored.connect(self._report_stored)
        self.progress = ProgressView(desk.window, terms.progressed, terms.cancel_import)
        terms.importing.connect(self._show_import)
        terms.imported.connect(self._report_import)
        terms.import_cancelled.connect(self._report_cancelled)
        terms.exported.connect(self._report_export)
        terms.failed.connect(self._report_failure)
        panel.chosen.connect(self.insert)
        desk.keymap.changed.connect(self._show)

    def show_segment(self, segment_id: str) -> None:
        self._segment = segment_id
        self.uses = ()
        self._show()
        self._terms.ask(segment_id)

    def add(self) -> None:
        """Add the selected source and target texts; if one is missing, ask for it in the dialog."""
        card = self._table.card
        source, target = (MARK.sub("", edit.selected_text()).strip() for edit in (card.source, card.editor))
        if source and target:
            self._terms.add_pair(source, target)
        else:
            self.open_dialog(TermEntry(source, (TargetTerm(target),) if target else ()))

    def insert(self, number: int) -> None:
        if not self._may_write():
            return
        chosen = self.uses[number - 1 : number]
        texts = [text for use in chosen for entry in use.found.entries for text in entry.allowed]
        if not texts:
            self.announced.emit(self.tr("This segment has no term with that number."))
            return
        self._write(texts[0])

    def open_dialog(self, entry: TermEntry | None = None) -> None:
        """Show the term base and, if given, an entry to edit."""
        if self.dialog is None:
            self.dialog = dialog = TermsDialog(self._window)
            dialog.store_requested.connect(self._terms.write)
            dialog.remove_requested.connect(self._terms.remove)
            dialog.import_requested.connect(self.choose_import)
            dialog.export_requested.connect(self.choose_export)
            dialog.finished.connect(self._forget_dialog)
            self._follow_terms()
            dialog.show()
        if entry is not None:
            self.dialog.show_entry(entry)
        self.dialog.raise_()
        self.dialog.activateWindow()

    def choose_import(self, name: str) -> None:
        patterns = " ".join(f"*{ending}" for ending in (TBX, *TABLES))
        filters = [self.tr("Terms ({0})").format(patterns), self.tr("All files (*)")]
        title, file = self.tr("Import terms"), QFileDialog.FileMode.ExistingFile
        chooser = choose_existing(self._dialog_parent(), title, self._controller.folder, file, filters)
        chooser.fileSelected.connect(lambda chosen: self.import_file(name, Path(chosen)))

    def import_file(self, name: str, path: Path, columns: Columns | None = None) -> None:
        if self._terms.import_file(name, path, columns):
            self._import_base = name
        else:
            self.announced.emit(self.tr("Another import of terms is running."))

    def choose_export(self, name: str) -> None:
        filters = [self.tr("TBX-Basic (*{0})").format(TBX), self.tr("Table (*{0})").format(TABLES[0])]
        title, file = self.tr("Export terms"), f"{'terms' if name == SHARED else self._stem()}{TBX}"
        chooser = choose_new(self._dialog_parent(), title, self._controller.folder, file, filters)
        chooser.filterSelected.connect(
            lambda chosen: chooser.setDefaultSuffix(TBX[1:] if TBX in chosen else "csv")
        )
        chooser.fileSelected.connect(lambda chosen: self._terms.export_file(name, Path(chosen)))

    def _stem(self) -> str:
        session = self._controller.session
        return Path(session.document.name).stem if session is not None else "terms"

    def _dialog_parent(self) -> QWidget:
        return self.dialog or self._window

    def _forget_dialog(self) -> None:
        self.dialog = None

    def _refresh(self) -> None:
        self._terms.ask(self._segment)

    def _set_uses(self, segment_id: str, uses: tuple[TermUse, ...]) -> None:
        if segment_id == self._segment:
            self.uses = uses
            self._show()

    def _show(self) -> None:
        segment = self._current()
        source = segment.source if segment is not None else ""
        keys = [self._keymap.shown(name) for name in INSERT_ACTIONS]
        has_target = segment is not None and bool(segment.target.strip())
        self._panel.show_uses(self.uses if source else (), source, keys, has_target)

    def _follow_terms(self) -> None:
        terms = self._terms.terms
        if self.dialog is not None and terms is not None:
            self.dialog.show_entries(terms.entries)
        self._show()
        self._refresh()

    def _report_stored(self, entry: TermEntry) -> None:
        text = self.tr("Added to the term base: {0} → {1}").format(entry.source, "; ".join(entry.allowed))
        self.announced.emit(text)
        if self.dialog is not None:
            self.dialog.stored(entry)

    def _show_import(self, path: Path | None) -> None:
        if path is not None:
            text = self.tr("Importing {0}…").format(path.name)
            self.progress.begin(self.tr("Term base"), text)
        else:
            self.progress.end()

    def _report_import(self, report: TermImport) -> None:
        counts = (
            (self.tr("New terms: {0}"), report.taken),
            (self.tr("Existing terms extended: {0}"), report.enriched),
            (self.tr("Existing terms unchanged: {0}"), report.present),
            (self.tr("Forbidden translations: {0}"), report.forbidden),
            (self.tr("Skipped, not in both languages: {0}"), report.left_out),
            (self.tr("Skipped, too long for a term: {0}"), report.too_long),
        )
        lines = [self.tr("Entries in {0}: {1}").format(report.file, report.found)]
        lines += [text.format(count) for text, count in counts if count]
        show_note(self._dialog_parent(), self.tr("Imported"), "\n".join(lines))

    def _report_cancelled(self) -> None:
        self.announced.emit(self.tr("Cancelled. Nothing was changed."))

    def _report_export(self, path: Path, count: int) -> None:
        self.announced.emit(self.tr("Terms exported to {1}: {0}").format(count, path))

    def _report_failure(self, error: AnaphoraError) -> None:
        if isinstance(error, UncertainColumnsError):
            dialog = TermColumnsDialog(error, self._dialog_parent())
            dialog.chosen.connect(partial(self.import_file, self._import_base, error.path))
            dialog.open()
        elif self.dialog is None:
            self.announced.emit(describe_error(error))
        else:
            title = self.tr("Term base")
            show_error(self.dialog, title, localise_message(error.message), localise_message(error.advice))
