"""Sizes and times in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from anaphora.model_downloads.catalogue import Offer
from anaphora.model_downloads.download import Stage, Step
from anaphora.model_downloads.licences import licence_of

translate = QCoreApplication.translate


def megabytes(size: int) -> str:
    number = QLocale().toString(max(round(size / 1_000_000), 1))
    return translate("GetModels", "{0} MB").format(number)


def getting_text(offer: Offer) -> str:
    """What a click gets: from where, how much, under which licence."""
    text = translate("GetModels", "{0} from {1}, licence {2}")
    return text.format(megabytes(offer.size), offer.host, licence_of(offer.licence).title)


def step_text(step: Step) -> str:
    if step.stage is Stage.ASKING:
        return translate("GetModels", "Connecting…")
    if step.stage is Stage.UNPACKING:
        return translate("GetModels", "Checking and unpacking…")
    if step.stage is Stage.INSTALLING:
        return translate("GetModels", "Trying the model out…")
    sizes, left = (megabytes(step.done), megabytes(step.total)), step.seconds_left
    if left is None:
        return translate("GetModels", "{0} of {1}").format(*sizes)
    time = translate("GetModels", "{0} min left").format(round(left / 60))
    if left < 90:
        time = translate("GetModels", "{0} s left").format(max(round(left), 1))
    return translate("GetModels", "{0} of {1}, {2}").format(*sizes, time)
