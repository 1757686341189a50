"""Whether spelling is checked: the choice, its entry in a menu, where it is kept."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from anaphora.projects.controller import DocumentController
from anaphora.spelling.speller import dictionary_of
from anaphora.spelling.view.controller import SpellingController
from anaphora.views.appearance.language_names import language_name

SETTING = "spelling"


def stored_spelling(settings: QSettings) -> bool:
    return bool(settings.value(SETTING, True, type=bool))


class SpellingChoice(QObject):
    """An entry of a menu that says, too, where a document's language has no dictionary."""

    def __init__(
        self, menu: QMenu, settings: QSettings, spelling: SpellingController, controller: DocumentController
    ) -> None:
        super().__init__(menu)
        self._settings = settings
        self._spelling = spelling
        self._controller = controller
        self.action = QAction(self.tr("C&heck spelling"), menu, checkable=True)
        self.action.setChecked(spelling.is_on)
        self.action.triggered.connect(self._store)
        menu.addAction(self.action)
        menu.aboutToShow.connect(self.update)

    def update(self) -> None:
        session = self._controller.session
        has_dictionary = session is None or bool(dictionary_of(session.pair.target))
        self.action.setEnabled(has_dictionary)
        if session is None or has_dictionary:
            self.action.setText(self.tr("C&heck spelling"))
        else:
            text = self.tr("C&heck spelling (no dictionary for {0})")
            self.action.setText(text.format(language_name(session.pair.target)))

    def _store(self, wanted: bool) -> None:
        self._settings.setValue(SETTING, wanted)
        self._spelling.switch(wanted)
