"""Zip packages (docx, odt, epub…): bounded reading, and writing that keeps unchanged entries.

Entries are never unpacked to disk: a name is a key, not a path.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from urllib.parse import unquote

from anaphora.core.errors import Message
from anaphora.formats.base.format import FormatError

MAX_ENTRY = 128 * 2**20
"""Maximum number of unpacked bytes of one entry that is read."""
MAX_TOTAL = 1024 * 2**20
"""Maximum number of unpacked bytes of all entries together, including pictures."""
MAX_READ = 384 * 2**20
"""Maximum number of unpacked bytes that are read from a package; pictures are never read."""
_MAX_SAFE_SIZE = 16 * 2**20
"""Maximum number of unpacked bytes of an entry that is accepted at any compression ratio."""
_MAX_RATIO = 200
"""Maximum ratio of unpacked to packed bytes of an entry above `_MAX_SAFE_SIZE`."""
_UNREADABLE = (zipfile.BadZipFile, ValueError, NotImplementedError, OSError)
_DAMAGED = "The file may be damaged or incomplete. Get a new copy, or repair it in a word processor."


class Package:
    """A zip file in memory, and the names of its entries in order."""

    def __init__(self, data: bytes) -> None:
        """Raise FormatError if the file is damaged, encrypted, not a zip file or a possible zip bomb."""
        self._data = data
        self._unpacked = 0
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise FormatError(
                "The file is an old .doc, .xls or .ppt document, or is protected by a password.",
                "Open it in the program that made it and save it as .docx, .xlsx or .pptx without a "
                "password.",
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (*_UNREADABLE, struct.error) as error:
            raise FormatError("The file is not a complete ZIP archive.", _DAMAGED) from error
        self._entries = self._zip.infolist()
        self.names = tuple(entry.filename for entry in self._entries)
        self._known = frozenset(self.names)
        self._name_by_folded = {_folded(name): name for name in reversed(self.names)}
        self._check_sizes()

    def _check_sizes(self) -> None:
        total = sum(entry.file_size for entry in self._entries)
        has_bomb = any(_is_bomb(entry.file_size, entry.compress_size) for entry in self._entries)
        if total > MAX_TOTAL or has_bomb or len(self._entries) > 100_000:
            raise FormatError(
                "The ZIP archive would be too large when unpacked.",
                "It may be harmful. If you trust the sender, save it again in the program that made it.",
            )
        if any(entry.flag_bits & 0x1 for entry in self._entries):
            raise FormatError("The ZIP archive has a password.", "Save it without a password first.")

    def find(self, name: str) -> str:
        """The entry with a part's name, ignoring case as Office packages do; "" if it is missing.

        Backslashes, leading slashes and `%20`, which some programs write, are accepted.
        """
        if name in self._known:
            return name
        folded_name = _folded(name)
        return self._name_by_folded.get(folded_name) or self._name_by_folded.get(_folded(unquote(name)), "")

    def read(self, name: str) -> bytes:
        """One entry's content; FormatError if it is missing or damaged, or exceeds a limit."""
        content = self._content(name, MAX_ENTRY)
        self._unpacked += len(content)
        if len(content) > MAX_ENTRY or self._unpacked > MAX_READ:
            raise FormatError(
                Message("The part “{name}” of the ZIP archive is too large.", name=name),
                "Split the document into smaller ones.",
            )
        return content

    def _content(self, name: str, maximum: int) -> bytes:
        try:
            with self._zip.open(name) as file:
                return file.read(maximum + 1)
        except KeyError as error:
            missing = Message("The part “{name}” of the ZIP archive is missing.", name=name)
            raise FormatError(missing, _DAMAGED) from error
        except (*_UNREADABLE, zlib.error, EOFError, RuntimeError) as error:
            raise FormatError(
                Message("The part “{name}” of the ZIP archive is damaged.", name=name), _DAMAGED
            ) from error

    def rewrite(self, changes: Mapping[str, bytes]) -> bytes:
        """The package with new content for some entries, given by name; the order of entries stays.

        Content that `Package` would refuse as a zip bomb if it were compressed, such as a million equal rows,
        is stored uncompressed, so that the new file can be read again.
        """
        if not changes:
            return self._data
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as package:
            package.comment = self._zip.comment
            for entry in self._entries:
                content = changes.get(entry.filename)
                if content is None:
                    content = self._content(entry.filename, MAX_TOTAL)
                info = zipfile.ZipInfo(entry.filename, entry.date_time)
                # Programs expect the media type of a book or an OpenDocument file uncompressed.
                is_stored = entry.compress_type == 0 or entry.filename == "mimetype" or _becomes_bomb(content)
                info.compress_type = zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED
                info.create_system, info.external_attr = entry.create_system, entry.external_attr
                info.comment = entry.comment
                package.writestr(info, content)
        return out.getvalue()


def _folded(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _is_bomb(size: int, packed: int) -> bool:
    return size > _MAX_SAFE_SIZE and size > _MAX_RATIO * max(1, packed)


def _becomes_bomb(content: bytes) -> bool:
    return len(content) > _MAX_SAFE_SIZE and _is_bomb(len(content), len(zlib.compress(content)))
