"""Read untrusted model folders and archives safely: only regular files of limited size inside them."""

from __future__ import annotations

import mmap
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from anaphora_nmt.errors import AnaphoraNmtError, ModelFileError, is_shortage_of_memory
from anaphora_text.untrusted_json import read_json

_MEGABYTE = 1 << 20
MAX_WEIGHTS = 8192 * _MEGABYTE
"""Maximum size in bytes of a file of weights; NLLB with 1.3 billion parameters in float32 has 5,500 MB."""
MAX_TEXT = 64 * _MEGABYTE
"""Maximum size in bytes of any other file; the largest known one, NLLB's tokenizer.json, has 17 MB."""
MAX_PIECES = 1 << 20
_MAX_SENTENCEPIECES = 16 * _MEGABYTE
"""Maximum size in bytes of a sentencepiece model; NLLB's with 256,000 pieces has 5 MB."""


class ModelFiles:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __contains__(self, name: str) -> bool:
        return (self.folder / name).is_file()

    def names(self) -> list[str]:
        try:
            return sorted(path.name for path in self.folder.iterdir() if path.is_file())
        except OSError as error:
            raise ModelFileError(
                "{path} cannot be read ({reason}). Install the model again.",
                path=self.folder,
                reason=error.strerror,
            ) from error

    def first(self, names: Iterable[str]) -> str | None:
        return next((name for name in names if name in self), None)

    def path(self, name: str, max_size: int = MAX_WEIGHTS) -> Path:
        """The path of a file in the folder; ModelFileError if it is missing or has over `max_size` bytes.

        Names that lead out of the folder, which settings may contain, count as missing.
        """
        path = self.folder / name
        if Path(name).name != name or not path.is_file():
            raise ModelFileError(
                "{file} is missing from the model in {folder}. Install the model again.",
                file=name,
                folder=self.folder,
            )
        size = path.stat().st_size
        if size > max_size:
            raise ModelFileError(
                "{file} is too large: {size} MB (at most {most} MB).",
                file=path,
                size=size // _MEGABYTE,
                most=max_size // _MEGABYTE,
            )
        return path

    def first_bytes(self, name: str, size: int) -> bytes:
        path = self.path(name)
        with reading(path), path.open("rb") as file:
            return file.read(size)

    def read(self, name: str) -> bytes:
        path = self.path(name, _MAX_SENTENCEPIECES if name.endswith((".spm", ".model")) else MAX_TEXT)
        with reading(path):
            return path.read_bytes()

    def read_text(self, name: str) -> str:
        with reading(self.folder / name):
            return self.read(name).decode("utf-8")

    def read_json(self, name: str) -> dict[str, Any]:
        with reading(self.folder / name):
            values = read_json(self.read_text(name))
        if not isinstance(values, dict):
            raise damaged(self.folder / name, "no object")
        return values


def damaged(file: Path, reason: object) -> ModelFileError:
    return ModelFileError(
        "{file} is damaged or incomplete ({reason}). Install the model again or choose another one.",
        file=file,
        reason=reason,
    )


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """Convert errors while reading a file to ModelFileError, except a lack of memory or of a module."""
    try:
        yield
    except Exception as error:
        if isinstance(error, AnaphoraNmtError | ImportError) or is_shortage_of_memory(error):
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise damaged(file, reason.splitlines()[0]) from error


def lines_of(text: str) -> list[str]:
    if text.count("\n") > MAX_PIECES:
        raise ValueError("it has too many pieces")
    return text.split("\n")


class MappedFile:
    """Reads consecutive bytes and little-endian numbers; ValueError if the file ends early."""

    def __init__(self, path: Path) -> None:
        """Open a file; OSError if this fails, ValueError if the file is empty."""
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.position = 0

    def close(self) -> None:
        self._bytes.close()

    def take(self, size: int) -> bytes:
        if not 0 <= size <= len(self._bytes) - self.position:
            raise ValueError("it ends early")
        self.position += size
        return self._bytes[self.position - size : self.position]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    @property
    def remaining(self) -> int:
        return len(self._bytes) - self.position


_MAX_ENTRIES = 2000
_MAX_GROWTH = 50
"""Maximum factor by which unpacking may enlarge an archive: texts grow tenfold, a zip bomb much more."""
_SIZE_ALLOWANCE = 1 << 24
"""Number of bytes added to the limits for unpacking and for loading, because small files may grow more."""
_MAX_LOADED_GROWTH = 16
"""Maximum factor by which loading enlarges a file; 8-bit embeddings with three names grow 12 times."""
_CHUNK = 1 << 20


def is_archive(path: Path) -> bool:
    return path.is_file() and zipfile.is_zipfile(path)


Progress = Callable[[int], None]
"""Receives the number of bytes written since the last call; its exceptions stop the writing."""


def unpack(path: Path, folder: Path, progress: Progress = lambda size: None) -> None:
    """Unpack an archive; ModelFileError if it is damaged or unsafe, or if its files cannot be written."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check_entries(path, entries)
            for entry in entries:
                _write(archive, entry, folder / PurePosixPath(entry.filename), progress)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise damaged(path, error) from error  # an encrypted archive raises RuntimeError
    except OSError as error:
        raise ModelFileError(
            "{path} cannot be unpacked ({reason}).", path=path, reason=error.strerror or error
        ) from error


def copy(path: Path, target: Path, progress: Progress = lambda size: None) -> None:
    with path.open("rb") as source, target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            file.write(chunk)
            progress(len(chunk))


def check_size(path: Path, entries: list[zipfile.ZipInfo], growth: int = _MAX_GROWTH) -> None:
    """ModelFileError if an archive has too many entries, or if its unpacked size is too large."""
    total = sum(entry.file_size for entry in entries)
    limit = min(MAX_WEIGHTS, _SIZE_ALLOWANCE + growth * path.stat().st_size)
    if total > limit or len(entries) > _MAX_ENTRIES:
        raise ModelFileError("{path} is too large for a model archive and was not unpacked.", path=path)


def check_values(path: Path, count: int) -> None:
    if 4 * count > _SIZE_ALLOWANCE + _MAX_LOADED_GROWTH * path.stat().st_size:
        raise damaged(path, f"it claims {count} values")


def _check_entries(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    check_size(path, entries)
    seen = set()
    for entry in entries:
        target = PurePosixPath(entry.filename)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        is_unsafe = (
            not target.parts
            or target.is_absolute()
            or ".." in target.parts
            or "\\" in entry.filename
            or ":" in target.parts[0]
        )
        if is_unsafe or kind not in (0, stat.S_IFREG) or target in seen:
            raise ModelFileError(
                "{path} contains an unexpected entry ({name}) and was not unpacked.",
                path=path,
                name=entry.filename,
            )
        seen.add(target)


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, progress: Progress) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    remaining = entry.file_size
    with archive.open(entry) as packed, target.open("xb") as file:
        while remaining and (chunk := packed.read(min(remaining, _CHUNK))):
            file.write(chunk)
            remaining -= len(chunk)
            progress(len(chunk))
    if remaining:
        raise EOFError(f"{entry.filename} ends early")
