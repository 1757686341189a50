"""Puts together what translates all documents of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anaphora.many_documents.service import TranslateAllService
from anaphora.many_documents.view.controller import TranslateAllController

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


def make_translate_all(window: MainWindow) -> TranslateAllController:
    """Make it for a window that has its files and its presenter already."""
    services, settings = window.services, window.services.settings
    service = TranslateAllService(
        window.controller, services.memory, services.terms, services.packs, services.models, window
    )
    service.ended.connect(window.presenter.show_translated)
    return TranslateAllController(
        window,
        service,
        window.files.folder_of_translations,
        window.files.usual_folder_of_translations,
        lambda: services.device.choice.value,
        settings,
    )
