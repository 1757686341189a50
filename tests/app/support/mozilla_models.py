"""Models like Mozilla's, in their sizes, with random weights that write a set number of pieces.

One unit of the last decoder layer's recurrence counts the steps: its forget gate is nearly open, and its
input is constant. The end mark's embedding reads only this unit, and its bias sets the step at which it
becomes the best piece. All other weights are random, so that each step costs as much as in a real model.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import yaml

HEADS = 8
COUNTED, STEADY = 0, 1
"""Units of the decoder's state: the one that counts, and a constant one."""


@dataclass(frozen=True)
class Size:
    """One of Mozilla's architectures, with 6 encoder layers."""

    name: str
    width: int
    inner: int
    decoder_layers: int


BASE, BASE_MEMORY, TINY = (
    Size("base", 512, 2048, 2),
    Size("base-memory", 384, 1536, 4),
    Size("tiny", 256, 1536, 2),
)


def settings(size: Size, vocabularies: tuple[int, int], is_tied: bool) -> dict[str, Any]:
    """Every key that Marian 1.12 writes into a model file."""
    return {
        "bert-train-type-embeddings": True,
        "bert-type-vocab-size": 2,
        "char-conv-filters-num": [200, 200, 250, 250, 300, 300, 300, 300],
        "char-conv-filters-widths": [1, 2, 3, 4, 5, 6, 7, 8],
        "char-highway": 4,
        "char-stride": 5,
        "dec-cell": "ssru",
        "dec-cell-base-depth": 2,
        "dec-cell-high-depth": 1,
        "dec-depth": size.decoder_layers,
        "dim-emb": size.width,
        "dim-rnn": 1024,
        "dim-vocabs": [*vocabularies],
        "enc-cell": "gru",
        "enc-cell-depth": 1,
        "enc-depth": 6,
        "enc-type": "bidirectional",
        "factor-weight": 1.0,
        "factors-combine": "sum",
        "factors-dim-emb": 0,
        "input-types": [],
        "layer-normalization": False,
        "lemma-dependency": "",
        "lemma-dim-emb": 0,
        "output-omit-bias": False,
        "right-left": False,
        "skip": False,
        "tied-embeddings": not is_tied,
        "tied-embeddings-all": is_tied,
        "tied-embeddings-src": False,
        "transformer-aan-activation": "swish",
        "transformer-aan-depth": 2,
        "transformer-aan-nogate": False,
        "transformer-decoder-autoreg": "rnn",
        "transformer-decoder-dim-ffn": 0,
        "transformer-decoder-ffn-depth": 0,
        "transformer-depth-scaling": False,
        "transformer-dim-aan": 2048,
        "transformer-dim-ffn": size.inner,
        "transformer-ffn-activation": "relu",
        "transformer-ffn-depth": 2,
        "transformer-guided-alignment-layer": "last",
        "transformer-heads": HEADS,
        "transformer-no-affine": False,
        "transformer-no-bias": False,
        "transformer-no-projection": False,
        "transformer-pool": False,
        "transformer-postprocess": "dan",
        "transformer-postprocess-emb": "d",
        "transformer-postprocess-top": "",
        "transformer-preprocess": "",
        "transformer-rnn-projection": False,
        "transformer-tied-layers": [],
        "transformer-train-position-embeddings": False,
        "type": "transformer",
        "ulr": False,
        "ulr-dim-emb": 0,
        "ulr-trainable-transformation": False,
        "version": "v1.12.14 2d067afb 2024-02-16 11:44:13 -0500",
    }


class Writer:
    """Collects tensors for Marian's binary format; matrices are in 8 bits with their inputs' alphas."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._items: list[tuple[str, int, tuple[int, ...], bytes]] = []

    def whole(self, shape: tuple[int, int], largest: int) -> np.ndarray:
        """Random integers from −`largest` to `largest`."""
        return self._random.integers(-largest, largest + 1, shape, np.int8)

    def floats(self, name: str, values: np.ndarray) -> None:
        self._items.append((name, 0x404, (1, values.size), values.astype(np.float32).tobytes()))

    def matrix(self, name: str, values: np.ndarray, multiplier: float, is_table: bool = False) -> None:
        """Add an integer matrix; all except tables of embeddings are stored transposed."""
        data = (values if is_table else np.ascontiguousarray(values.T)).tobytes()
        self.floats(f"{'none' if is_table else name}_QuantMultA", np.array([127 / 12.0]))
        self._items.append((name, 0x4101, values.shape, data + struct.pack("<f", multiplier)))

    def bytes(self, values: dict[str, Any]) -> bytes:
        """The content of the file, with the settings at the end."""
        yml = yaml.safe_dump(values).encode() + b"\0"
        items = [*self._items, ("special:model.yml", 0x101, (len(yml),), yml)]
        datas = [data.ljust(-(-len(data) // 256) * 256, b"\0") for *_, data in items[:-1]] + [yml]
        names = [name.encode() + b"\0" for name, *_ in items]
        out = [struct.pack("<2Q", 1, len(items))]
        for title, (_, kind, shape, _), data in zip(names, items, datas, strict=True):
            out.append(struct.pack("<4Q", len(title), kind, len(shape), len(data)))
        out += [*names, *(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in items)]
        gap = -(sum(map(len, out)) + 8) % 256
        return b"".join([*out, struct.pack("<Q", gap), bytes(gap), *datas])


def weights(
    size: Size, vocabularies: tuple[int, int], is_tied: bool, end_bias: float, seed: int = 1
) -> bytes:
    """The content of a model file.

    Args:
        vocabularies: numbers of source and target pieces.
        is_tied: whether both sides share one table of embeddings.
        end_bias: bias of piece 0, the end mark; a lower bias makes translations longer.
    """
    to, width, inner = Writer(seed), size.width, size.inner
    for side, layers in (("encoder", 6), ("decoder", size.decoder_layers)):
        for number in range(1, layers + 1):
            place, is_last = f"{side}_l{number}_", side == "decoder" and number == layers
            if side == "decoder":
                _recurrence(to, place, width, is_last)
                _norm(to, place + "rnn_ffn", width, 1.0)
            block = "self" if side == "encoder" else "context"
            for end in "qkvo":
                values = to.whole((width, width), 127)
                if end == "o" and is_last:
                    values[:, COUNTED] = 0
                to.matrix(f"{place}{block}_W{end}", values, 73 * math.sqrt(width))
                to.floats(f"{place}{block}_b{end}", np.zeros(width))
            _norm(to, f"{place}{block}_Wo", width, 1.0)
            to.matrix(place + "ffn_W1", to.whole((width, inner), 127), 73 * math.sqrt(width))
            to.floats(place + "ffn_b1", np.zeros(inner))
            values = to.whole((inner, width), 127)
            if is_last:
                values[:, COUNTED] = 0
            to.matrix(place + "ffn_W2", values, 73 * math.sqrt(inner))
            to.floats(place + "ffn_b2", np.zeros(width))
            steady = side == "decoder" and number == layers - 1
            _norm(to, place + "ffn_ffn", width, 10.0 if is_last else 1.0, steady)
    for side, pieces in zip(("encoder", "decoder"), vocabularies, strict=True):
        if side == "decoder" or not is_tied:
            table = to.whole((pieces, width), 3)
            table[0] = 0
            table[0, COUNTED] = 127
            to.matrix("Wemb" if is_tied else f"{side}_Wemb", table, 2 * math.sqrt(width), is_table=True)
    bias = np.zeros(vocabularies[1])
    bias[0] = end_bias
    to.floats("decoder_ff_logit_out_b", bias)
    return to.bytes(settings(size, vocabularies, is_tied))


def _recurrence(to: Writer, place: str, width: int, counts: bool) -> None:
    entering, forget, bias = to.whole((width, width), 8), to.whole((width, width), 127), np.zeros(width)
    if counts:
        entering[:, COUNTED] = 0
        entering[STEADY, COUNTED] = 127
        forget[:, COUNTED] = 0
        bias[COUNTED] = 3.9  # 0.98 is kept at each step
    to.matrix(place + "rnn_W", entering, 4.6 * math.sqrt(width))
    to.matrix(place + "rnn_Wf", forget, 73 * math.sqrt(width))
    to.floats(place + "rnn_bf", bias)


def _norm(to: Writer, name: str, width: int, scale: float, steady: bool = False) -> None:
    scales, biases = np.ones(width), np.zeros(width)
    scales[COUNTED] = scale
    if steady:
        scales[[COUNTED, STEADY]] = 0
        biases[STEADY] = 8.0
    to.floats(name + "_ln_scale", scales)
    to.floats(name + "_ln_bias", biases)


def pieces_of(texts: list[str], count: int) -> bytes:
    """A sentencepiece model of `count` pieces: the characters and words of some texts, then made-up words.

    The protocol buffer is written directly, because learning 64,000 pieces takes minutes.
    """
    found: dict[str, None] = {}
    for text in texts:
        found |= dict.fromkeys(char for char in text if not char.isspace())
        found |= dict.fromkeys("\u2581" + word for word in text.split() if word.isascii())
    words = ["\u2581", *found]
    words += [f"\u2581w{number}" for number in range(max(count - 2 - len(words), 0))]
    pieces = [("</s>", 0.0, 3), ("<unk>", 0.0, 2)]
    pieces += [(word, -4.0 - number / 10_000, 1) for number, word in enumerate(words[: count - 2])]
    out = b"".join(_field(1, _piece(*each)) for each in pieces)
    trainer = (
        _number(3, 1)
        + _number(4, count)
        + _number(40, 1)
        + _number(41, -1)
        + _number(42, 0)
        + _number(43, -1)
    )
    normalizer = _field(1, b"identity") + _number(3, 1) + _number(4, 1) + _number(5, 1)
    return out + _field(2, trainer) + _field(3, normalizer)


def _piece(text: str, score: float, kind: int) -> bytes:
    return _field(1, text.encode()) + b"\x15" + struct.pack("<f", score) + _number(3, kind)


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value & (1 << 64) - 1)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def publish(
    files: dict[str, bytes],
    pair: str,
    size: Size,
    model: bytes,
    vocabularies: dict[str, bytes],
    lists: bytes,
) -> dict[str, Any]:
    """Add a model's files to a server under Mozilla's paths, and return its entry in the registry.

    Args:
        files: the server's files by path.
        vocabularies: vocabularies by their roles in the registry.
        lists: the lexical shortlist.
    """
    short, place = pair.replace("-", ""), f"models/{pair}/random_{size.name}/exported"
    names = {"vocab": "vocab", "srcVocab": "srcvocab", "trgVocab": "trgvocab"}
    contents = {"model": (f"model.{short}.intgemm.alphas.bin", model)}
    contents |= {role: (f"{names[role]}.{short}.spm", data) for role, data in vocabularies.items()}
    contents["lexicalShortlist"] = (f"lex.50.50.{short}.s2t.bin", lists)
    entry: dict[str, Any] = {
        "architecture": size.name,
        "releaseStatus": "Release",
        "somethingNew": {"nobody": "knows"},
        "metrics": {"flores200-plus": {"bleu": 29.0, "comet22": 0.85, "chrf": 55.1}, "other": {}},
        "files": {},
    }
    for role, (name, data) in contents.items():
        files[f"{place}/{name}.gz"] = gzip.compress(data, 0)
        entry["files"][role] = {
            "path": f"{place}/{name}.gz",
            "uncompressedHash": hashlib.sha256(data).hexdigest(),
            "uncompressedSize": len(data),
        }
    return entry


def registry(base: str, models: dict[str, list[dict[str, Any]]]) -> bytes:
    """The content of the registry's file."""
    return json.dumps({"generated": "2026-11-26T00:00:00Z", "baseUrl": base, "models": models}).encode()
