"""Installed models: listing, installing, fitting, removing, and choosing one for the open project."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from PySide6.QtCore import QObject, Signal

from anaphora.core.errors import Message, ProjectError
from anaphora.core.installed_model import LANGUAGES_SETTING, MODEL_SETTING, ChosenModel, InstalledModel
from anaphora.core.language_pair import LanguagePair
from anaphora.engine.model_files import (
    CARD,
    installed_models,
    looks_like_model,
    own_model,
    remove_model,
    unused_folder,
)
from anaphora.engine.pack_files import pack_of
from anaphora.engine.worker import EngineWorker, Loader
from anaphora.project.document.following import OpenProject, ProjectSetting
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.errors import Cancelled
from anaphora_nmt.types import EngineInfo, FittedMemory, ModelToInstall
from anaphora_text.freed_memory import release_memory

T = TypeVar("T")
MODEL = ProjectSetting(MODEL_SETTING, ChosenModel.from_text)
CHOSEN_LANGUAGES = ProjectSetting(LANGUAGES_SETTING, LanguagePair.from_text)


class ModelService(QObject):
    """Manages the models. One model at a time is installed or fitted; cancelling leaves no files behind.

    Attributes:
        chosen: the model of the project that was opened last; at first, the app's own model.
        chosen_languages: the languages that the user chose for the project; None for those of the model.

    Signals:
        listed: the InstalledModels, the app's own model first.
        progressed: megabytes copied so far, during an installation.
        installed, fitted: the name of the installed model, or the FittedMemory.
        failed: the exception; LanguageNeededError if the user must choose the model's languages.
        ended: an installation or a fitting has ended.
        recognised: (path, True if it looks like a model).
        switched: (True if the open project uses another model, True if its languages changed).
        refitted: the open project's model is loaded again, because its memory has been fitted.
    """

    listed = Signal(object)
    progressed = Signal(int)
    installed = Signal(str)
    failed = Signal(object)
    ended = Signal()
    recognised = Signal(Path, bool)
    switched = Signal(bool, bool)
    fitted = Signal(object)
    refitted = Signal()
    project_settings: tuple[ProjectSetting[Any], ...] = (MODEL, CHOSEN_LANGUAGES)

    def __init__(
        self, worker: EngineWorker, folder: Path, own: Path, load_own: Loader, load: Callable[[Path], Loader]
    ) -> None:
        """Manage the models in `folder`.

        Args:
            own: folder of the model that comes with the app.
            load: returns the loader of the model in a folder.
        """
        super().__init__()
        pair = own_model(own).pair
        self._own_choice = ChosenModel(source=pair.source, target=pair.target)
        self.chosen = self._own_choice
        self.chosen_languages: LanguagePair | None = None
        self._worker, self._folder, self._own = worker, folder, own
        self._load_own, self._load = load_own, load
        self._project: OpenProject | None = None
        self._tasks = BackgroundTasks(self, threads=1)
        self._cancelled = threading.Event()
        self._is_busy = False

    @property
    def languages(self) -> LanguagePair:
        return self.chosen_languages or self.chosen.pair

    @property
    def fits(self) -> bool:
        return self.languages.is_like(self.chosen.pair)

    def follow(self, project: OpenProject) -> None:
        self._project, stored = project, project.settings.of(MODEL)
        self._use(stored if stored.folder else self._own_choice, project.settings.of(CHOSEN_LANGUAGES))
        project.session.pair = self.languages

    def close(self) -> None:
        self._project = None

    def choose(self, model: InstalledModel | None) -> None:
        """Use a model and its languages for the open project; None for the app's own. `switched` follows."""
        self._choose(self._own_choice if model is None else ChosenModel.of(model), None)

    def reload(self) -> None:
        """Load the model in use again, for example on another device; `switched` follows, and drafts stay."""
        self._load_own = self._load(self._own)
        loader = self._loader_of(self.chosen)
        self._worker.set_loader(lambda: loader())  # a new object, so that the worker loads it again
        self.switched.emit(False, False)

    def choose_languages(self, languages: LanguagePair | None) -> None:
        """Set the open project's languages; None for those of its model. `switched` follows."""
        self._choose(self.chosen, languages)

    def _choose(self, model: ChosenModel, languages: LanguagePair | None) -> None:
        if (project := self._project) is None:
            return
        project.save_setting(MODEL_SETTING, model.to_text())
        project.save_setting(LANGUAGES_SETTING, languages.to_text() if languages is not None else "")
        old_model, old_languages = self.chosen, self.languages
        self._use(model, languages)
        self.switched.emit(old_model != model, not old_languages.is_like(self.languages))

    def refresh(self) -> None:
        """List the installed models; `listed` follows."""
        self._tasks.start(
            lambda: (own_model(self._own), *installed_models(self._folder)),
            self.listed.emit,
            self.failed.emit,
        )

    def recognise(self, path: Path) -> None:
        """Check whether a path looks like a model; `recognised` or `failed` follows."""
        self._tasks.start(
            lambda: looks_like_model(path), lambda found: self.recognised.emit(path, found), self.failed.emit
        )

    def install(self, path: Path, source: str = "", target: str = "") -> bool:
        """Install a model. `ended` follows, then `installed` or `failed` unless the user cancelled.

        Args:
            source, target: language codes, for a model with more than one pair of languages.
        Returns:
            False while another model is being installed or fitted.
        """
        name = path.name if path.is_dir() else path.stem

        def work() -> EngineInfo:
            from anaphora_nmt.api import install_model

            wanted = ModelToInstall(path, unused_folder(self._folder, name), name, source, target)
            copied = 0

            def report(size: int) -> None:
                nonlocal copied
                self._check_cancelled()
                before, copied = copied, copied + size
                if before >> 20 != copied >> 20:
                    self.progressed.emit(copied >> 20)

            info = install_model(wanted, report)
            release_memory()  # `install_model` loaded the model for a test
            if self._cancelled.is_set():
                remove_model(wanted.folder)
            self._check_cancelled()
            return info

        def receive(info: EngineInfo) -> None:
            self.installed.emit(info.model)
            self.refresh()

        return self._begin(work, receive)

    def fit(self, model: InstalledModel) -> bool:
        """Fit a model's memory on the confirmed segments of the open project.

        `ended` follows, then `fitted` or `failed` unless the user cancelled.

        Returns:
            False while a model is being installed or fitted, or if no project is open.
        """
        if self._project is None:
            return False
        store = self._project.store

        def work() -> FittedMemory:
            from anaphora_nmt.api import fit_memory

            # The engine cannot read the project's file, which is locked.
            confirmed = pack_of(store.load_document(), store.path.name, model.pair)
            return fit_memory(model.folder, confirmed, step=self._check_cancelled)

        def receive(memory: FittedMemory) -> None:
            self.fitted.emit(memory)
            if memory.is_better and model.folder.name == self.chosen.folder:
                self._worker.set_loader(self._loader_of(self.chosen))
                self.refitted.emit()

        return self._begin(work, receive)

    def _begin(self, work: Callable[[], T], receive: Callable[[T], None]) -> bool:
        if self._is_busy:
            return False
        self._is_busy = True
        self._cancelled.clear()

        def end() -> None:
            self._is_busy = False
            self.ended.emit()

        def succeed(result: T) -> None:
            end()
            receive(result)

        def fail(error: Exception) -> None:
            end()
            if not isinstance(error, Cancelled):
                self.failed.emit(error)

        self._tasks.start(work, succeed, fail)
        return True

    def _check_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled

    def cancel(self) -> None:
        self._cancelled.set()

    def remove(self, model: InstalledModel) -> None:
        """Delete an installed model; `listed` or `failed` follows. The model in use is not deleted."""
        if model.folder.name != self.chosen.folder:
            self._tasks.start(lambda: remove_model(model.folder), lambda _: self.refresh(), self.failed.emit)

    def finish(self) -> bool:
        """Cancel running work and wait until it ends, at the end of the program; False if it goes on."""
        self.cancel()
        self._tasks.finish_writing()
        return self._tasks.finish()

    def _use(self, chosen: ChosenModel, languages: LanguagePair | None) -> None:
        old = self.chosen.folder, self.fits
        self.chosen, self.chosen_languages = chosen, languages
        is_same = old == (chosen.folder, self.fits)
        if not is_same or (chosen.folder and not self._is_installed(chosen)):
            self._worker.set_loader(self._loader_of(chosen))

    def _loader_of(self, chosen: ChosenModel) -> Loader:
        if not self.fits:
            return _refuse_other_languages
        if not chosen.folder:
            return self._load_own
        if self._is_installed(chosen):
            return self._load(self._folder / Path(chosen.folder).name)

        def refuse() -> NoReturn:
            raise ProjectError(
                Message(
                    "The model {name}, which this project uses, is no longer installed.", name=chosen.name
                ),
                "Install it again, or choose another one in Translate ▸ Models….",
            )

        return refuse

    def _is_installed(self, chosen: ChosenModel) -> bool:
        return (self._folder / Path(chosen.folder).name / CARD).is_file()


def _refuse_other_languages() -> NoReturn:
    raise ProjectError(
        "This project and its model have different languages.",
        "Choose a model for these languages in Translate ▸ Models….",
    )
