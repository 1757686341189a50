"""How good a draft is expected to be."""

from __future__ import annotations

from anaphora.editor.desk import Desk
from anaphora.editor.feature import Feature
from anaphora.features.quality.confidence import ConfidenceService


class Quality(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.confidence = ConfidenceService(desk.worker)
        self.before_shown = (self.confidence,)
