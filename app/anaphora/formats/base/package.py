"""Zip packages (docx, odt, epub…): bounded reading, and rewriting that copies untouched entries bit for bit.

Nothing is ever unpacked to a disk: an entry's name is a key and no path, whatever it says.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from itertools import pairwise
from urllib.parse import unquote

from anaphora.core.errors import Message
from anaphora.formats.base.format import FormatError

MAX_ENTRY = 128 * 2**20
MAX_TOTAL = 1024 * 2**20
MAX_READ = 384 * 2**20
"""What all entries that are read from one package may unpack to: text, pictures are never read."""
_RATIO_FROM = 16 * 2**20
_MAX_RATIO = 200
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END = struct.Struct("<4s4H2LH")
_V2 = 20
"""The version of zip that stored and deflated entries need."""
_DAMAGED = "It is probably damaged or cut off: get a fresh copy, or let a word processor repair it."


class _UnusualLayoutError(Exception):
    """The package's entries cannot be copied as they lie."""


class Package:
    """A zip file in memory.

    Attributes:
        names: its entries, in order.
    """

    def __init__(self, data: bytes) -> None:
        """Open a package.

        Raises:
            FormatError: no zip file, damaged, protected by a password, or unreasonably large inside.
        """
        self._data = data
        self._unpacked = 0
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise FormatError(
                "The file is an old .doc, .xls or .ppt document, or is protected by a password.",
                "Open it in its own program and save it as .docx, .xlsx or .pptx without a password.",
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, struct.error, NotImplementedError, OSError) as error:
            raise FormatError("The file is not a complete package.", _DAMAGED) from error
        self._entries = self._zip.infolist()
        self.names = tuple(entry.filename for entry in self._entries)
        self._known = frozenset(self.names)
        self._folded = {_folded(name): name for name in reversed(self.names)}
        self._check_sizes()

    def _check_sizes(self) -> None:
        total = sum(entry.file_size for entry in self._entries)
        bomb = any(_is_bomb(entry.file_size, entry.compress_size) for entry in self._entries)
        if total > MAX_TOTAL or bomb or len(self._entries) > 100_000:
            raise FormatError(
                "The package would unpack to an unreasonable size.",
                "It may have been made to do harm: open it only if you trust its sender, and save it again.",
            )
        if any(entry.flag_bits & 0x1 for entry in self._entries):
            raise FormatError("The package is protected by a password.", "Save it without a password first.")

    def find(self, name: str) -> str:
        """The entry that a part's name means where case does not count, as in Office packages; "" for none.

        Some programs write backslashes, a slash in front, or `%20` for a blank.
        """
        if name in self._known:
            return name
        wanted = _folded(name)
        return self._folded.get(wanted) or self._folded.get(_folded(unquote(name)), "")

    def read(self, name: str) -> bytes:
        """One entry's content.

        Raises:
            FormatError: there is none of this name, or it is damaged or too large.
        """
        try:
            with self._zip.open(name) as file:
                content = file.read(MAX_ENTRY + 1)
        except KeyError as error:
            raise FormatError(Message("The package lacks its part “{name}”.", name=name), _DAMAGED) from error
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            RuntimeError,
            ValueError,
        ) as error:
            raise FormatError(
                Message("The package's part “{name}” is damaged.", name=name), _DAMAGED
            ) from error
        self._unpacked += len(content)
        if len(content) > MAX_ENTRY or self._unpacked > MAX_READ:
            raise FormatError(
                Message("The package's part “{name}” is too large.", name=name),
                "Split the document into smaller ones.",
            )
        return content

    def rewrite(self, changes: Mapping[str, bytes]) -> bytes:
        """The package with some entries replaced; the others' bytes, headers included, are copied."""
        if not changes:
            return self._data
        try:
            return self._spliced(changes, self._central_records(self._zip.start_dir))
        except _UnusualLayoutError:
            return self._repacked(changes)

    def _spliced(self, changes: Mapping[str, bytes], records: list[tuple[tuple[int, ...], bytes]]) -> bytes:
        central_start = self._zip.start_dir
        starts = sorted({record[16] for record, _ in records} | {central_start})
        following = dict(pairwise(starts))
        out = bytearray(self._data[: starts[0]])
        directory = bytearray()
        for entry, (record, tail) in zip(self._entries, records, strict=True):
            offset = len(out)
            if entry.filename in changes:
                local, fields = _new_entry(entry, record, tail, changes[entry.filename])
                out += local
            else:
                out += self._data[record[16] : following[record[16]]]
                fields = list(record)
            fields[16] = offset
            directory += _CENTRAL.pack(*fields) + tail
        end = _END.pack(
            b"PK\x05\x06", 0, 0, len(records), len(records), len(directory), len(out), len(self._zip.comment)
        )
        return bytes(out + directory + end + self._zip.comment)

    def _repacked(self, changes: Mapping[str, bytes]) -> bytes:
        """The package written anew, entry by entry: its layout (64-bit, data in front) cannot be spliced."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as package:
            for entry in self._entries:
                content = changes[entry.filename] if entry.filename in changes else self.read(entry.filename)
                fresh = zipfile.ZipInfo(entry.filename, entry.date_time)
                is_stored = entry.compress_type == 0 or _is_plain(entry) or _becomes_bomb(content)
                fresh.compress_type = zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED
                fresh.external_attr, fresh.comment = entry.external_attr, entry.comment
                package.writestr(fresh, content)
            package.comment = self._zip.comment
        return out.getvalue()

    def _central_records(self, position: int) -> list[tuple[tuple[int, ...], bytes]]:
        """The central directory: each record's fields, and its name, extra field and comment.

        Raises:
            _UnusualLayoutError: the 64-bit layout, something in front of the package, or an entry that
                is said to lie behind the directory.
        """
        records = []
        for entry in self._entries:
            fields = _CENTRAL.unpack_from(self._data, position)
            unusual = fields[16] != entry.header_offset or 0xFFFFFFFF in (fields[8], fields[9])
            if unusual or fields[16] >= self._zip.start_dir:
                raise _UnusualLayoutError
            length = fields[10] + fields[11] + fields[12]
            start = position + _CENTRAL.size
            records.append((fields, self._data[start : start + length]))
            position = start + length
        return records


def _folded(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _is_bomb(size: int, packed: int) -> bool:
    """Whether so many bytes in so few are more than a document has."""
    return size > _RATIO_FROM and size > _MAX_RATIO * max(1, packed)


def _is_plain(entry: zipfile.ZipInfo) -> bool:
    """Whether it is the media type of a book or an OpenDocument file, which programs read unpacked."""
    return entry.filename == "mimetype"


def _becomes_bomb(content: bytes) -> bool:
    """Whether content would be taken for a bomb once deflated; only what is large is deflated to see."""
    return len(content) > _RATIO_FROM and _is_bomb(len(content), len(_deflated(content)))


def _deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


def _new_entry(
    entry: zipfile.ZipInfo, record: tuple[int, ...], tail: bytes, content: bytes
) -> tuple[bytes, list[int]]:
    """A local header with deflated content, and the fields of its central record.

    Content that would be taken for a bomb, such as a million equal rows, is stored as it is: what was read
    from one file must be readable from the next.
    """
    packed, method = _deflated(content), 8
    if _is_plain(entry) or _is_bomb(len(content), len(packed)):
        packed, method = content, 0
    name = tail[: record[10]]
    flags, needed = entry.flag_bits & ~0x8, record[2]  # sizes stand in the header, not behind the data
    crc = zlib.crc32(content)
    header = _LOCAL.pack(
        b"PK\x03\x04", _V2, flags, method, record[5], record[6], crc, len(packed), len(content), len(name), 0
    )
    fields = list(record)
    fields[2:5] = [needed, flags, method]
    fields[7:10] = [crc, len(packed), len(content)]
    return header + name + packed, fields
