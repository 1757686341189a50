"""Texts for sizes and steps of downloads."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedModel
from anaphora.features.downloads.download import Stage, Step

translate = QCoreApplication.translate


def megabytes(size: int) -> str:
    number = QLocale().toString(max(round(size / 1_000_000), 1))
    return translate("GetModels", "{0} MB").format(number)


def getting_text(offer: OfferedModel) -> str:
    """The source, size (if known) and licence of a download."""
    source = mozilla.host_of(offer), mozilla.LICENCE
    if not offer.size:
        return translate("GetModels", "from {0}, licence {1}").format(*source)
    return translate("GetModels", "{0} from {1}, licence {2}").format(megabytes(offer.size), *source)


def step_text(step: Step) -> str:
    if step.stage is Stage.ASKING:
        return translate("GetModels", "Connecting…")
    if step.stage is Stage.INSTALLING:
        return translate("GetModels", "Testing the model…")
    return translate("GetModels", "{0} of {1}").format(megabytes(step.done), megabytes(step.total))
