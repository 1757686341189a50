"""What the window shows follows the language and the colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from anaphora.application.languages import Language
from anaphora.views.appearance.retranslation import Retranslator

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


class TextsAndColours(QObject):
    """Says everything again that is shown, after the language or the colours have changed."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.state.language_changed.connect(self._show_language)
        window.services.theme.changed.connect(self._say_again)

    def _show_language(self, language: Language) -> None:
        retranslator, window = Retranslator(language), self._window
        for top in QApplication.topLevelWidgets():
            retranslator.show(top)
        window.actions_by_name.retranslate()
        window.engine_state.show_progress(window.services.drafting.progress)
        for part in (window.strip, window.status_line, window.table, window.docks.consistency):
            part.retranslate()
        window.services.checking.say_again()
        window.follow_keys()
        window.show_pair()
        window.docks.concordance.name_columns()
        window.show_recent()
        self._say_again()

    def _say_again(self) -> None:
        """Make the lines of the rail anew, in the colours and the language of now."""
        editor = self._window.table.editor
        self._window.follow_segment(editor.segment_id)
        self._window.inspector.point_at(editor.caret)
