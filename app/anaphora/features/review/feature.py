"""Review files: what others say of a translation, and take back."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.actions.entries import Action
from anaphora.editor.desk import Desk
from anaphora.editor.feature import Feature
from anaphora.features.review.service import ReviewService
from anaphora.features.review.view.exchange import ReviewController


class Review(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.service = ReviewService(desk.project)
        self.controller = ReviewController(desk, self.service)

    def entries(self) -> Iterable[Action]:
        of = self.controller
        yield Action("review_out", self.tr("Export for re&view…"), of.give_out, "document:review:10")
        yield Action("review_in", self.tr("Take &in a review…"), of.take_in, "document:review:20")
