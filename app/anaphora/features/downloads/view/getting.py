"""Connects the offer on the start page and the dialog with the download service."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from anaphora.core.errors import AnaphoraError
from anaphora.core.installed_model import ChosenModel, InstalledModel
from anaphora.editor.appearance.theme import language_name
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.dialogs import ProgressDialog, show_error
from anaphora.engine.model_files import own_model
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedModel, best_for
from anaphora.features.downloads.getting import Step
from anaphora.features.downloads.service import KnownModels, ModelDownloadService
from anaphora.features.downloads.view.dialog import (
    GetModelsDialog,
    ModelOffer,
    getting_text,
    megabytes,
    step_text,
)
from anaphora.features.models.view.choosing import ModelsController
from anaphora.system.messages import describe_error
from anaphora_nmt.errors import AnaphoraNmtError, Cancelled

_STEPS = 1000


class ModelDownloads(Announcer):
    """Downloads the models that the user requests, and uses them afterwards."""

    def __init__(
        self, desk: Desk, service: ModelDownloadService, offer: ModelOffer, controller: ModelsController
    ) -> None:
        super().__init__(desk.window)
        self._window, self._project, self._models = desk.window, desk.project, desk.models
        self.service, self._offer, self._controller = service, offer, controller
        self._known: KnownModels | None = None
        self._is_for_project = self._is_for_new = False
        self.dialog: GetModelsDialog | None = None
        self.progress: ProgressDialog | None = None
        self._about = ""
        service.known.connect(self._show)
        service.stepped.connect(self._show_step)
        service.installed.connect(self._use_installed)
        service.failed.connect(self._report_failure)
        service.ended.connect(self._end)
        offer.get_button.clicked.connect(self.get_proposed)
        offer.others_button.clicked.connect(self.open_dialog)
        controller.getting_requested.connect(self.open_dialog)
        controller.preferred.connect(service.prefer)
        desk.opener.opening.connect(self._disable_while_opening)
        desk.models.listed.connect(service.read)
        service.read()

    def _disable_while_opening(self, path: Path | None) -> None:
        self._offer.get_button.setEnabled(path is None)

    @property
    def proposed(self) -> OfferedModel | None:
        """The model to offer on the start page; None if one for the pair is installed, or if none fits."""
        known, pair = self._known, self._models.languages
        if known is None or any(model.pair.is_like(pair) for model in known.installed):
            return None
        best = best_for(known.offers, pair)
        return best if best is not None and best.files else None

    def open_dialog(self) -> None:
        if self.dialog is None:
            has_project = self._project.session is not None
            dialog = GetModelsDialog(self._models.languages, has_project, self._window)
            dialog.finished.connect(self._forget_dialog)
            dialog.download_requested.connect(
                lambda offer: self.get(offer, dialog.use_box.isChecked(), dialog.new_box.isChecked())
            )
            self.dialog = dialog
            if self._known is not None:
                dialog.show_offers(self._known.offers)
        self.service.read()
        self.dialog.open()

    def get_proposed(self) -> None:
        if (offer := self.proposed) is not None:
            self.get(offer, use=False, for_new=True)

    def get(self, offer: OfferedModel, use: bool, for_new: bool) -> None:
        """Download a model, then `use` it for the open project, and for new projects if `for_new`."""
        if not self.service.get(offer):
            self.announced.emit(self.tr("Another model is being downloaded."))
            return
        self._is_for_project, self._is_for_new = use, for_new
        if self.dialog is not None:
            self.dialog.close()
        self._about = f"{offer.title}\n{getting_text(offer)}\n"
        title = QCoreApplication.translate("DownloadProgress", "Downloading a model")
        self.progress = ProgressDialog(title, self._about, _STEPS, self._window)
        self.progress.cancel_requested.connect(self._cancel)
        self.progress.show()

    def _show(self, known: KnownModels) -> None:
        self._known = known
        if self.dialog is not None:
            self.dialog.show_offers(known.offers)
        self._controller.show_preferred(known.preferred or ChosenModel())
        self._show_proposal()

    def _show_proposal(self) -> None:
        if (offer := self.proposed) is None:
            self._offer.show_model("", "")
            return
        title = self.tr("Get a better model ({0})").format(megabytes(offer.size))
        languages = language_name(offer.pair.source), language_name(offer.pair.target)
        text = self.tr("{0}, from {1}, licence {2}. New documents translated from {3} into {4} will use it.")
        about = text.format(offer.title, offer.host, mozilla.LICENCE, *languages)
        self._offer.show_model(title, about)

    def _show_step(self, step: Step) -> None:
        if self.progress is not None:
            self.progress.show_text(self._about + step_text(step))
            self.progress.show_step(round(_STEPS * step.done / step.total) if step.total else 0)

    def _cancel(self) -> None:
        self.service.cancel()
        self.announced.emit(self.tr("Cancelled. Nothing was changed."))

    def _end(self) -> None:
        progress, self.progress = self.progress, None
        if progress is not None:
            progress.end()

    def _use_installed(self, folder: Path) -> None:
        model = own_model(folder)
        self._models.refresh()
        messages = [self.tr("{0} is installed.").format(model.name)]
        if self._is_for_new:
            self.service.prefer(model)
            messages.append(
                self.tr("New documents translated from {0} into {1} will use it.").format(*_names(model))
            )
        if self._is_for_project and self._project.session is not None:
            self._models.choose(model)
        self.announced.emit(" ".join(messages))

    def _report_failure(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            return
        is_expected = isinstance(error, AnaphoraError | AnaphoraNmtError)
        message = describe_error(error) if is_expected else str(error)
        show_error(self._window, self.tr("Get models"), message, self.tr("Nothing has been installed."))

    def _forget_dialog(self) -> None:
        self.dialog = None


def _names(model: InstalledModel) -> tuple[str, str]:
    return language_name(model.pair.source), language_name(model.pair.target)
