"""What is in a folder that all translations are to be written into."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path

from anaphora.command_line.batch.ledger import Ledger


class Content(Enum):
    """NOTHING: it is new or empty. EARLIER_RUN: one that may go on. OTHER: nothing may be written there."""

    NOTHING = auto()
    EARLIER_RUN = auto()
    OTHER = auto()


def content_of(folder: Path) -> Content:
    """Look into a folder, which may take long on a network."""
    try:
        if not folder.is_dir():
            return Content.OTHER if folder.exists() else Content.NOTHING
        if Ledger(folder, "").exists:
            return Content.EARLIER_RUN
        return Content.OTHER if any(folder.iterdir()) else Content.NOTHING
    except (OSError, ValueError):  # nobody may look into it, or it is no path
        return Content.OTHER
