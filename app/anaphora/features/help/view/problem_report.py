"""The problem report: versions and the log, for the user to copy."""

from __future__ import annotations

import platform
from collections.abc import Callable

from PySide6.QtCore import qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QWidget

from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, stack, wrapped
from anaphora.features.help.view.about import version_of
from anaphora.system.shipped import version
from anaphora_nmt.types import EngineInfo


def versions(engine: EngineInfo | None) -> str:
    lines = [
        f"Anaphora {version()}",
        f"Python {platform.python_version()}, Qt {qVersion()}, PyTorch {version_of('torch')}",
        f"{platform.platform()}, {platform.machine()}, {QGuiApplication.platformName()}",
    ]
    if engine is not None:
        lines.append(f"{engine.model}, {engine.device}, {engine.precision}, threads: {engine.threads}")
    return "\n".join(lines)


class ProblemReportDialog(QDialog):
    """Shows the report; does not send it."""

    def __init__(
        self, engine: EngineInfo | None, log: Callable[[bool], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._engine, self._log = engine, log
        set_up_dialog(self, self.tr("Report a problem"), 720, 560)
        about = wrapped(
            self.tr(
                "Copy this report, add a description of the problem, and send both to your support "
                "contact. Anaphora sends nothing."
            )
        )
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.tr("Report"))
        self.everything = QCheckBox(
            self.tr("&Include messages (they may contain file names and document text)")
        )
        self.copy = QPushButton(self.tr("&Copy"))
        buttons = closing_buttons(self)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        stack(self, about, self.text, self.everything, buttons, grows=self.text)
        self.everything.toggled.connect(self._fill)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self._fill()

    def _fill(self) -> None:
        found = self._log(self.everything.isChecked()) or self.tr("The log is empty.")
        self.text.setPlainText(f"{versions(self._engine)}\n\n{found}")
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())
