"""The *Get models* dialog, the offer on the start page, and descriptions of models."""

from __future__ import annotations

import html

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QPushButton, QTreeWidgetItem, QVBoxLayout, QWidget

from anaphora.core.language_pair import LanguagePair
from anaphora.editor.appearance.theme import language_name, pair_name
from anaphora.editor.widgets.banner import LinkLabel
from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, side_by_side, stack, wrapped
from anaphora.editor.widgets.sentence import plain_action
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedModel, best_for
from anaphora.features.downloads.getting import Stage, Step
from anaphora.features.models.view.dialog import model_list

translate = QCoreApplication.translate


def megabytes(size: int) -> str:
    number = QLocale().toString(max(round(size / 1_000_000), 1))
    return translate("GetModels", "{0} MB").format(number)


def getting_text(offer: OfferedModel) -> str:
    """The source, size (if known) and licence of a download."""
    source = mozilla.host_of(offer), mozilla.LICENCE
    if not offer.size:
        return translate("GetModels", "from {0}, licence {1}").format(*source)
    return translate("GetModels", "{0} from {1}, licence {2}").format(megabytes(offer.size), *source)


def step_text(step: Step) -> str:
    if step.stage is Stage.CONNECTING:
        return translate("GetModels", "Connecting…")
    if step.stage is Stage.INSTALLING:
        return translate("GetModels", "Testing the model…")
    return translate("GetModels", "{0} of {1}").format(megabytes(step.done), megabytes(step.total))


class ModelOffer(QWidget):
    """The proposed model on the start page; hidden if there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.get_button = QPushButton()
        self.others_button = QPushButton(self.tr("Other models…"))
        self.others_button.setProperty("link", True)
        self.about = wrapped(role="muted")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 6, 0, 0)
        box.setSpacing(4)
        box.addLayout(side_by_side(self.get_button, self.others_button))
        box.addWidget(self.about)
        self.hide()

    def show_model(self, title: str, about: str) -> None:
        """Show the offer: `title` is on the button, `about` describes the model. Hide it if `title` is ""."""
        self.get_button.setText(plain_action(title))
        self.about.setText(about)
        self.setVisible(bool(title))


OFFER_ROLE = Qt.ItemDataRole.UserRole + 1


class GetModelsDialog(QDialog):
    """Lists available models; emits `download_requested` with the selected OfferedModel."""

    download_requested = Signal(object)

    def __init__(self, pair: LanguagePair, has_project: bool, parent: QWidget | None = None) -> None:
        """Show models of `pair` first."""
        super().__init__(parent)
        set_up_dialog(self, self.tr("Get models"), 860, 620)
        self._pair, self._has_project = pair, has_project
        titles = [self.tr("Name"), self.tr("Languages"), self.tr("Size")]
        self.list = model_list([*titles, self.tr("Quality")], self.tr("Available models"))
        self.details = LinkLabel()
        self.details.setMinimumHeight(84)
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.use_box = QCheckBox(self.tr("Use for the open project now"))
        self.new_box = QCheckBox()
        self.get_button = QPushButton(self.tr("Download"))
        self.get_button.setProperty("primary", True)
        self.get_button.setDefault(True)
        self._lay_out()
        self.list.itemSelectionChanged.connect(self._follow)
        self.get_button.clicked.connect(self._get)

    def show_offers(self, offers: tuple[OfferedModel, ...]) -> None:
        """Fill the list. Keep the selection or, without one, select the best model for the pair."""
        selected = self.selected()
        self.list.clear()
        for offer in sorted(offers, key=lambda each: not each.pair.is_like(self._pair)):
            self.list.addTopLevelItem(self._item(offer))
        rows = range(self.list.topLevelItemCount())
        items = [item for row in rows if (item := self.list.topLevelItem(row)) is not None]
        wanted = selected or best_for(offers, self._pair)
        chosen = [item for item in items if item.data(0, OFFER_ROLE) == wanted]
        if items:
            self.list.setCurrentItem((chosen or items)[0])
        self._follow()

    def selected(self) -> OfferedModel | None:
        items = self.list.selectedItems()
        return items[0].data(0, OFFER_ROLE) if items else None

    def _lay_out(self) -> None:
        row = side_by_side(self.get_button)
        row.addWidget(closing_buttons(self))
        self.use_box.setVisible(self._has_project)
        stack(self, self.list, self.details, self.use_box, self.new_box, row, grows=self.list)

    def _item(self, offer: OfferedModel) -> QTreeWidgetItem:
        languages = pair_name(offer.pair)
        size = megabytes(offer.size) if offer.size else "–"
        locale = QLocale()
        quality = ", ".join(f"{name} {locale.toString(value)}" for name, value in offer.metrics.items())
        item = QTreeWidgetItem([offer.title, languages, size, quality or "–"])
        item.setData(0, OFFER_ROLE, offer)
        return item

    def _follow(self) -> None:
        offer = self.selected()
        self.get_button.setEnabled(offer is not None)
        is_for_pair = offer is not None and offer.pair.is_like(self._pair)
        self.use_box.setEnabled(offer is not None)
        self.use_box.setChecked(is_for_pair)
        if offer is None:
            self.details.setText("")
            return
        text = self.tr("Use for new documents from {0} into {1}")
        self.new_box.setText(text.format(language_name("zh"), language_name("en")))
        is_default = offer.pair.is_like(LanguagePair())
        self.new_box.setVisible(is_default)
        self.new_box.setChecked(is_for_pair and is_default)
        self.details.setText("<br>".join(self._lines(offer)))
        self.get_button.setText(self.tr("Download: {0}").format(getting_text(offer)))

    def _lines(self, offer: OfferedModel) -> list[str]:
        lines = [f"<b>{html.escape(offer.title)}</b>"]
        if offer.files:
            text = self.tr("Downloads {0} from {1} and takes up {2} on disk.")
            size = sum(each.unpacked_size for each in offer.files)
            lines.append(text.format(megabytes(offer.size), html.escape(offer.host), megabytes(size)))
        link = f"<a href='{mozilla.LICENCE_ADDRESS}'>{mozilla.LICENCE}</a>"
        lines.append(self.tr("Licence: {0}").format(link))
        lines.append(self.tr("More information: {0}").format(f"<a href='{mozilla.PAGE}'>{mozilla.PAGE}</a>"))
        return lines

    def _get(self) -> None:
        if (offer := self.selected()) is not None:
            self.download_requested.emit(offer)
