"""Draw the program's icon in the sizes and file formats of each system."""

from __future__ import annotations

import struct
import subprocess
import tempfile
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer

from installers.paths import SVG

SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
"""Sizes in pixels for Linux desktops."""
_ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
_ICNS_SIZES = (16, 32, 128, 256, 512)


def draw(pixels: int, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(_png(pixels))


def draw_icon_file(target: Path) -> Path:
    """Write the icon as .ico or .icns, according to the suffix (.icns only on macOS); returns `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".ico":
        target.write_bytes(_ico())
    else:
        _make_icns(target)
    return target


def _png(pixels: int) -> bytes:
    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SVG)).render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(content.data())


def _ico() -> bytes:
    pictures = [_png(pixels) for pixels in _ICO_SIZES]
    header, offset = struct.pack("<HHH", 0, 1, len(pictures)), 6 + 16 * len(pictures)
    for pixels, picture in zip(_ICO_SIZES, pictures, strict=True):
        # Width and height (0 means 256), palette colours, reserved, planes, bits per pixel, size, offset
        header += struct.pack("<BBBBHHII", pixels % 256, pixels % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return header + b"".join(pictures)


def _make_icns(target: Path) -> None:
    with tempfile.TemporaryDirectory(suffix=".iconset") as folder:
        for points in _ICNS_SIZES:
            draw(points, Path(folder) / f"icon_{points}x{points}.png")
            draw(2 * points, Path(folder) / f"icon_{points}x{points}@2x.png")
        subprocess.run(["iconutil", "-c", "icns", "-o", str(target), folder], check=True)
