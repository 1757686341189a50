"""Archives of models: zip files, Argos packages (`.argosmodel`) among them, unpacked with bounds."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.files import MOST_WEIGHTS, damaged

_MOST_ENTRIES = 2000
_MOST_GROWTH = 50
"""Weights hardly shrink when packed, and text to a tenth; what grows more was made to fill a disk."""
_SMALL = 1 << 24
_CHUNK = 1 << 20


def is_archive(path: Path) -> bool:
    return path.is_file() and zipfile.is_zipfile(path)


Progress = Callable[[int], None]
"""Is told of so many bytes more; what it raises ends the work."""


def unpack(path: Path, folder: Path, progress: Progress = lambda size: None) -> None:
    """Unpack an archive into a folder: not more than it says, and nothing outside; else ModelFileError."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check(path, entries)
            for entry in entries:
                _write(archive, entry, folder / PurePosixPath(entry.filename), progress)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise damaged(path, error) from error  # RuntimeError: it is encrypted
    except OSError as error:
        raise ModelFileError(
            "{path} cannot be unpacked ({reason}).", path=path, reason=error.strerror or error
        ) from error


def copy(path: Path, target: Path, progress: Progress = lambda size: None) -> None:
    with path.open("rb") as given, target.open("xb") as file:
        while chunk := given.read(_CHUNK):
            file.write(chunk)
            progress(len(chunk))


def check_size(path: Path, entries: list[zipfile.ZipInfo], growth: int = _MOST_GROWTH) -> None:
    """ModelFileError where entries are more, or grow more (`growth` times), than those of models do."""
    total = sum(entry.file_size for entry in entries)
    most = min(MOST_WEIGHTS, _SMALL + growth * path.stat().st_size)
    if total > most or len(entries) > _MOST_ENTRIES:
        raise ModelFileError("{path} holds more than a model's archive does; it is not unpacked.", path=path)


def _check(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    check_size(path, entries)
    seen = set()
    for entry in entries:
        place = PurePosixPath(entry.filename)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        strange = (
            not place.parts
            or place.is_absolute()
            or ".." in place.parts
            or "\\" in entry.filename
            or ":" in place.parts[0]
        )
        if strange or kind not in (0, stat.S_IFREG) or place in seen:
            raise ModelFileError(
                "{path} has an entry that no model's archive has ({name}); it is not unpacked.",
                path=path,
                name=entry.filename,
            )
        seen.add(place)


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, progress: Progress) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    left = entry.file_size
    with archive.open(entry) as packed, target.open("xb") as file:
        while left and (chunk := packed.read(min(left, _CHUNK))):
            file.write(chunk)
            left -= len(chunk)
            progress(len(chunk))
    if left:
        raise EOFError(f"{entry.filename} ends early")
