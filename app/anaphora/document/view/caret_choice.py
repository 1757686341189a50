"""Where the caret begins in a segment: the choice, its menu, and where it is kept."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from anaphora.views.editor.segment_editor import SegmentEditor

SETTING = "caret_at_end"


class CaretMenu(QObject):
    """Offers start and end; the choice holds from the next segment on."""

    def __init__(self, menu: QMenu, settings: QSettings, editor: SegmentEditor) -> None:
        super().__init__(menu)
        self._settings = settings
        self._editor = editor
        editor.begins_at_end = bool(settings.value(SETTING, False, type=bool))
        group = QActionGroup(self)
        for text, at_end in ((self.tr("At the &start"), False), (self.tr("At the &end"), True)):
            action = QAction(text, menu, checkable=True)
            action.setChecked(at_end is editor.begins_at_end)
            action.triggered.connect(lambda _=False, chosen=at_end: self._choose(chosen))
            group.addAction(action)
            menu.addAction(action)

    def _choose(self, at_end: bool) -> None:
        self._settings.setValue(SETTING, at_end)
        self._editor.begins_at_end = at_end
