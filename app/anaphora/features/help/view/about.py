"""The about dialog (versions, licences, the model's card) and the dialog to report a problem."""

from __future__ import annotations

import html
import platform
from collections.abc import Callable
from importlib import metadata

from PySide6.QtCore import qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from anaphora.core.installed_model import ModelText
from anaphora.editor.appearance.theme import pixmap
from anaphora.editor.widgets.card_view import CardView
from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, side_by_side, stack, wrapped
from anaphora.system.locations import RESOURCES, default_model, version
from anaphora.system.messages import localise_message
from anaphora_nmt.types import TORCH, EngineInfo


def libraries() -> list[list[str]]:
    """The name, licence and package of each library that the program uses."""
    return [row.split("\t") for row in (RESOURCES / "libraries.tsv").read_text("utf-8").splitlines()]


def version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def model_card() -> str:
    card = default_model() / "CARD.md"
    return card.read_text("utf-8") if card.is_file() else ""


class AboutDialog(QDialog):
    def __init__(self, engine: EngineInfo | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("About Anaphora"), 560, 520)
        logo = QLabel()
        logo.setPixmap(pixmap("anaphora", "#000000", 56))
        title = QLabel("Anaphora " + version_of("anaphora"))
        title.setProperty("role", "title")
        self.text = CardView()
        card = model_card()
        self.text.setHtml(self._html(engine, bool(card)))
        if card:
            self.text.add((ModelText(card, is_markdown=True),))
        buttons = closing_buttons(self)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()
        motto = QLabel(self.tr("A translation editor that remembers the document."))
        stack(self, side_by_side(logo, title, grows=title), motto, self.text, buttons, grows=self.text)

    def _html(self, engine: EngineInfo | None, has_card: bool) -> str:
        rows = "".join(
            f"<tr><td>{name}</td><td>&nbsp;&nbsp;{version_of(package)}</td><td>&nbsp;&nbsp;{licence}</td></tr>"
            for name, licence, package in libraries()
        )
        licence = self.tr("Anaphora is free software under the Apache License 2.0. It works offline.")
        model, made_with = self.tr("Model"), self.tr("Made with")
        parts = [f"<p>{licence}</p>"]
        if engine is not None:
            one_thread, many_threads = self.tr("1 thread"), self.tr("{0} threads")
            threads = one_thread if engine.threads == 1 else many_threads.format(engine.threads)
            device = f"{engine.device} · {threads}" if engine.device == "cpu" else engine.device
            memories = self.tr("Memory features of this model: {0}").format(
                ", ".join(map(localise_message, engine.memories)) or "–"
            )
            library = self.tr("native library ({0})").format(engine.kernels)
            kernels = TORCH if engine.kernels == TORCH else library
            computation = f"{engine.precision} · {kernels}"
            model_html = html.escape(f"{engine.model} · {device} · {computation}")
            model_html += f"<br>{html.escape(memories)}"
            parts.append(f"<p><b>{model}</b><br>{model_html}</p>")
        parts.append(f"<p><b>{made_with}</b></p><table>{rows}</table>")
        if has_card:
            parts.append(f"<p><b>{self.tr('Model card')}</b></p>")
        return "".join(parts)


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
    """Shows a problem report to copy; sends nothing. `log(True)` returns the log with messages."""

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
            self.tr("&Include log messages (they may contain file names and document text)")
        )
        self.copy = QPushButton(self.tr("&Copy"))
        buttons = closing_buttons(self)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        stack(self, about, self.text, self.everything, buttons, grows=self.text)
        self.everything.toggled.connect(self._fill)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self._fill()

    def _fill(self) -> None:
        log_text = self._log(self.everything.isChecked()) or self.tr("The log is empty.")
        self.text.setPlainText(f"{versions(self._engine)}\n\n{log_text}")
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())
