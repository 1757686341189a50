"""Word counts of the open project, in a dialog."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Feature
from anaphora.features.statistics.view.dialog import show_statistics


class Counts(Feature):
    def entries(self) -> Iterable[Action]:
        yield Action("statistics", self.tr("S&tatistics…"), self.show, "document:project:40")

    def show(self) -> None:
        show_statistics(self.desk.project, self.desk.window)
