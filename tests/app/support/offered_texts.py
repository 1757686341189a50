"""The texts of the suggestions for the current segment."""

from __future__ import annotations

from anaphora.features.drafting.view.suggester import Suggester


def texts_of(suggester: Suggester) -> tuple[str, ...]:
    return tuple(offer.text for offer in suggester.offers)
