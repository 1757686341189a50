"""Declares the guide, keyboard shortcuts, problem reports and the about dialog."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature
from anaphora.features.help.view.about import AboutDialog, ProblemReportDialog
from anaphora.features.help.view.guide import GuideDialog
from anaphora.features.help.view.shortcuts import ShortcutsDialog
from anaphora.system.interface_language import chosen_language, without_mnemonic
from anaphora.system.problem_log import read_log
from anaphora_nmt.types import EngineInfo


class Help(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.engine: EngineInfo | None = None
        desk.worker.loaded.connect(self._set_engine)

    def entries(self) -> Iterable[Action]:
        yield Action("guide", self.tr("&Guide"), self.open_guide, "help:guide:10", "F1", is_global=True)
        keys = self.tr("&Keyboard shortcuts…")
        yield Action("keys", keys, self.open_keys, "help:guide:20", "Ctrl+F1", is_global=True)
        report = self.tr("&Report a problem…")
        yield Action("report", report, self.open_report, "help:about:10", is_global=True)
        about = self.tr("&About Anaphora")
        yield Action("about", about, self.open_about, "help:about:20", is_global=True)

    def open_guide(self) -> None:
        window, actions = self.desk.window, self.desk.actions
        dialog = window.findChild(GuideDialog)
        if dialog is None:
            language, bar = chosen_language(self.desk.settings), window.menuBar()
            dialog = GuideDialog(
                language, actions.key_text, lambda name: _menu_path(bar, actions[name]), window
            )
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def open_keys(self) -> None:
        ShortcutsDialog(self.desk.keymap, self.desk.window).open()

    def open_report(self) -> None:
        ProblemReportDialog(self.engine, read_log, self.desk.window).open()

    def open_about(self) -> None:
        AboutDialog(self.engine, self.desk.window).open()

    def _set_engine(self, info: EngineInfo) -> None:
        self.engine = info


def _menu_path(bar: QMenuBar, action: QAction) -> str:
    """The menu path of an action, such as “Document ▸ Backups…”; its text if it is in no menu."""
    text = without_mnemonic(action.text())
    for menu in bar.findChildren(QMenu):
        if menu.title() and action in menu.actions():  # the overflow menu has no title
            return f"{_menu_path(bar, menu.menuAction())} ▸ {text}"
    return text
