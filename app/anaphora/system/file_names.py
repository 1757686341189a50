"""File names that are valid on every system, from untrusted names."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path, PurePosixPath

MOST_BYTES = 240
"""Longest name. Systems allow 255 bytes, but related files (a log, an unfinished copy) have longer names."""
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*/\\]')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?: *\.|\Z)", re.IGNORECASE)
"""Names of devices in Windows, with any suffix."""


def safe_name(name: str, default: str = "document") -> str:
    """A name without folders that is not a device's and not too long on any system."""
    text = _UNSAFE.sub("_", name.encode("utf-8", "replace").decode()).rstrip(" .")
    if not text.strip("_ ."):
        return default
    if _DEVICES.match(text):
        text = f"_{text}"
    return _cut(text)


def safe_path(name: str) -> Path:
    """A relative path inside the folder: empty parts are omitted.

    Args:
        name: with "/" between folders on every system. A backslash is part of a name, as on Linux.
    """
    parts = [part for part in PurePosixPath(name).parts if part.strip("/ .")]
    return Path(*(safe_name(part, "document") for part in parts)) if parts else Path("document")


def with_home(path: Path) -> Path:
    """A path with the first part "~" replaced by the home folder.

    `Path.expanduser` also replaces other names that begin with "~", and fails for Word's "~$letter.docx".
    """
    return Path.home().joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else path


def with_ending(stem: str, ending: str) -> str:
    """A name with an ending; a stem that is too long is cut and gets a key."""
    whole, room = os.fsencode(stem), MOST_BYTES - len(os.fsencode(ending))
    if len(whole) <= room:
        return stem + ending
    key = f"-{hashlib.sha256(whole).hexdigest()[:8]}"
    return whole[: room - len(key)].decode("utf-8", "ignore") + key + ending


def _cut(name: str) -> str:
    if len(os.fsencode(name)) <= MOST_BYTES:
        return name
    suffix = Path(name).suffix
    if len(suffix.encode()) > 20:
        suffix = ""
    stem = name.encode()[: MOST_BYTES - len(suffix.encode())]
    return stem.decode("utf-8", "ignore").rstrip(" .") + suffix
