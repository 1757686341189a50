"""The dialog to install, remove and choose models, and the dialog to choose the languages of a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QLocale, Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from anaphora.core.installed_model import ChosenModel, InstalledModel
from anaphora.core.languages import known_codes
from anaphora.editor.appearance.theme import language_name, pair_name
from anaphora.editor.widgets.card_view import CardView
from anaphora.editor.widgets.dialogs import closing_buttons, language_box, set_up_dialog, side_by_side, stack
from anaphora.editor.widgets.rail import listing
from anaphora.editor.widgets.sentence import plain_tip
from anaphora.features.models.view.project_languages import AskingDialog
from anaphora_text.punctuation import COLONS

MODEL_ROLE = Qt.ItemDataRole.UserRole + 1
_LANGUAGE_CODES = re.compile(r"(?=(?<![a-z])([a-z]{2})[-_.]?([a-z]{2})(?![a-z]))")
"""Matches two language codes in a name such as "opus-mt-en-zh" or "model.enzh"."""


def model_list(titles: Sequence[str], name: str) -> QTreeWidget:
    """A list of models; `name` is for screen readers."""
    result = listing(name, titles)
    result.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    return result


class ModelsDialog(QDialog):
    """Lists models, the app's own first.

    Signals:
        chosen: the InstalledModel for the project; None for the app's own model.
        fitting_requested: the InstalledModel whose memory is to be fitted to the open project.
        preferred: the InstalledModel for new documents; None for the app's own model.
    """

    file_requested = Signal()
    folder_requested = Signal()
    chosen = Signal(object)
    removal_requested = Signal(object)
    fitting_requested = Signal(object)
    getting_requested = Signal()
    preferred = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Models"), 860, 600)
        self._default: InstalledModel | None = None
        self._project_model = self._preferred = ChosenModel()
        self._has_project = False
        self.list = model_list(
            [
                self.tr("Name"),
                self.tr("Languages"),
                self.tr("Kind"),
                self.tr("Size"),
                self.tr("Project"),
            ],
            self.tr("Models"),
        )
        self.licence = CardView()
        self.licence.setPlaceholderText(self.tr("This model includes no licence text. See its website."))
        self.licence.setAccessibleName(self.tr("Licence"))
        self.use_button = self._button(self.tr("Use for this project"), self.chosen)
        self.use_button.setProperty("primary", True)
        self.new_button = self._button(self.tr("Use for new documents"), self.preferred)
        text = self.tr("Tune the document memory for this project")
        self.fit_button = self._button(text, self.fitting_requested)
        self.fit_button.setToolTip(
            plain_tip(
                self.tr(
                    "Uses your confirmed segments to find how strongly the document memory should affect "
                    "drafts. This takes about a minute. Some confirmed segments are set aside for testing. "
                    "The result is kept only if it improves their drafts."
                )
            )
        )
        self.remove_button = self._button(self.tr("Remove…"), self.removal_requested)
        self.get_button = QPushButton(self.tr("Get models…"))
        self.get_button.clicked.connect(self.getting_requested)
        self.file_button = QPushButton(self.tr("Install from a file…"))
        self.file_button.clicked.connect(self.file_requested)
        self.folder_button = QPushButton(self.tr("Install from a folder…"))
        self.folder_button.clicked.connect(self.folder_requested)
        using = side_by_side(self.use_button, self.new_button, self.fit_button, self.remove_button)
        getting = side_by_side(self.get_button, self.file_button, self.folder_button)
        about = QLabel(self.tr("Licence and description of the model:"))
        stack(self, self.list, using, getting, about, self.licence, closing_buttons(self))
        self.list.itemSelectionChanged.connect(self._follow)

    def _button(self, text: str, signal: SignalInstance) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(lambda: signal.emit(self._selected_unless_default()))
        return button

    def show_models(self, models: Sequence[InstalledModel], used: ChosenModel, has_project: bool) -> None:
        """Fill the list with `models`, the app's own first. Keep the selection or select `used`."""
        selected = self.selected()
        self._default, self._project_model, self._has_project = next(iter(models), None), used, has_project
        self.list.clear()
        for model in models:
            self.list.addTopLevelItem(self._item(model))
        wanted = selected.folder if selected is not None else None
        for row, model in enumerate(models):
            if model.folder == wanted or (wanted is None and self._is_used(model)):
                self.list.setCurrentIndex(self.list.model().index(row, 0))
        self._follow()

    def show_preferred(self, preferred: ChosenModel) -> None:
        self._preferred = preferred
        for row in range(self.list.topLevelItemCount()):
            if (item := self.list.topLevelItem(row)) is not None:
                item.setText(4, self._use_text(item.data(0, MODEL_ROLE)))
        self._follow()

    def selected(self) -> InstalledModel | None:
        items = self.list.selectedItems()
        return items[0].data(0, MODEL_ROLE) if items else None

    def _item(self, model: InstalledModel) -> QTreeWidgetItem:
        used = self._use_text(model)
        kind = model.kind or self.tr("cannot be read")
        size = QLocale().formattedDataSize(model.size)
        item = QTreeWidgetItem([model.name, pair_name(model.pair), kind, size, used])
        item.setData(0, MODEL_ROLE, model)
        return item

    def _use_text(self, model: InstalledModel) -> str:
        uses = [self.tr("in use")] if self._has_project and self._is_used(model) else []
        if self._preferred.folder and self._is_same(self._preferred, model):
            uses.append(self.tr("new documents"))
        return ", ".join(uses)

    def _is_used(self, model: InstalledModel) -> bool:
        return self._is_same(self._project_model, model)

    def _is_same(self, chosen: ChosenModel, model: InstalledModel) -> bool:
        return (chosen.folder or None) == (None if model == self._default else model.folder.name)

    def _selected_unless_default(self) -> InstalledModel | None:
        selected = self.selected()
        return None if selected == self._default else selected

    def _follow(self) -> None:
        selected = self.selected()
        is_used = selected is not None and self._is_used(selected)
        self.licence.show_texts(selected.texts if selected is not None else ())
        self.use_button.setEnabled(self._has_project and bool(selected and selected.kind) and not is_used)
        is_new = selected is not None and self._is_same(self._preferred, selected)
        fits = bool(self._default and selected and selected.pair.is_like(self._default.pair))
        self.new_button.setEnabled(fits and not is_new)
        is_other = selected is not None and selected != self._default and bool(selected.kind)
        self.fit_button.setEnabled(self._has_project and is_other)
        self.remove_button.setEnabled(selected is not None and selected != self._default and not is_used)


class LanguagesDialog(AskingDialog):
    """Asks for the languages of a model with several or unknown languages."""

    def __init__(
        self, sides: Sequence[str], known: Sequence[str], parent: QWidget | None = None, name: str = ""
    ) -> None:
        """
        Args:
            sides: the languages to ask for: "source", "target" or both.
            known: the codes of the model's languages; empty if the model does not list them.
            name: the name of the model's file; languages in the name are preselected.
        """
        super().__init__(parent)
        self.setWindowTitle(self.tr("Languages of the model"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        texts = {"source": self.tr("Translate from:"), "target": self.tr("Translate into:")}
        form = QFormLayout()
        self._boxes: dict[str, QComboBox] = {}
        form.setSpacing(10)
        for side in sides:
            codes = known or sorted(known_codes(), key=lambda code: language_name(code).casefold())
            chooser = language_box(texts[side].rstrip(COLONS), codes)
            chooser.setPlaceholderText(self.tr("Choose…"))
            chooser.setCurrentIndex(-1)
            chooser.currentIndexChanged.connect(self._check)
            form.addRow(texts[side], chooser)
            self._boxes[side] = chooser
        several = self.tr("This model supports several languages.")
        about = QLabel(several if known else self.tr("This model does not specify its languages."))
        self._lay_out(about, form)
        self._check()
        for pair in _LANGUAGE_CODES.findall(name.lower()):
            if {*pair} <= {*known_codes()}:
                for side, code in zip(("source", "target"), pair, strict=True):
                    self.choose(side, code)

    def _check(self) -> None:
        codes = [chooser.currentData() for chooser in self._boxes.values()]
        self.ok_button.setEnabled(None not in codes and len({*codes}) == len(codes))

    def choose(self, side: str, code: str) -> None:
        if side in self._boxes and (index := self._boxes[side].findData(code)) >= 0:
            self._boxes[side].setCurrentIndex(index)

    @property
    def choices(self) -> dict[str, str]:
        """The language codes by side, "source" or "target"."""
        return {side: str(chooser.currentData()) for side, chooser in self._boxes.items()}
