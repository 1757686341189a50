"""Small real disks for tests that fill or stop them (needs the right to mount)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def mount(*arguments: str) -> bool:
    """True if mounting succeeded."""
    try:
        return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """A disk in memory of this size ("600k"); the test is skipped if it cannot be mounted."""
    place.mkdir()
    if os.name != "posix" or not mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)):
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)


def fill(disk: Path) -> Path:
    """Use up all free space."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return ballast


class HangingDisk:
    """A disk whose writes can be blocked, as on a share whose server does not answer.

    Attributes:
        place: the mount point.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self._hangs = False

    def hang(self) -> None:
        """Block all writes."""
        subprocess.run(["fsfreeze", "--freeze", str(self.place)], check=True)
        self._hangs = True

    def release(self) -> None:
        """Let the blocked writes continue."""
        if self._hangs:
            self._hangs = False
            subprocess.run(["fsfreeze", "--unfreeze", str(self.place)], check=True)


@contextmanager
def hanging_disk(place: Path) -> Iterator[HangingDisk]:
    """A small real disk that can hang; the test is skipped if it cannot be mounted."""
    if any(shutil.which(each) is None for each in ("fsfreeze", "mkfs.ext4")):
        pytest.skip("fsfreeze or mkfs.ext4 is missing")
    image = place.with_suffix(".img")
    with image.open("wb") as file:
        file.truncate(16 * 2**20)
    subprocess.run(["mkfs.ext4", "-q", str(image)], check=True)
    place.mkdir()
    if not mount("-o", "loop", str(image), str(place)):
        pytest.skip("a disk cannot be mounted here")
    disk = HangingDisk(place)
    try:
        yield disk
    finally:
        disk.release()
        subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)
