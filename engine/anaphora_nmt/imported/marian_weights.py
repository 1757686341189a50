"""Marian's two forms of weights: `.npz`, and the binary form of Bergamot and Firefox, in 8 bits or not."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import torch

from anaphora_nmt.imported.archives import check_size
from anaphora_nmt.imported.files import MappedFile, ModelFiles, damaged
from anaphora_nmt.imported.weight_files import Weights

SETTINGS = "special:model.yml"
_MOST_GROWTH = 4
"""Packed weights of `numpy.savez_compressed` shrink by a tenth, those in 8 bits in float32 to a third."""
_NUMBERS = (np.float32, np.float16, np.int8, np.uint8)

_VERSION = 1
_HEADER = struct.Struct("<4Q")
_MOST_TENSORS, _MOST_NAME, _MOST_DIMENSIONS = 10_000, 1000, 8
_INT8, _FLOAT16, _FLOAT32, _INTGEMM8 = 0x101, 0x402, 0x404, 0x4101
"""Codes of types in the binary form; `_INTGEMM8` is a matrix in 8 bits with its multiplier behind it."""
_OF_ACTIVATIONS = "_QuantMultA"
"""Ends the names of multipliers for activations; ours are scaled row by row."""


def read_marian_weights(files: ModelFiles, name: str) -> tuple[Weights, str]:
    """The weights of a file, and the settings that stand in it, YAML."""
    path = files.path(name)
    try:
        arrays = _read_npz(path) if zipfile.is_zipfile(path) else _read_binary(path)
    except (
        OSError,
        ValueError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
        RuntimeError,
        struct.error,
    ) as error:
        raise damaged(path, error) from error
    if SETTINGS not in arrays:
        raise damaged(path, f"it has no {SETTINGS}")
    settings = arrays.pop(SETTINGS).tobytes().rstrip(b"\0").decode("utf-8", "replace")
    tensors = {
        each: torch.from_numpy(array)
        for each, array in arrays.items()
        if not each.startswith("special:") and not each.endswith(_OF_ACTIVATIONS)
    }
    return Weights(path, tensors), settings


def _read_npz(path: Path) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        check_size(path, entries, _MOST_GROWTH)
        return {
            entry.filename.removesuffix(".npy"): _array(archive.read(entry), entry.filename)
            for entry in entries
        }


def _array(content: bytes, name: str) -> np.ndarray:
    """One `.npy`, whose header may not claim other values than are there."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"{name} has version {version}")
    shape, by_columns, kind = np.lib.format.read_array_header_1_0(stream)
    if kind not in _NUMBERS or by_columns:
        raise ValueError(f"{name} has values of type {kind}")
    return np.frombuffer(content, kind, offset=stream.tell()).reshape(shape).copy()


def _read_binary(path: Path) -> dict[str, np.ndarray]:
    """Version, number of tensors, their headers, names, shapes, a gap, and their data."""
    with MappedFile(path) as file:
        if file.number(8) != _VERSION:
            raise ValueError("it is no model of Marian's binary form")
        if (count := file.number(8)) > _MOST_TENSORS:
            raise ValueError(f"it claims {count} tensors")
        headers = [_HEADER.unpack(file.take(_HEADER.size)) for _ in range(count)]
        if any(header[0] > _MOST_NAME or header[2] > _MOST_DIMENSIONS for header in headers):
            raise ValueError("it claims impossible names or shapes")
        names = [file.take(length).rstrip(b"\0").decode("utf-8", "replace") for length, *_ in headers]
        shapes = [struct.unpack(f"<{header[2]}i", file.take(4 * header[2])) for header in headers]
        file.take(file.number(8))
        return {
            name: _values(file.take(size), kind, shape, name)
            for name, (_, kind, _, size), shape in zip(names, headers, shapes, strict=True)
        }


def _values(data: bytes, kind: int, shape: tuple[int, ...], name: str) -> np.ndarray:
    if any(size < 0 for size in shape):
        raise ValueError(f"{name} has the shape {shape}")
    count = int(np.prod(shape, dtype=np.int64))
    if kind == _INTGEMM8:
        return _whole(data, shape, count, name)
    kinds = {_INT8: np.int8, _FLOAT16: np.float16, _FLOAT32: np.float32}
    if kind not in kinds:
        raise ValueError(f"{name} has values of type {kind:#x}, which are not known")
    return np.frombuffer(data, kinds[kind], count).reshape(shape).copy()


def _whole(data: bytes, shape: tuple[int, ...], count: int, name: str) -> np.ndarray:
    """A matrix in 8 bits: integers, and the multiplier that made them. All but embeddings are transposed."""
    (multiplier,) = struct.unpack_from("<f", data, count)
    if not multiplier > 0 or len(shape) != 2:
        raise ValueError(f"{name} has the multiplier {multiplier} and the shape {shape}")
    values = np.frombuffer(data, np.int8, count).astype(np.float32) / np.float32(multiplier)
    return values.reshape(shape) if name.endswith("Wemb") else values.reshape(shape[::-1]).T.copy()
