"""The base class of controllers that announce messages."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Announcer(QObject):
    """A controller whose short messages (`announced`) the window shows."""

    announced = Signal(str)
