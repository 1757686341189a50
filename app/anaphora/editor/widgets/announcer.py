"""A base for controllers that announce messages."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Announcer(QObject):
    """A controller whose short messages the window shows."""

    announced = Signal(str)
