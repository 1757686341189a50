"""Leaving a document: it says what is confirmed and what is not, unless it was exported as it is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QWidget

from anaphora.checks.checking import CheckingService
from anaphora.checks.issue_count import IssueCount
from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Status
from anaphora.export.view.dialog import ClosingDialog
from anaphora.export.writing import summarise
from anaphora.projects.controller import DocumentController
from anaphora.views.appearance.theme import Theme

SETTING = "say_at_closing"
BY_HAND = (Status.EDITED, Status.CONFIRMED)


class ClosePrompt(QObject):
    """Knows whether the translation has changed by hand since it was exported, and says so at the end.

    Signals:
        export_requested: the user wants to export first.
        segments_requested: the Shown that the user wants to look at first.
    """

    export_requested = Signal()
    segments_requested = Signal(object)

    def __init__(
        self,
        window: QWidget,
        controller: DocumentController,
        checking: CheckingService,
        theme: Theme,
        settings: QSettings,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._controller = controller
        self._checking = checking
        self._theme = theme
        self._settings = settings
        self._changed = False
        self._agreed = False
        controller.opened.connect(self._follow_document)
        for exported in (controller.exported, controller.exported_all):
            exported.connect(self._forget_changes)

    def close_document(self) -> None:
        """Close the document, perhaps after a question."""
        if self.may_leave(self._controller.close):
            self._controller.close()

    def may_leave(self, leave: Callable[[], object]) -> bool:
        """Whether the document can be left now; else the user is told, and `leave` called if they agree."""
        session = self._controller.session
        said = self._settings.value(SETTING, True, type=bool)
        if session is None or not self._changed or self._agreed or not said:
            return True
        dialog = ClosingDialog(
            session.document.name,
            summarise(session.document, self._controller.documents),
            IssueCount(self._checking),
            self._theme,
            self._window,
        )

        def agree() -> None:
            self._settings.setValue(SETTING, dialog.again.isChecked())
            self._agreed = True
            leave()

        dialog.close_agreed.connect(agree)
        dialog.export_requested.connect(self.export_requested)
        dialog.segments_requested.connect(self.segments_requested)
        dialog.open()
        return False

    def _follow_document(self, _: int) -> None:
        self._changed = self._agreed = False
        if (session := self._controller.session) is not None:
            session.applied.connect(self._follow)

    def _follow(self, changes: ChangeSet) -> None:
        self._changed = self._changed or any(edit.after.status in BY_HAND for edit in changes.edits)

    def _forget_changes(self, _: object) -> None:
        self._changed = False
