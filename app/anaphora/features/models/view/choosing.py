"""Connects the models dialog with the service that installs, tunes, removes and chooses models."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog

from anaphora.core.installed_model import ChosenModel, InstalledModel
from anaphora.core.language_pair import LanguagePair
from anaphora.editor.appearance.theme import language_name
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.dialogs import ProgressDialog, ask, show_error
from anaphora.editor.widgets.files import choose_existing
from anaphora.engine.model_files import ARCHIVES
from anaphora.features.models.view.dialog import LanguagesDialog, ModelsDialog
from anaphora.features.models.view.project_languages import ProjectLanguagesDialog
from anaphora.system.messages import describe_error
from anaphora_nmt.errors import AnaphoraNmtError, LanguageNeededError
from anaphora_nmt.types import FittedMemory


class ModelsController(Announcer):
    """Opens the dialogs for models and languages, and shows progress and results.

    Signals:
        getting_requested: the user wants to download a model.
        preferred: the InstalledModel for new documents; None for the app's own model.
    """

    getting_requested = Signal()
    preferred = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._window, self._models, self._project = desk.window, desk.models, desk.project
        self._opener = desk.opener
        models = desk.models
        self._path = self._asked_path = Path()
        self._languages: dict[str, str] = {}
        self._preferred = ChosenModel()
        self._listed: tuple[InstalledModel, ...] = ()
        self.dialog: ModelsDialog | None = None
        self.progress: ProgressDialog | None = None
        models.listed.connect(self._show)
        models.switched.connect(self._report_switch)
        models.installed.connect(self._report_installed)
        models.fitted.connect(self._report_fitted)
        models.failed.connect(self._report_failure)
        models.progressed.connect(self._show_copied)
        models.ended.connect(self._close_progress)
        models.recognised.connect(self._receive_dropped)
        desk.project.opened.connect(self._show_listed)

    def _show_listed(self) -> None:
        self._show(self._listed)

    def open_dialog(self) -> None:
        if self.dialog is None:
            self.dialog = ModelsDialog(self._window)
            self.dialog.finished.connect(self._forget_dialog)
            self.dialog.file_requested.connect(self._choose_file)
            self.dialog.folder_requested.connect(self._choose_folder)
            self.dialog.chosen.connect(self._models.choose)
            self.dialog.removal_requested.connect(self._ask_removal)
            self.dialog.fitting_requested.connect(self.fit)
            self.dialog.getting_requested.connect(self.getting_requested)
            self.dialog.preferred.connect(self.preferred)
            self._show(self._listed)
        self._models.refresh()
        self.dialog.open()

    def ask_project_languages(self) -> None:
        models = self._models
        dialog = ProjectLanguagesDialog(models.chosen.pair, models.chosen_languages, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._set_languages(dialog.choice))
        dialog.open()

    def take_drop(self, paths: list[Path]) -> bool:
        """Install a dropped model or open a dropped folder; False unless `paths` is one folder or archive."""
        if len(paths) != 1 or not (paths[0].is_dir() or paths[0].suffix.lower() in ARCHIVES):
            return False
        self._models.recognise(paths[0])
        return True

    def install(self, path: Path, source: str = "", target: str = "") -> None:
        if not self._models.install(path, source, target):
            self.announced.emit(self.tr("Another model is being installed or tuned."))
            return
        self._path = path
        self._show_progress(self.tr("Installing {0}…").format(path.name))

    def _install_with(self, languages: dict[str, str]) -> None:
        self._languages = languages
        self.install(self._path, **languages)

    def fit(self, model: InstalledModel) -> None:
        if not self._models.fit(model):
            self.announced.emit(self.tr("Another model is being installed or tuned."))
            return
        self._show_progress(self.tr("Tuning the document memory for {0}…").format(model.name))

    def _show_progress(self, text: str) -> None:
        dialog = ProgressDialog(self.tr("Models"), text, 0, self._window)
        dialog.cancel_requested.connect(self._models.cancel)
        self.progress = dialog

    def _choose_file(self) -> None:
        patterns = " ".join(f"*{ending}" for ending in ARCHIVES)
        filters = [self.tr("Model archives ({0})").format(patterns), self.tr("All files (*)")]
        mode = QFileDialog.FileMode.ExistingFile
        title = self.tr("Install a model from a file")
        dialog = choose_existing(self._window, title, self._project.folder, mode, filters)
        dialog.fileSelected.connect(lambda chosen: self.install(Path(chosen)))

    def _choose_folder(self) -> None:
        mode, title = QFileDialog.FileMode.Directory, self.tr("Install a model from a folder")
        dialog = choose_existing(self._window, title, self._project.folder, mode)
        dialog.fileSelected.connect(lambda chosen: self.install(Path(chosen)))

    def _receive_dropped(self, path: Path, is_model: bool) -> None:
        if not is_model:
            self._opener.open(path)
            return
        self.open_dialog()
        self.install(path)

    def _show(self, models: object) -> None:
        assert isinstance(models, tuple)
        self._listed = models
        if self.dialog is not None:
            has_project = self._project.session is not None
            self.dialog.show_models(models, self._models.chosen, has_project)
            self.dialog.show_preferred(self._preferred)

    def show_preferred(self, preferred: ChosenModel) -> None:
        self._preferred = preferred
        if self.dialog is not None:
            self.dialog.show_preferred(preferred)

    def _show_copied(self, megabytes: int) -> None:
        if self.progress is not None:
            text = self.tr("Installing {0}: {1} MB copied").format(self._path.name, megabytes)
            self.progress.show_text(text)

    def _close_progress(self) -> None:
        dialog, self.progress = self.progress, None
        if dialog is not None:
            if dialog.cancelled:
                self.announced.emit(self.tr("Cancelled. Nothing was changed."))
            dialog.end()

    def _report_installed(self, name: str) -> None:
        self.announced.emit(self.tr("{0} is installed.").format(name))

    def _report_fitted(self, fitted: FittedMemory) -> None:
        change = self.tr("The document memory was tuned.")
        change = change if fitted.is_better else self.tr("The document memory is unchanged.")
        text = self.tr("Error on test text (lower is better): {0} before, {1} after, {2} without the memory.")
        numbers = text.format(*(f"{each:.2f}" for each in (fitted.before, fitted.after, fitted.without)))
        self.announced.emit(f"{change} {numbers}")

    def _set_languages(self, choice: LanguagePair | None) -> None:
        if choice != self._models.chosen_languages:
            self._models.choose_languages(choice)

    def _report_switch(self, has_other_model: bool, has_other_languages: bool) -> None:
        self._show(self._listed)
        chosen, languages = self._models.chosen, self._models.languages
        info = []
        if has_other_languages:
            text = self.tr("This project now translates from {0} into {1}.")
            info.append(text.format(language_name(languages.source), language_name(languages.target)))
        if has_other_model and chosen.folder:
            info.append(self.tr("This project now uses {0}.").format(chosen.name))
        elif has_other_model:
            info.append(self.tr("This project now uses the model that comes with Anaphora."))
        if has_other_model:
            info.append(self.tr("Unedited segments are translated again. Your own text does not change."))
        if info:
            self.announced.emit(" ".join(info))

    def _report_failure(self, error: Exception) -> None:
        if isinstance(error, LanguageNeededError):
            self._ask_languages(error)
            return
        message = describe_error(error) if isinstance(error, AnaphoraNmtError) else str(error)
        show_error(self._window, self.tr("Models"), message, self.tr("Nothing was changed."))

    def _ask_languages(self, error: LanguageNeededError) -> None:
        dialog = LanguagesDialog(error.sides, error.known, self._window, self._path.name)
        earlier = self._languages if self._path == self._asked_path else {}
        self._asked_path = self._path
        dialog.accepted.connect(lambda: self._install_with({**earlier, **dialog.choices}))
        dialog.open()

    def _ask_removal(self, model: InstalledModel) -> None:
        ask(
            self._window,
            self.tr("Models"),
            self.tr("Remove {0} from this computer?").format(model.name),
            self.tr("Projects that use this model keep all their text."),
            self.tr("Remove"),
            lambda: self._models.remove(model),
            loses_work=True,
        )

    def _forget_dialog(self) -> None:
        self.dialog = None
