"""Declares the confidence service, and the banner for documents that differ from the training texts."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.feature import Desk, Feature, Strip
from anaphora.editor.widgets.banner import link_banner
from anaphora.features.quality.confidence import ConfidenceService


class Quality(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.confidence = ConfidenceService(desk.worker)
        self.before_shown = (self.confidence,)
        self.banner = link_banner(
            self.tr(
                "This document differs from the model's training texts, so the drafts may be poor. "
                'Press Tab to use a tentative (grey) draft. <a href="#models">Get a better model</a>'
            )
        )
        self.confidence.unlike.connect(self.banner.setVisible)

    def shown(self) -> Iterable[Strip]:
        yield Strip(self.banner, 3, is_banner=True)
