"""Files of a model folder that somebody else made: regular files of bounded sizes, inside the folder."""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from anaphora_nmt.errors import ModelFileError
from anaphora_text.untrusted_json import read_json

_MEGABYTE = 1 << 20
MOST_WEIGHTS = 8192 * _MEGABYTE
"""NLLB's 1.3 billion parameters in float32 take 5,500 MB."""
MOST_TEXT = 64 * _MEGABYTE
"""Settings and vocabularies; NLLB's tokenizer.json, the largest known, takes 17 MB."""


class ModelFiles:
    """A folder's files, by name. `folder`: where they lie."""

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

    def path(self, name: str, most: int = MOST_WEIGHTS) -> Path:
        """Where a file of the folder itself lies, of `most` bytes at most; else ModelFileError.

        What a settings file calls by a longer path is no name.
        """
        path = self.folder / name
        if Path(name).name != name or not path.is_file():
            raise ModelFileError(
                "{file} is missing from the model in {folder}. Install the model again.",
                file=name,
                folder=self.folder,
            )
        size = path.stat().st_size
        if size > most:
            raise ModelFileError(
                "{file} is larger than such a file may be: {size} MB, and at most {most} MB are read.",
                file=path,
                size=size // _MEGABYTE,
                most=most // _MEGABYTE,
            )
        return path

    def start(self, name: str, size: int) -> bytes:
        path = self.path(name)
        try:
            with path.open("rb") as file:
                return file.read(size)
        except OSError as error:
            raise damaged(path, error.strerror) from error

    def read(self, name: str, most: int = MOST_TEXT) -> bytes:
        path = self.path(name, most)
        try:
            return path.read_bytes()
        except OSError as error:
            raise damaged(path, error.strerror) from error

    def read_text(self, name: str) -> str:
        try:
            return self.read(name).decode("utf-8")
        except UnicodeDecodeError as error:
            raise damaged(self.folder / name, error) from error

    def read_json(self, name: str) -> dict[str, Any]:
        try:
            values = read_json(self.read_text(name))
        except ValueError as error:
            raise damaged(self.folder / name, error) from error
        if not isinstance(values, dict):
            raise damaged(self.folder / name, "no object")
        return values


def damaged(file: Path, reason: object) -> ModelFileError:
    return ModelFileError(
        "{file} is damaged or cut off ({reason}). Install the model again or choose another one.",
        file=file,
        reason=reason,
    )


class MappedFile:
    """Little-endian values one after the other; ValueError where there are no more."""

    def __init__(self, path: Path) -> None:
        """Open it; OSError where that fails, ValueError where it is empty."""
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.at = 0

    def __enter__(self) -> MappedFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bytes.close()

    def take(self, size: int) -> bytes:
        if not 0 <= size <= len(self._bytes) - self.at:
            raise ValueError("it ends early")
        self.at += size
        return self._bytes[self.at - size : self.at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    @property
    def left(self) -> int:
        return len(self._bytes) - self.at
