"""Whether the engine is there, what it lacks, and how far the drafts are."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.direction import Pair
from anaphora.editor.actions.choices import choice
from anaphora.editor.actions.entries import Entry
from anaphora.editor.desk import Desk
from anaphora.editor.feature import Feature, StatusPart, Strip
from anaphora.engine.device import DeviceChoice
from anaphora.features.engine_state.view.banners import EngineBanner, PairBanner, ShortageBanner
from anaphora.features.engine_state.view.status import EngineStatus
from anaphora_nmt.types import EngineInfo


class EngineState(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        worker = desk.worker
        self.status = EngineStatus()
        self.banner, self.shortage, self.pair = EngineBanner(), ShortageBanner(), PairBanner()
        worker.loaded.connect(self._show_engine)
        worker.load_failed.connect(self._show_none)
        worker.restoring.connect(self.status.show_restoring)
        worker.failed.connect(self.announced)
        worker.short.connect(self.shortage.show_short)
        desk.legacy.services.drafting.progressed.connect(self.status.show_progress)
        desk.project.pair_changed.connect(self.open)
        desk.device.changed.connect(desk.models.load_anew)

    def entries(self) -> Iterable[Entry]:
        devices = {
            DeviceChoice.AUTO: self.tr("&Automatic"),
            DeviceChoice.CPU: self.tr("&CPU"),
            DeviceChoice.GPU: self.tr("&GPU (CUDA)"),
        }
        device, title = self.desk.device, self.tr("Compute &device")
        yield choice("translate:engine:20", title, devices, device.choice, device.choose)

    def shown(self) -> Iterable[Strip | StatusPart]:
        for rank, banner in enumerate((self.banner, self.shortage, self.pair)):
            yield Strip(banner, rank, is_banner=True)
        for rank, part in enumerate((self.status.bar, self.status.progress)):
            yield StatusPart(part, rank)
        yield StatusPart(self.status.engine, 90)

    def open(self) -> None:
        if (project := self.desk.project.project) is not None:
            self.pair.show_pair(project.pair)
            self.status.show_pair(project.pair)

    def close(self) -> None:
        self.pair.hide()
        self.status.show_pair(Pair())
        self.status.clear()

    def _show_engine(self, info: EngineInfo) -> None:
        self.banner.hide()
        self.status.show_engine(info)

    def _show_none(self, reason: str) -> None:
        self.status.show_no_engine(reason)
        self.banner.show_problem(reason)
