"""What can be chosen about how documents are read: asked, tried on their own texts, and applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from anaphora.application.messages import describe_error
from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import ReadingChoices
from anaphora.core.segment import Segment
from anaphora.core.shortening import GLANCE
from anaphora.core.tags import MARK
from anaphora.formats.base.format import Reading
from anaphora.formats.base.own_placeholders import OwnPlaceholders, PatternError
from anaphora.formats.bilingual import csv_table
from anaphora.formats.bilingual.csv_table import Shown, shown
from anaphora.projects.changes import change_project
from anaphora.projects.controller import DocumentController
from anaphora.projects.rereading import reading_with

MOST_TEXTS = 400
"""Texts of a document that patterns are tried on."""
TRIAL_SECONDS = 1.0
"""For all patterns on these."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be chosen about a document.

    Attributes:
        document: with what is chosen now.
        table: the beginning of a table; None of another document.
        texts: some of its texts, with what their tags stand for.
    """

    document: DocumentInfo
    table: Shown | None
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """What patterns find in texts.

    Attributes:
        number: of the trial, as it was asked for.
        matches: by text, the places that they find there.
        problem: why they find nothing; "" for none.
    """

    number: int
    matches: tuple[tuple[tuple[int, int], ...], ...] = ()
    problem: str = ""


class ReadingChoicesService(QObject):
    """Offers and applies choices, off the window's thread.

    Signals:
        offered: the Offer about a document.
        tried: a Trial.
    """

    offered = Signal(object)
    tried = Signal(object)

    def __init__(self, controller: DocumentController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller

    def ask(self, document: DocumentInfo) -> None:
        """Look at a document; `offered` follows."""
        store, session = self._controller.store, self._controller.session
        if store is None or session is None:
            return
        segments = [each for each in session.document if each.document == document.id][:MOST_TEXTS]

        def work() -> Offer:
            table = None
            if document.format == csv_table.FORMAT.name:
                reading = Reading(document.language, document.encoding, document.choices)
                table = shown(store.original(document.id), reading)
            return Offer(document, table, tuple(map(_as_written, segments)))

        self._controller.tasks.start(
            work,
            self.offered.emit,
            lambda error: self._controller.report(self.tr("How the document is read"), error),
        )

    def try_patterns(self, number: int, patterns: Sequence[str], texts: Sequence[str]) -> None:
        """Try patterns on texts; `tried` follows."""

        def work() -> Trial:
            try:
                own = OwnPlaceholders(patterns, seconds=TRIAL_SECONDS)
                return Trial(number, tuple(tuple(own.spans(text)) for text in texts))
            except PatternError as error:
                return Trial(number, problem=describe_error(error))

        self._controller.tasks.start(
            work,
            self.tried.emit,
            lambda error: self._controller.report(self.tr("How the document is read"), error),
            awaited=False,
        )

    def apply(self, document: DocumentInfo, choices: ReadingChoices, everywhere: bool) -> None:
        """Read a document anew as chosen; `opened` or `failed` of the controller follows.

        Args:
            everywhere: the patterns hold for all documents of the project, else for those of this format.
        """
        wanted = {document.id: choices}
        for each in self._controller.documents:
            if each.id != document.id and (everywhere or each.format == document.format):
                wanted[each.id] = replace(each.choices, placeholders=choices.placeholders)
        if any(wanted.get(each.id, each.choices) != each.choices for each in self._controller.documents):
            change = reading_with(wanted)
            self._controller.reopen(lambda project, path: change_project(project, path, change))


def is_new_table(documents: Sequence[DocumentInfo], segments: Sequence[Segment]) -> bool:
    """Whether a project is one table on which nobody has worked yet, whose columns are to be chosen."""
    is_table = len(documents) == 1 and documents[0].format == csv_table.FORMAT.name
    return is_table and all(each.target == each.given for each in segments)


def _as_written(segment: Segment) -> str:
    """A text, or the beginning of it, with its placeholders as the file has them and without other tags."""
    labels = dict(segment.tags)

    def shown_as(mark: str) -> str:
        label = labels.get(mark, "")
        return label if any(map(_is_sign, label)) else ""

    return MARK.sub(lambda match: shown_as(match.group()), segment.source)[:GLANCE]


def _is_sign(char: str) -> bool:
    return not char.isalnum() and not char.isspace()
