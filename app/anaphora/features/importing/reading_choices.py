"""What can be chosen about how documents are read: asked, tried on their own texts, and applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import ReadingChoices
from anaphora.core.segment import Segment
from anaphora.formats.base.format import HowRead
from anaphora.formats.bilingual import csv_table
from anaphora.formats.bilingual.csv_table import Shown, shown
from anaphora.project.changes import change_project
from anaphora.project.current import CurrentProject
from anaphora.project.opener import Opener
from anaphora.project.rereading import read_with


@dataclass(frozen=True, slots=True)
class OfferedChoices:
    """What can be chosen about a document.

    Attributes:
        table: the beginning of a table; None of another document.
    """

    document: DocumentInfo
    table: Shown | None


class ReadingChoicesService(QObject):
    """Offers and applies choices, off the window's thread.

    Signals:
        offered: the Offer about a document.
    """

    offered = Signal(object)

    def __init__(self, controller: CurrentProject, opener: Opener, parent: QObject) -> None:
        super().__init__(parent)
        self._controller, self._opener = controller, opener

    def ask(self, document: DocumentInfo) -> None:
        if (store := self._controller.store) is None:
            return

        def work() -> OfferedChoices:
            table = None
            if document.format == csv_table.FORMAT.name:
                reading = HowRead(document.language, document.encoding, document.choices)
                table = shown(store.original(document.id), reading)
            return OfferedChoices(document, table)

        self._controller.run(work, self.offered.emit, self.tr("How the document is read"))

    def apply(self, document: DocumentInfo, choices: ReadingChoices, everywhere: bool) -> None:
        """Read a document anew as chosen; see `Opener.reopen`.

        Args:
            everywhere: the patterns hold for all documents of the project, else for those of this format.
        """
        wanted = {document.id: choices}
        for each in self._controller.documents:
            if each.id != document.id and (everywhere or each.format == document.format):
                wanted[each.id] = replace(each.choices, placeholders=choices.placeholders)
        if any(wanted.get(each.id, each.choices) != each.choices for each in self._controller.documents):
            change = partial(read_with, wanted)
            self._opener.reopen(lambda project, path: change_project(project, path, change))


def is_new_table(documents: Sequence[DocumentInfo], segments: Sequence[Segment]) -> bool:
    """Whether a project is one table on which nobody has worked yet, whose columns are to be chosen."""
    is_table = len(documents) == 1 and documents[0].format == csv_table.FORMAT.name
    return is_table and all(each.target == each.given for each in segments)
