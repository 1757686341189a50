"""The app's own line icons: SVG files whose `currentColor` takes the theme's colour."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from anaphora.core.drafts import match_of
from anaphora.core.segment import SegmentState, Status
from anaphora.system.shipped import RESOURCES

STATUS_ICONS = {
    Status.NOT_STARTED: "status-not-started",
    Status.DRAFT: "status-draft",
    Status.EDITED: "status-edited",
    Status.CONFIRMED: "status-confirmed",
    Status.LOCKED: "status-locked",
}
_RATIO = 2
"""Device pixels per device-independent pixel."""


@lru_cache(maxsize=64)
def _source(name: str) -> str:
    return (RESOURCES / "icons" / f"{name}.svg").read_text("utf-8")


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int = 18) -> QPixmap:
    """An icon in one colour (#rrggbb), its size in device-independent pixels."""
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))
    image = QPixmap(size * _RATIO, size * _RATIO)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, size * _RATIO, size * _RATIO))
    painter.end()
    image.setDevicePixelRatio(_RATIO)
    return image


def icon(name: str, colour: str, disabled: str | None = None) -> QIcon:
    """An icon in the theme's text colour, paler when disabled."""
    result = QIcon()
    result.addPixmap(pixmap(name, colour), QIcon.Mode.Normal)
    if disabled is not None:
        result.addPixmap(pixmap(name, disabled), QIcon.Mode.Disabled)
    return result


def state_icon(state: SegmentState) -> str:
    """The icon of a segment's state; a text from the translation memory has its own."""
    if state.approved:
        return "status-approved"
    return "status-memory" if match_of(state) else STATUS_ICONS[state.status]
