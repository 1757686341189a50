"""How good a draft is expected to be."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.desk import Desk
from anaphora.editor.feature import Feature, Strip
from anaphora.features.quality.confidence import ConfidenceService
from anaphora.features.quality.view.unlike_banner import UnlikeBanner


class Quality(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.confidence = ConfidenceService(desk.worker)
        self.before_shown = (self.confidence,)
        self.banner = UnlikeBanner()
        self.confidence.unlike.connect(self.banner.show_unlike)

    def shown(self) -> Iterable[Strip]:
        yield Strip(self.banner, 3, is_banner=True)
