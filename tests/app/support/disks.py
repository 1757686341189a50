"""Small real disks for tests that fill them, or make them read-only (needs the right to mount)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def mount(*arguments: str) -> bool:
    """Whether mounting went well."""
    try:
        return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """A disk in memory of this size ("600k"); the test is skipped where none can be mounted."""
    place.mkdir()
    if os.name != "posix" or not mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)):
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)


def fill(disk: Path) -> Path:
    """Use up all that is left."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return ballast
