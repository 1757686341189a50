"""The composition root: the only module that combines the window and the features. Loads no torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication, QMainWindow

from anaphora.editor.appearance.theme import Theme, ThemeChoice
from anaphora.editor.feature import Desk
from anaphora.engine.device import ComputeDevice
from anaphora.engine.worker import EngineWorker, Loader, default_loader
from anaphora.features.registry import FEATURES
from anaphora.project.current import CurrentProject
from anaphora.project.languages import ProjectLanguages
from anaphora.project.models import ModelService
from anaphora.project.opener import Opener, RecentFiles
from anaphora.system.background import BackgroundTasks
from anaphora.system.interface_language import chosen_language, install_language
from anaphora.system.locations import default_model, models_folder
from anaphora.system.window_settings import WindowSettings, stored_choice, window_settings
from anaphora.window.main_window import MainWindow


def make_window(
    application: QApplication,
    loader: Loader,
    settings: WindowSettings | None = None,
    load: Callable[[Path], Loader] | None = None,
    folder: Path | None = None,
    device: ComputeDevice | None = None,
) -> MainWindow:
    """Make the main window with all features. The caller starts the engine's thread.

    Args:
        loader: loads the app's own model, in the engine's thread.
        load: makes the loader for the folder of an installed model; by default, `default_loader`.
        folder: the folder of the model that `loader` loads; by default, the shipped model.
    """
    if settings is None:
        settings = window_settings()
    # Widgets get their texts when they are made, so the language must be set first.
    install_language(application, chosen_language(settings))
    theme = Theme(application, stored_choice(settings, "theme", ThemeChoice.SYSTEM))
    device = device or ComputeDevice(settings)
    worker = EngineWorker(loader)
    models = ModelService(worker, models_folder(), folder or default_model(), loader, load or default_loader)
    project = CurrentProject(BackgroundTasks())
    opener = Opener(project, RecentFiles())
    ProjectLanguages(project, opener, models)

    def make_desk(window: QMainWindow) -> Desk:
        return Desk(window, theme, settings, device, worker, models, project, opener)

    return MainWindow(make_desk, FEATURES)
