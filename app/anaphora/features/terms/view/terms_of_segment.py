"""The list of the current segment's terms, and the controller for all actions on terms."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QWidget

from anaphora.core.errors import AnaphoraError
from anaphora.core.reading_choices import Columns
from anaphora.core.tags import MARK
from anaphora.core.term_entries import TargetTerm, TermEntry
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.feature import Desk, SegmentWords
from anaphora.editor.widgets.columns import ColumnsPart
from anaphora.editor.widgets.dialogs import ProgressView, set_up_dialog, show_error, show_note, stack, wrapped
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.editor.widgets.sentence import Lines
from anaphora.features.terms.exchange import TABLES, TBX, TermImport
from anaphora.features.terms.service import SHARED, TermService
from anaphora.features.terms.usage import TermUse, Verdict
from anaphora.features.terms.view.dialog import TermsDialog
from anaphora.formats.terminology.table import UncertainColumnsError
from anaphora.system.messages import describe_error, localise_message


class TermBaseLines(Lines):
    """Lists the terms of a segment with links; `chosen` carries the number of the clicked term, from 1."""

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._shown: tuple[tuple[TermUse, ...], str, tuple[str, ...], bool] = ((), "", (), True)
        self.set_title(self.tr("Terms in the current segment"))
        self.segment_requested.connect(lambda number: self.chosen.emit(int(number)))
        theme.changed.connect(self._fill)

    def show_uses(
        self, uses: Sequence[TermUse], source: str, keys: Sequence[str], has_target: bool = True
    ) -> None:
        """Show a segment's terms, the keys that insert them, and verdicts if the segment has a target."""
        if (tuple(uses), source, tuple(keys), has_target) != self._shown:
            self._shown = tuple(uses), source, tuple(keys), has_target
            self._fill()

    def _fill(self) -> None:
        uses, source, keys, _ = self._shown
        self.show_lines(
            [
                self._line(number, use, source, keys[number - 1] if number <= len(keys) else "")
                for number, use in enumerate(uses, 1)
            ]
        )

    def _line(self, number: int, use: TermUse, source: str, key: str) -> str:
        colours = self._theme.colours
        colour, verdict = {
            Verdict.USED: (colours.confirmed, self.tr("used")),
            Verdict.IGNORED: (colours.edited, self.tr("not used")),
            Verdict.FORBIDDEN: (colours.warning, self.tr("forbidden translation used")),
        }[use.verdict]
        allowed = dict.fromkeys(text for entry in use.found.entries for text in entry.allowed)
        forbidden = dict.fromkeys(text for entry in use.found.entries for text in entry.forbidden)
        remarks = [part for entry in use.found.entries for part in (entry.domain, entry.note) if part]
        first, *others = [html.escape(text) for text in allowed] or [""]
        style = f"color:{colours.accent};text-decoration:none"
        translations = [f'<a style="{style}" href="{number}"><b>{first}</b></a>'] if first else []
        translations += [*others, *(f"<s>{html.escape(text)}</s>" for text in forbidden)]
        term = html.escape(source[use.found.start : use.found.end])
        _, _, _, has_target = self._shown
        head = f'{term} <span style="color:{colour}">{html.escape(verdict)}</span>' if has_target else term
        lines = [head, f"{' · '.join(translations)} &nbsp;{self.muted(key)}"]
        lines += [self.muted(" · ".join(dict.fromkeys(remarks)))] if remarks else []
        return "<br>".join(lines)


class TermColumnsDialog(QDialog):
    """Asks for the columns of terms and translations in a table; `chosen` carries the Columns."""

    chosen = Signal(object)

    def __init__(self, error: UncertainColumnsError, parent: QWidget) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Import terms"), 640, 280)
        labels = self.tr("Term column"), self.tr("Translation column")
        self.columns = ColumnsPart(error.table, labels)
        self.columns.target.removeItem(0)  # the choice “the source cell”
        self.columns.target.setCurrentIndex(error.table.columns.targets[0])
        self.columns.has_header.setText(self.tr("The first row contains column names"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.import_button = buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.import_button.setDefault(True)
        self.columns.sources.itemChanged.connect(self._follow_columns)
        self.columns.target.currentIndexChanged.connect(self._follow_columns)
        self._follow_columns()
        buttons.accepted.connect(self.accept)
        self.accepted.connect(lambda: self.chosen.emit(self.columns.chosen))
        buttons.rejected.connect(self.reject)
        text = self.tr("In “{0}”, choose one column for the terms and another for the translations.")
        stack(self, wrapped(text.format(error.path.name), "section"), self.columns, buttons)

    def _follow_columns(self) -> None:
        part = self.columns
        self.import_button.setEnabled(part.target.isEnabled() and min(part.chosen.targets) >= 0)


INSERT_ACTIONS = tuple(f"insert_term_{number}" for number in range(1, 10))


class TermController(SegmentWords):
    """Connects the term bases and their views; `uses` are the terms of the current segment."""

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
        """Insert the first translation of the current segment's term `number`, from 1."""
        if not self._may_write():
            return
        chosen = self.uses[number - 1 : number]
        texts = [text for use in chosen for entry in use.found.entries for text in entry.allowed]
        if not texts:
            self.announced.emit(self.tr("This segment has no term with that number."))
            return
        self._write(texts[0])

    def open_dialog(self, entry: TermEntry | None = None) -> None:
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
        keys = [self._keymap.label(name) for name in INSERT_ACTIONS]
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
            self.dialog.show_stored(entry)

    def _show_import(self, path: Path | None) -> None:
        if path is not None:
            text = self.tr("Importing {0}…").format(path.name)
            self.progress.begin(self.tr("Term base"), text)
        else:
            self.progress.end()

    def _report_import(self, report: TermImport) -> None:
        counts = (
            (self.tr("New terms: {0}"), report.added),
            (self.tr("Existing terms with new information: {0}"), report.enriched),
            (self.tr("Existing terms unchanged: {0}"), report.present),
            (self.tr("Forbidden translations: {0}"), report.forbidden),
            (self.tr("Skipped (not in both languages): {0}"), report.left_out),
            (self.tr("Skipped (too long for a term): {0}"), report.too_long),
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
