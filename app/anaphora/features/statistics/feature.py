"""Declares the statistics of the open project."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Feature
from anaphora.features.statistics.counting import Statistics, count_documents
from anaphora.features.statistics.view.dialog import StatisticsDialog
from anaphora.features.tm.feature import Tm


class Counts(Feature):
    def entries(self) -> Iterable[Action]:
        yield Action("statistics", self.tr("S&tatistics…"), self.show, "document:project:40")

    def show(self) -> None:
        if (project := self.desk.project.project) is None:
            return
        segments, documents = list(project.session.document), project.documents
        memory = self.desk.of(Tm).service

        def show(counted: list[Statistics]) -> None:
            self.announced.emit("" if memory.memories else self.tr("The translation memory is not open."))
            StatisticsDialog(counted, self.desk.window).open()

        self.announced.emit(self.tr("Counting words and matches…"))
        memory.survey(partial(count_documents, segments, documents), show)
