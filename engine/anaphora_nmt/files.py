"""Atomic writing of files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a temporary file beside `path`, sync it, and rename it. Missing folders are created."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    sync(part)
    part.replace(path)


def sync(path: Path) -> None:
    """Flush a file to the disk, so that a power cut after a rename cannot leave an empty file."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def write_json(path: Path, values: Any, indent: int = 1) -> None:
    write_atomically(path, json.dumps(values, ensure_ascii=False, indent=indent) + "\n")
