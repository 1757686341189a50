"""Before LibreOffice converts documents to be read: what that means, and whether to say it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QCheckBox, QWidget

from anaphora.formats.registry import suffixes_written
from anaphora.projects.controller import DocumentController
from anaphora.views.widgets.messages import ask

SETTING = "say_before_conversions"
_MOST_NAMED = 5


class ConversionPrompt(QObject):
    """Asks before documents are converted, unless the user wants no more of it."""

    def __init__(self, window: QWidget, controller: DocumentController, settings: QSettings) -> None:
        super().__init__(window)
        self._window = window
        self._controller = controller
        self._settings = settings
        controller.asks_before_conversions = bool(settings.value(SETTING, True, type=bool))
        controller.conversions_asked.connect(self._ask)

    def _ask(self, names: Sequence[str], go_on: Callable[[], None]) -> None:
        shown = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
        ways = {suffixes_written(name)[-1]: Path(name).suffix.lower() for name in names}
        ways_said = ", ".join(f"{own}\u00a0→\u00a0{inner}" for inner, own in ways.items())
        again = QCheckBox(self.tr("Say this before each conversion"))
        again.setChecked(True)

        def agree() -> None:
            self._settings.setValue(SETTING, again.isChecked())
            self._controller.asks_before_conversions = again.isChecked()
            go_on()

        ask(
            self._window,
            self.tr("Conversion by LibreOffice"),
            self.tr("LibreOffice is to convert {0} ({1}).").format(shown, ways_said),
            self.tr(
                "It does so on this computer, without a window; macros do not run, and links are not "
                "followed. Your files stay as they are. An exported translation is converted back: what "
                "LibreOffice does not know of a file, such as rare formatting, is lost in it."
            ),
            self.tr("Convert and open"),
            agree,
            again=again,
        )
