"""The dialog for a project's languages: those of the project's model, or other languages."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLayout,
    QRadioButton,
    QWidget,
)

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import known_codes
from anaphora.editor.appearance.theme import language_name, pair_name
from anaphora.editor.widgets.dialogs import language_box, stack, wrapped


class AskingDialog(QDialog):
    """Asks for languages; subclasses enable `ok_button` for a valid choice."""

    def _lay_out(self, *parts: QWidget | QLayout) -> None:
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.ok_button = buttons.button(QDialogButtonBox.StandardButton.Ok)
        stack(self, *parts, buttons)
        self.setMinimumWidth(440)


class ProjectLanguagesDialog(AskingDialog):
    def __init__(
        self, model_pair: LanguagePair, chosen: LanguagePair | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Languages of the project"))
        self.as_model = QRadioButton(self.tr("&Model's languages: {0}").format(pair_name(model_pair)))
        self.others = QRadioButton(self.tr("&Other languages:"))
        initial = chosen or model_pair
        self.source = self._make_box(initial.source, self.tr("Translate from"))
        self.target = self._make_box(initial.target, self.tr("Translate into"))
        (self.as_model if chosen is None else self.others).setChecked(True)
        hint = wrapped(
            self.tr(
                "The languages determine where sentences end, which segments are translated, word counts, "
                "checks and the text direction. If the model does not support these languages, there are "
                "no drafts."
            ),
            "muted",
        )
        form = QFormLayout()
        form.setContentsMargins(24, 0, 0, 0)
        form.addRow(self.tr("&From:"), self.source)
        form.addRow(self.tr("&Into:"), self.target)
        self._lay_out(self.as_model, self.others, form, hint)
        for chooser in (self.source, self.target):
            chooser.activated.connect(lambda _: self.others.setChecked(True))
            chooser.currentIndexChanged.connect(self._check)
        self.others.toggled.connect(self._check)
        self._check()

    def _check(self) -> None:
        chosen = self.choice
        self.ok_button.setEnabled(chosen is None or chosen.source_language != chosen.target_language)

    @property
    def choice(self) -> LanguagePair | None:
        """The chosen languages; None if the project uses those of its model."""
        if self.as_model.isChecked():
            return None
        return LanguagePair(str(self.source.currentData()), str(self.target.currentData()))

    @staticmethod
    def _make_box(code: str, name: str) -> QComboBox:
        codes = sorted({*known_codes(), code} - {""}, key=lambda each: language_name(each).casefold())
        result = language_box(name, codes)
        result.setCurrentIndex(result.findData(code))
        return result
