"""Arrays in `.npz` files that are larger than memory: written in parts, and mapped where they are read."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np
from numpy.lib import format as npy

from anaphora_nmt.errors import CorpusError

Parts = tuple[np.dtype, tuple[int, ...], Iterable[np.ndarray]]
"""What an array is made of: its type, its shape, and its parts in order."""
_ALIGNED = 64
_LOCAL_HEADER = 30


def write_arrays(path: Path, arrays: Mapping[str, Parts]) -> None:
    """Write arrays part by part, as `numpy.savez` would, but so that they can be mapped.

    The file gets its name when it is whole: whoever has mapped one of that name goes on reading the old one.
    """
    whole = path.with_name(path.name + ".part")
    with ZipFile(whole, "w") as archive:
        for name, (dtype, shape, parts) in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                stream.write(_header(dtype, shape, archive.fp.tell()))  # type: ignore[union-attr]
                for part in parts:
                    stream.write(np.ascontiguousarray(part, dtype).tobytes())
    whole.replace(path)


def _header(dtype: np.dtype, shape: tuple[int, ...], start: int) -> bytes:
    """What stands before an array that follows at a multiple of 64 bytes, where the header is at `start`."""
    about = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    text = repr(about).encode("ascii")
    size = len(npy.MAGIC_PREFIX) + 4 + len(text) + 1
    text += b" " * (-(start + size) % _ALIGNED) + b"\n"
    return npy.MAGIC_PREFIX + b"\x01\x00" + struct.pack("<H", len(text)) + text


def read_arrays(path: Path, names: Sequence[str]) -> list[np.ndarray]:
    """The arrays of these names in an `.npz` file; mapped, not read, where they lie so that they can be.

    Raises:
        CorpusError: it is missing, damaged, or has not all of them.
    """
    try:
        with ZipFile(path) as archive:
            return [_array(archive, path, f"{name}.npy") for name in names]
    except (OSError, EOFError, BadZipFile, zlib.error, KeyError, TypeError, ValueError) as error:
        raise CorpusError(f"{path} is not a prepared corpus ({error}); run `anaphora-nmt prepare`") from error


def _array(archive: ZipFile, path: Path, name: str) -> np.ndarray:
    entry = archive.getinfo(name)
    if entry.compress_type == ZIP_STORED:
        with archive.open(entry) as stream:
            if npy.read_magic(stream) == (1, 0):
                shape, is_fortran, dtype = npy.read_array_header_1_0(stream)
                start = _start(path, entry.header_offset) + stream.tell()
                flat = not (is_fortran or dtype.hasobject)
                if flat and all(shape) and start % dtype.itemsize == 0:
                    return np.memmap(path, dtype, "r", start, shape).view(np.ndarray)
    with archive.open(entry) as stream:
        return npy.read_array(stream, allow_pickle=False)


def _start(path: Path, header: int) -> int:
    """Where the content of an archive's file begins whose own header is at `header`."""
    with path.open("rb") as file:
        file.seek(header + _LOCAL_HEADER - 4)
        name, extra = struct.unpack("<HH", file.read(4))
    return header + _LOCAL_HEADER + int(name) + int(extra)
