"""Shows a project's documents, dialogs and messages in the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from anaphora.core.project import Backup, DamagedProjectError, ReadOnlyProjectError
from anaphora.core.segment import Segment
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.banner import link_banner
from anaphora.editor.widgets.dialogs import ProgressView, ask, choose, show_error
from anaphora.features.documents.view.backups import BackupsDialog
from anaphora.features.documents.view.file_choosers import FileChoosers
from anaphora.features.documents.view.panel import DocumentsPanel
from anaphora.features.documents.view.saving import LargeStepsView, ReportDialog, SavingView
from anaphora.features.importing.reading_choices import is_new_table
from anaphora.features.importing.view.reading_choices import ask_how_to_read
from anaphora.project.document.progress import DONE
from anaphora.project.exporting.writing import ExportReport
from anaphora.project.importing.external_changes import ChangedOriginal, WorkElsewhereError
from anaphora.project.opening import PROJECT_SUFFIX, LoadedProject
from anaphora.project.operations import ProjectOperations
from anaphora.project.restoring import Restoration
from anaphora.system.messages import localise_message

_DELAY_MS = 1000
"""Delay in milliseconds before the progress of opening is shown."""
_MAX_SHOWN = 10
"""Maximum number of files listed in the question about a project from another computer."""


class ProjectPresenter(QObject):
    """Connects the documents panel and the project's dialogs with the operations on projects."""

    def __init__(self, desk: Desk, files: FileChoosers, panel: DocumentsPanel) -> None:
        super().__init__(desk.window)
        window, controller, opener = desk.window, desk.project, desk.opener
        self.projects = ProjectOperations(controller, opener, self)
        self.banner = link_banner(
            self.tr(
                "This project was made on another computer. Anaphora does not watch its source "
                'files. <a href="#files">Which files?</a>'
            )
        )
        self.banner.linkActivated.connect(self._ask_about_originals)
        self.projects.watching_decided.connect(self._show_undecided)
        self.opening = ProgressView(window, opener.progressed, opener.cancel, _DELAY_MS)
        self.large_steps = LargeStepsView(window, controller)
        self.saving = SavingView(window, controller.saving, self.projects)
        opener.opening.connect(self._show_opening)
        self._window, self._project, self._theme = window, controller, desk.theme
        self._panel, self._panels, self._table = panel, desk.panels, desk.table
        self._opener = opener
        self._question: QMessageBox | None = None
        self._asked_table_sha256 = ""
        controller.progress.progressed.connect(panel.show_progress)
        panel.document_requested.connect(self.go_to_document)
        panel.add_requested.connect(files.choose_additions)
        panel.files_dropped.connect(self.projects.add)
        panel.removal_requested.connect(self._ask_removal)
        files.additions_chosen.connect(self.projects.add)
        files.project_file_chosen.connect(self.projects.save_as)
        self.projects.backups_listed.connect(self._show_backups)
        self.projects.changed_externally.connect(self._ask_about_changes)
        files.originals_changed.connect(self._ask_about_changes)
        controller.loaded.connect(self._report_findings)
        opener.refused.connect(self._report_refusal)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._check_external_changes)

    def open(self) -> None:
        if (project := self._project.project) is None:
            return
        documents = project.documents
        self._panel.show_documents(documents)
        self._panels.show_dock("documents", len(documents) > 1)
        self._show_undecided()
        is_known = documents[0].sha256 == self._asked_table_sha256
        if not is_known and is_new_table(documents, list(project.session.document)):
            self._asked_table_sha256 = documents[0].sha256
            ask_how_to_read(documents[0], self._project, self._opener, self._window)

    def close(self) -> None:
        self._panel.show_documents(())
        self._show_undecided()

    def follow(self, segment: Segment) -> None:
        self._panel.show_current(segment.document)

    def go_to_document(self, document: str) -> None:
        """Go to the first unfinished segment of a document; if all are finished, to the first segment."""
        session = self._project.session
        if session is None:
            return
        segments = [segment for segment in session.document if segment.document == document]
        if segments:
            unfinished = (each for each in segments if each.status not in DONE)
            self._table.go_to_segment(next(unfinished, segments[0]).id)

    def ask_how_to_read(self) -> None:
        segment = self._table.current_segment
        if (project := self._project.project) is not None:
            document = project.document_of(segment.id if segment is not None else "")
            ask_how_to_read(document, self._project, self._opener, self._window)

    def ask_removal_of_current(self) -> None:
        segment = self._table.current_segment
        if segment is not None:
            self._ask_removal(segment.document)

    def _show_opening(self, path: Path | None) -> None:
        if path is None:
            self.opening.end()
        elif self._opener.can_cancel:
            self.opening.begin(self.tr("Open"), self.tr("Opening {0}…").format(path.name))

    def _ask_removal(self, document: str) -> None:
        if (project := self._project.project) is None:
            return
        if len(project.documents) == 1:
            advice = self.tr("You can close the project instead.")
            show_error(
                self._window,
                self.tr("Remove a document"),
                self.tr("This is the project's only document."),
                advice,
            )
            return
        ask(
            self._window,
            self.tr("Remove a document"),
            self.tr("Remove “{0}” and its translation from the project?").format(project.names[document]),
            self.tr("The file itself is not changed, and a backup of the project keeps your work."),
            self.tr("Remove"),
            partial(self.projects.remove, document),
        )

    def _show_backups(self, backups: list[Backup]) -> None:
        name = backups[0].subject if backups else self.tr("the project")
        dialog = BackupsDialog(name, backups, self._window)
        dialog.chosen.connect(self.projects.open_backup)
        dialog.open()

    def _report(
        self, title: str, summary: str, headers: tuple[str, str], rows: Sequence[tuple[str, str]]
    ) -> None:
        ReportDialog(title, summary, headers, rows, self._theme, self._window).open()

    def _show_left_out(self, left_out: tuple[tuple[str, str], ...]) -> None:
        summary = self.tr("Files not added to the project: {0}").format(len(left_out))
        self._report(self.tr("Files skipped"), summary, (self.tr("File"), self.tr("Reason")), left_out)

    def show_export(self, report: ExportReport) -> None:
        summary = self.tr("Documents written to {1}: {0}.").format(len(report.written), report.folder)
        if report.failed:
            summary += " " + self.tr("Documents not written: {0}.").format(len(report.failed))
        names = [path.relative_to(report.folder).as_posix() for path in report.written]
        rows = [*report.failed, *((name, self.tr("written")) for name in names)]
        self._report(self.tr("Export"), summary, (self.tr("Document"), self.tr("Result")), rows)

    def _report_findings(self, opened: LoadedProject) -> None:
        if opened.restoration is not None:
            self._report_restoration(opened.restoration)
        if opened.problem is not None:
            self._project.report(self.tr("The project was not changed"), opened.problem)
        if opened.notes:
            self.projects.announced.emit(" ".join(opened.notes))
        if opened.left_out:
            self._show_left_out(opened.left_out)
        if opened.changed:
            self._ask_about_changes(opened.changed)

    def _report_refusal(self, path: Path, error: Exception) -> None:
        if isinstance(error, WorkElsewhereError):
            self._offer_earlier_work(error)
        elif isinstance(error, ReadOnlyProjectError) and path.suffix == PROJECT_SUFFIX:
            self._offer_copy(path, error)
        elif isinstance(error, DamagedProjectError):
            self._offer_backups(path, error)
        else:
            self._project.report(self.tr("{0} cannot be opened").format(path.name), error)

    def _offer_earlier_work(self, error: WorkElsewhereError) -> None:
        open_as = partial(self._opener.open, *error.paths)
        title = self.tr("You have translated {0} before").format(error.paths[0].name)
        message, advice = _readable(localise_message(error.message)), localise_message(error.advice)
        old, new = self.tr("Open that project"), self.tr("Start a new project")
        choices = ((old, partial(open_as, resume=True)), (new, partial(open_as, resume=False)))
        choose(self._window, title, message, advice, choices)

    def _offer_copy(self, project: Path, error: ReadOnlyProjectError) -> None:
        ask(
            self._window,
            self.tr("{0} is read-only").format(project.name),
            localise_message(error.message),
            self.tr("You can work on a copy in Anaphora's data folder. This file will not be changed."),
            self.tr("Open a copy"),
            partial(self.projects.open_copy, project),
        )

    def _offer_backups(self, path: Path, error: DamagedProjectError) -> None:
        choices = [(self.tr("Save what can be read"), partial(self.projects.rescue, error.path))]
        if error.has_backups:
            choices.insert(0, (self.tr("Show backups"), partial(self.projects.list_backups, error.path)))
        if path != error.path:
            start_over = partial(self.projects.start_over, path, error.path)
            choices.append((self.tr("Start a new project"), start_over))
        choose(
            self._window,
            self.tr("{0} cannot be opened").format(path.name),
            localise_message(error.message),
            localise_message(error.advice),
            choices,
        )

    def _report_restoration(self, restored: Restoration) -> None:
        backup_time, last_change = (f"{each:%Y-%m-%d %H:%M}" for each in (restored.made, restored.until))
        if not restored.lost:
            lost = self.tr("Nothing is lost: the backup contains all changes.")
        elif restored.until <= restored.made:
            lost = self.tr("Changes made after this backup are lost.")
        elif restored.recovered:
            lost = self.tr(
                "Segments recovered from the damaged file: {0} (changed between {1} and {2}). "
                "Other changes from that time may be lost."
            ).format(restored.recovered, backup_time, last_change)
        else:
            lost = self.tr("Changes made between {0} and {1} are lost.").format(backup_time, last_change)
        opened = self.tr("The project was damaged. Anaphora opened the backup from {0}.").format(backup_time)
        kept = self.tr("The damaged file is kept as “{0}”.").format(restored.kept)
        title = self.tr("{0} was damaged").format(restored.project.name)
        show_error(self._window, title, f"{opened} {lost}", kept)

    def _check_external_changes(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive and self._question is None:
            self.projects.check_external_changes()

    def _show_undecided(self) -> None:
        project = self._project.project
        self.banner.setVisible(project is not None and bool(project.undecided))

    def _ask_about_originals(self) -> None:
        if (project := self._project.project) is None:
            return
        shown = project.undecided[:_MAX_SHOWN]
        decide_watching = partial(self.projects.decide_watching, shown)
        choose(
            self._window,
            self.tr("Source files"),
            self.tr("According to the project, its documents come from these files:")
            + "\n\n"
            + "\n".join(_readable(info.path) for info in shown),
            self.tr(
                "Anaphora has not looked for these files. If they are yours, Anaphora can watch them and "
                "tell you when they change. You can also translate without them."
            ),
            (
                (self.tr("Do not watch"), partial(decide_watching, False)),
                (self.tr("Watch these files"), partial(decide_watching, True)),
            ),
        )

    def _ask_about_changes(
        self, changed: tuple[ChangedOriginal, ...], then: Callable[[], None] = lambda: None
    ) -> None:
        if self._question is not None:
            return
        names = "\n".join(_readable(change.document.path) for change in changed[:5])
        names = f"\n{names}\n…" if len(changed) > 5 else f"\n{names}"
        self._question = choose(
            self._window,
            self.tr("Files changed"),
            self.tr("These files have changed since they were added to the project: {0}").format(names),
            self.tr(
                "Use the new versions? Segments that have not changed keep their translations, and a "
                "backup is made first. Otherwise the project keeps the old versions."
            ),
            (
                (self.tr("Use the new versions"), partial(self.projects.update, changed)),
                (self.tr("Keep the old versions"), partial(self.projects.keep, changed, then)),
            ),
        )
        self._question.finished.connect(self._forget_question)

    def _forget_question(self) -> None:
        self._question = None


def _readable(path: str) -> str:
    line = "".join(sign if sign.isprintable() else "\ufffd" for sign in path)
    return line if len(line) <= 240 else f"{line[:120]}…{line[-120:]}"
