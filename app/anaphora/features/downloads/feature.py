"""Declares the download of models, which starts only when the user requests it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from anaphora.editor.feature import Desk, Feature, Start
from anaphora.features.downloads.service import ModelDownloadService
from anaphora.features.downloads.transport import Transport
from anaphora.features.downloads.view.dialog import ModelOffer
from anaphora.features.downloads.view.getting import ModelDownloads
from anaphora.features.models.feature import Models
from anaphora.features.quality.feature import Quality
from anaphora.system.locations import models_folder, offered_models


class Downloads(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.offer = ModelOffer()
        self.service = ModelDownloadService(offered_models(), models_folder(), Transport())
        self.controller = ModelDownloads(desk, self.service, self.offer, desk.of(Models).controller)
        desk.of(Quality).banner.linkActivated.connect(self.controller.open_dialog)
        if (application := QCoreApplication.instance()) is not None:
            application.aboutToQuit.connect(self.service.cancel)

    def shown(self) -> Iterable[Start]:
        yield Start(self.offer)
