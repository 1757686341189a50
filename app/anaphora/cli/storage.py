"""Documents in storage that fsspec supports, such as S3 or HDFS."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anaphora.core.errors import AnaphoraError, Message

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_VERSION_FIELDS = ("etag", "md5hash", "sha256", "lastmodified", "mtime", "modified", "updated", "created")
"""Names of attributes that identify a file's version, in lower case without underscores; checksums first."""
_PASSWORD = re.compile(r"(://[^/:@]*):(?!\d+/)\S*@")
"""A password in an address: the text between the user name and the last "@". It may contain slashes."""
_SIGNATURE = re.compile(r"(https?://(?:[^\s?:]|:(?!//))*\?)[^\s”\"']+")
"""The query of a web address. It may contain a signature, which gives everyone access to the storage."""
_BUCKETS = ("s3://", "s3a://")
"""Protocols of storage in which a file appears only when it is complete, so no temporary name is needed. The
only real folders in such storage are buckets. Buckets are never created: the name may be misspelt."""

_INSTALL_ADVICE = (
    "If you run Anaphora from its source code, install anaphora[s3] for S3; for other addresses, install "
    "anaphora[cluster] and the package named in the message. You cannot add packages to the installed "
    "program."
)


class StorageError(AnaphoraError):
    """A storage cannot be reached, read or written."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file or folder at an address such as "s3://bucket/folder"; the login is in the environment."""

    address: str

    def __str__(self) -> str:
        return _without_secrets(self.address)

    def __truediv__(self, name: str) -> Stored:
        separator = "" if self.address.endswith("/") else "/"
        return Stored(f"{self.address}{separator}{name}")

    @property
    def name(self) -> str:
        return self.address.rstrip("/").rpartition("/")[2]

    def with_name(self, name: str) -> Stored:
        return Stored(f"{self.address.rstrip('/').rpartition('/')[0]}/{name}")

    def exists(self) -> bool:
        with self._file_system() as (system, path):
            return bool(system.exists(path))

    def is_dir(self) -> bool:
        with self._file_system() as (system, path):
            return bool(system.isdir(path))

    def files(self) -> dict[str, tuple[int, str]]:
        """Size in bytes and version mark of each file in a folder and its subfolders, by relative path.

        A version mark changes with the file. A checksum of the content would take too long.
        """
        with self._file_system() as (system, path):
            system.invalidate_cache()
            details: dict[str, dict[str, Any]] = system.find(path, detail=True)
            base = path.rstrip("/") + "/"
            return {
                name.removeprefix(base): (int(attributes.get("size") or 0), _mark_of(attributes))
                for name, attributes in details.items()
                if not name.endswith("/")  # S3 stores a folder as an empty file
            }

    def version(self) -> tuple[int, str]:
        """Size in bytes and version mark of a file."""
        with self._file_system() as (system, path):
            attributes = system.info(path)
            return int(attributes.get("size") or 0), _mark_of(attributes)

    def fetch(self, local_path: Path) -> None:
        with self._file_system() as (system, path):
            system.get_file(path, str(local_path))

    def put(self, local_path: Path) -> None:
        """Copy a local file to the storage, completely or not at all."""
        unfinished = self.with_name(f".{self.name[:40]}.{secrets.token_hex(6)}.part")
        with self._file_system() as (system, path):
            if self.address.startswith(_BUCKETS):
                system.put_file(str(local_path), path)
                return
            temporary = str(system._strip_protocol(unfinished.address))
            system.makedirs(system._parent(path), exist_ok=True)
            try:
                system.put_file(str(local_path), temporary)
                system.mv(temporary, path)
            except BaseException:
                with suppress(Exception):  # only the first error is reported
                    system.rm_file(temporary)
                raise

    def write(self, text: str) -> None:
        with self._file_system() as (system, path):
            if not self.address.startswith(_BUCKETS):
                system.makedirs(system._parent(path), exist_ok=True)
            system.pipe_file(path, text.encode())

    def texts(self) -> list[str]:
        with self._file_system() as (system, path):
            system.invalidate_cache()
            names = system.find(path) if system.isdir(path) else []
            return [data.decode("utf-8", "replace") for data in system.cat(names).values()] if names else []

    @contextmanager
    def _file_system(self) -> Iterator[tuple[AbstractFileSystem, str]]:
        """The file system and the path in it; every error becomes a StorageError."""
        try:
            from fsspec.core import url_to_fs

            yield url_to_fs(self.address)
        except Exception as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            reason = _without_secrets(reason).rstrip(".")
            if isinstance(error, ImportError):
                raise StorageError(
                    Message(
                        "“{address}” requires a package that is not installed: {reason}.",
                        address=self,
                        reason=reason,
                    ),
                    _INSTALL_ADVICE,
                ) from error
            raise StorageError(
                Message("“{address}” could not be reached: {reason}.", address=self, reason=reason),
                "Check the address and your login details.",
            ) from error


Place = Path | Stored


def place_of(text: str) -> Place:
    """Parse a path or an address of a storage. An address has "://" after at least two letters."""
    protocol, mark, path = text.partition("://")
    if not mark or len(protocol) == 1:
        return Path(text)
    return Path(path) if protocol in ("file", "local") else Stored(f"{protocol}://{path.rstrip('/')}")


@contextmanager
def local_files(source: Place, destination: Place) -> Iterator[tuple[Path, Path]]:
    """Yield local paths for the source and the destination. An existing stored source is downloaded
    first. A stored destination is uploaded at the end, unless an error is raised."""
    with tempfile.TemporaryDirectory() as folder:
        local: dict[Place, Path] = {}
        for number, place in enumerate((source, destination)):
            subfolder = Path(folder) / str(number)
            subfolder.mkdir()
            local.setdefault(place, place if isinstance(place, Path) else subfolder / place.name)
        if isinstance(source, Stored) and source.exists():
            source.fetch(local[source])
        yield local[source], local[destination]
        if isinstance(destination, Stored):
            destination.put(local[destination])


def _without_secrets(text: str) -> str:
    return _SIGNATURE.sub(r"\1***", _PASSWORD.sub(r"\1:***@", text))


def _mark_of(attributes: dict[str, Any]) -> str:
    """The version mark of a file; a new mark if the storage has none, so that the file counts as changed."""
    values = {name.lower().replace("_", ""): value for name, value in attributes.items() if value is not None}
    mark = next((str(values[name]) for name in _VERSION_FIELDS if name in values), secrets.token_hex())
    return hashlib.sha256(json.dumps([attributes.get("size"), mark]).encode()).hexdigest()
