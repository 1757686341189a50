"""Declares the parts that show the engine's state: status line, banners, choice of the compute device."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.language_pair import Pair
from anaphora.editor.actions.entries import MenuPart, choice
from anaphora.editor.appearance.theme import language_name
from anaphora.editor.feature import Desk, Feature, StatusPart, Strip
from anaphora.editor.widgets.banner import banner
from anaphora.engine.device import DeviceChoice
from anaphora.features.drafting.feature import Drafting
from anaphora.features.engine_state.view.status import EngineStatus
from anaphora_nmt.types import EngineInfo
from anaphora_text.punctuation import SENTENCE_ENDS, WIDE_SENTENCE_ENDS

_SENTENCE_ENDS = tuple(SENTENCE_ENDS + WIDE_SENTENCE_ENDS)


class EngineState(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        worker = desk.worker
        self.status = EngineStatus()
        self.no_model_banner, self.languages_banner = banner(), banner()
        self.memory_banner = banner(
            self.tr(
                "This computer is out of memory, so drafting is paused until memory is "
                "available. Close other programs or documents. Your confirmed text is still saved."
            )
        )
        worker.loaded.connect(self._show_engine)
        worker.load_failed.connect(self._show_load_failure)
        worker.restoring.connect(self.status.show_restoring)
        worker.failed.connect(self.announced)
        worker.short_of_memory.connect(self.memory_banner.setVisible)
        desk.of(Drafting).service.progressed.connect(self.status.show_progress)
        desk.project.pair_changed.connect(self.open)
        desk.device.changed.connect(desk.models.reload)

    def entries(self) -> Iterable[MenuPart]:
        devices = {
            DeviceChoice.AUTO: self.tr("&Automatic"),
            DeviceChoice.CPU: self.tr("&CPU"),
            DeviceChoice.GPU: self.tr("&GPU (CUDA)"),
        }
        device, title = self.desk.device, self.tr("Compute d&evice")
        yield choice("translate:engine:20", title, devices, device.choice, device.choose)

    def shown(self) -> Iterable[Strip | StatusPart]:
        for rank, line in enumerate((self.no_model_banner, self.memory_banner, self.languages_banner)):
            yield Strip(line, rank, is_banner=True)
        for rank, part in enumerate((self.status.bar, self.status.progress)):
            yield StatusPart(part, rank)
        yield StatusPart(self.status.engine, 90)

    def open(self) -> None:
        if (project := self.desk.project.project) is not None:
            pair = project.pair
            self.languages_banner.setText(self._reason(pair))
            mismatches = pair.is_reversed, pair.has_foreign_sources, pair.has_foreign_targets
            self.languages_banner.setVisible(any(mismatches))
            self.status.show_pair(pair)

    def close(self) -> None:
        self.languages_banner.hide()
        self.status.show_pair(Pair())
        self.status.clear()

    def _show_engine(self, info: EngineInfo) -> None:
        self.no_model_banner.hide()
        self.status.show_engine(info)

    def _show_load_failure(self, reason: str) -> None:
        self.status.show_no_engine(reason)
        sentence = reason if reason.endswith(_SENTENCE_ENDS) else reason + "."
        text = self.tr("No translation model is available. {0} You can still edit and export.")
        self.no_model_banner.setText(text.format(sentence))
        self.no_model_banner.show()

    def _reason(self, pair: Pair) -> str:
        """The explanation why there are no drafts for a document whose languages differ from the model's."""
        if pair.has_foreign_sources:
            return self.tr(
                "This document contains no {0}, so there are no drafts. Choose a suitable model in "
                "Translate ▸ Models…, or set the languages in Translate ▸ Languages of the project…."
            ).format(language_name(pair.languages.source))
        if pair.has_foreign_targets:
            return self.tr(
                "The translations in this document are not in {0}, the model's target language, so "
                "drafting is paused. Set the target language in Translate ▸ Languages of the "
                "project…, or choose another model in Translate ▸ Models…."
            ).format(language_name(pair.languages.target))
        return self.tr(
            "This document is translated from {0} into {1}, but the project's model translates "
            "in the opposite direction, so there are no drafts. You can still edit, check and export. Choose "
            "another model in Translate ▸ Models…."
        ).format(language_name(pair.of_texts.source), language_name(pair.of_texts.target))
