"""Declares the dialogs for models and for the project's languages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature
from anaphora.features.models.view.choosing import ModelsController


class Models(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.controller = ModelsController(desk)

    def entries(self) -> Iterable[Action]:
        models, languages = self.controller, self.tr("&Languages of the project…")
        yield Action("models", self.tr("M&odels…"), models.open_dialog, "translate:engine:30", is_global=True)
        yield Action("languages", languages, models.ask_project_languages, "translate:engine:40")

    def take_drop(self, paths: list[Path]) -> bool:
        return self.controller.take_drop(paths)

    def end(self) -> None:
        self.desk.models.finish()
