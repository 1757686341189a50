"""Safe reading of untrusted model folders and archives: only their own regular files of limited size."""

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
"""Maximum size of a file of weights: NLLB's 1.3 billion parameters in float32 take 5,500 MB."""
MAX_TEXT = 64 * _MEGABYTE
"""Maximum size of settings and vocabularies: NLLB's tokenizer.json, the largest known, takes 17 MB."""
MAX_PIECES = 1 << 20
"""Maximum number of pieces of a vocabulary."""
_MAX_SENTENCEPIECES = 16 * _MEGABYTE
"""Maximum size of a sentencepiece model: NLLB's 256,000 pieces take 5 MB."""


class ModelFiles:
    """The files of a folder, by name."""

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
        """The path of a file directly in the folder, with at most `max_size` bytes; otherwise ModelFileError.

        Settings files may name files elsewhere, which are not accepted.
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

    def start(self, name: str, size: int) -> bytes:
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
    """Turn errors in an untrusted file into ModelFileError, except a lack of memory or of a module."""
    try:
        yield
    except Exception as error:
        if isinstance(error, AnaphoraNmtError | ImportError) or is_shortage_of_memory(error):
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise damaged(file, reason.splitlines()[0]) from error


def lines_of(text: str) -> list[str]:
    """A vocabulary's lines; ValueError if it has more than `MAX_PIECES` line breaks."""
    if text.count("\n") > MAX_PIECES:
        raise ValueError("it has too many pieces")
    return text.split("\n")


class MappedFile:
    """Reads consecutive little-endian values; ValueError if the file ends early."""

    def __init__(self, path: Path) -> None:
        """Open a file; OSError if that fails, ValueError if it is empty."""
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
"""Maximum growth of unpacked files. Weights hardly grow and texts grow tenfold; a zip bomb grows more."""
_SIZE_ALLOWANCE = 1 << 24
"""Number of bytes that are allowed in addition to the maximum growth, for small files."""
_MAX_LOADED_GROWTH = 16
"""Maximum growth of loaded files. 8-bit weights grow fourfold, and embeddings may have three names."""
_CHUNK = 1 << 20


def is_archive(path: Path) -> bool:
    return path.is_file() and zipfile.is_zipfile(path)


Progress = Callable[[int], None]
"""Receives the number of bytes written since the last call; an exception stops the work."""


def unpack(path: Path, folder: Path, progress: Progress = lambda size: None) -> None:
    """Unpack an archive; ModelFileError if it is damaged, too large, or contains unexpected entries."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check_entries(path, entries)
            for entry in entries:
                _write(archive, entry, folder / PurePosixPath(entry.filename), progress)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise damaged(path, error) from error  # RuntimeError: it is encrypted
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
    """ModelFileError if an archive has too many entries, or if its unpacked size is too large.

    The limit is `growth` times the archive's size plus `_SIZE_ALLOWANCE`, but at most `MAX_WEIGHTS`.
    """
    total = sum(entry.file_size for entry in entries)
    limit = min(MAX_WEIGHTS, _SIZE_ALLOWANCE + growth * path.stat().st_size)
    if total > limit or len(entries) > _MAX_ENTRIES:
        raise ModelFileError("{path} is too large for a model archive and was not unpacked.", path=path)


def check_values(path: Path, count: int) -> None:
    """ModelFileError if a file claims more values than its size explains."""
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
