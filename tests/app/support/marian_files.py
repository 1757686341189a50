"""Writes Marian's own files: weights under its names, and its binary format."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from safetensors.torch import load_file

Arrays = dict[str, np.ndarray]
WIDTH, HEADS = 32, 4
SETTINGS: dict[str, Any] = {
    "type": "transformer",
    "dim-emb": WIDTH,
    "enc-depth": 2,
    "dec-depth": 3,
    "transformer-heads": HEADS,
    "transformer-dim-ffn": 48,
    "transformer-ffn-depth": 2,
    "transformer-ffn-activation": "swish",
    "transformer-preprocess": "",
    "transformer-postprocess": "dan",
    "transformer-postprocess-emb": "d",
    "transformer-postprocess-top": "",
    "transformer-decoder-autoreg": "self-attention",
    "transformer-no-projection": False,
    "transformer-guided-alignment-layer": "last",
    "transformer-train-positions": False,
    "transformer-tied-layers": [],
    "tied-embeddings-all": True,
    "tied-embeddings": False,
    "tied-embeddings-src": False,
    "dec-cell": "gru",
    "layer-normalization": False,
    "right-left": False,
    "version": "v1.12.0 of tests",
}
ATTENTION = {"q_proj": "q", "k_proj": "k", "v_proj": "v", "out_proj": "o"}


def sinusoids(width: int, length: int = 512) -> np.ndarray:
    """Marian's `SinusoidalPositionEmbeddings`."""
    half = width // 2
    rate = math.log(10000) / (half - 1)
    table = np.zeros((length, width), np.float32)
    for position in range(length):
        for place in range(width):
            angle = position * math.exp((place % half) * -rate)
            table[position, place] = math.sin(angle) if place < half else math.cos(angle)
    return table


def student(pieces: int, width: int = WIDTH, inner: int = 48) -> Arrays:
    """Random weights of a Firefox model with two layers; the decoder is recurrent."""
    random = np.random.default_rng(5)

    def matrix(*shape: int) -> np.ndarray:
        return (random.normal(size=shape) / math.sqrt(shape[0])).astype(np.float32)

    def bias(size: int) -> np.ndarray:
        return random.normal(0, 0.3, (1, size)).astype(np.float32)

    arrays = {"Wemb": matrix(pieces, width), "decoder_ff_logit_out_b": bias(pieces)}
    for side, blocks in (("encoder", ("self",)), ("decoder", ("context",))):
        for number in (1, 2):
            place = f"{side}_l{number}_"
            for block in blocks:
                for end in "qkvo":
                    arrays[f"{place}{block}_W{end}"], arrays[f"{place}{block}_b{end}"] = (
                        matrix(width, width),
                        bias(width),
                    )
            arrays |= {place + "ffn_W1": matrix(width, inner), place + "ffn_b1": bias(inner)}
            arrays |= {place + "ffn_W2": matrix(inner, width), place + "ffn_b2": bias(width)}
            norms = [f"{block}_Wo" for block in blocks] + ["ffn_ffn"]
            if side == "decoder":
                arrays |= {place + "rnn_W": matrix(width, width), place + "rnn_Wf": matrix(width, width)}
                arrays[place + "rnn_bf"] = bias(width)
                norms.append("rnn_ffn")
            for norm in norms:
                arrays |= {f"{place}{norm}_ln_scale": 1 + bias(width), f"{place}{norm}_ln_bias": bias(width)}
    return arrays


STUDENT: dict[str, Any] = {
    **SETTINGS,
    "dec-depth": 2,
    "transformer-ffn-activation": "relu",
    "transformer-decoder-autoreg": "rnn",
    "dec-cell": "ssru",
}


def special(settings: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(yaml.safe_dump(settings).encode() + b"\0", np.int8)


def marian_arrays(folder: Path) -> Arrays:
    """The weights of a Hugging Face folder under Marian's names."""
    found: Arrays = {}
    tensors = {name: tensor.numpy() for name, tensor in load_file(folder / "model.safetensors").items()}
    for name, tensor in tensors.items():
        if ".layers." not in name:
            continue
        _, side, _, number, *rest = name.split(".")
        place, end = f"{side}_l{int(number) + 1}_", rest[-1]
        if rest[0] in ("self_attn", "encoder_attn"):
            block = "self" if rest[0] == "self_attn" else "context"
            found[f"{place}{block}_{'W' if end == 'weight' else 'b'}{ATTENTION[rest[1]]}"] = tensor.T
        elif rest[0].endswith("attn_layer_norm"):
            block = "self" if rest[0].startswith("self") else "context"
            found[f"{place}{block}_Wo_ln_{'scale' if end == 'weight' else 'bias'}"] = tensor
        elif rest[0] == "final_layer_norm":
            found[f"{place}ffn_ffn_ln_{'scale' if end == 'weight' else 'bias'}"] = tensor
        else:
            found[f"{place}ffn_{'W' if end == 'weight' else 'b'}{rest[0][-1]}"] = tensor.T
    found["Wemb"] = tensors["model.shared.weight"][:-1]  # the conversion to Hugging Face adds padding
    found["decoder_ff_logit_out_b"] = tensors["final_logits_bias"][0, :-1]
    return {
        name: np.ascontiguousarray(array if array.ndim == 2 else array[None]) for name, array in found.items()
    }


def is_product(name: str) -> bool:
    return name == "Wemb" or name[-3:-1] == "_W" or name.endswith("_W")


def rounded(array: np.ndarray, largest: int = 127) -> tuple[np.ndarray, float]:
    multiplier = largest / float(np.abs(array).max())
    return np.round(array * multiplier).astype(np.int8), multiplier


def _aligned(data: bytes) -> bytes:
    return data.ljust(-(-len(data) // 256) * 256, b"\0")


def binary(
    arrays: Arrays,
    settings: dict[str, Any],
    int8: bool,
    inputs: Mapping[str, float] | None = None,
    largest: int = 127,
) -> bytes:
    """Marian's binary format, version 1.

    Args:
        inputs: maximum input of each matrix; None: 127.
        largest: maximum 8-bit weight.
    """
    items = []
    for name, array in arrays.items():
        data, kind = array.tobytes(), 0x404
        if int8 and is_product(name):
            whole, multiplier = rounded(array, largest)
            data = (whole if name == "Wemb" else whole.T.copy()).tobytes() + struct.pack("<f", multiplier)
            kind = 0x4101
            alpha = struct.pack("<f", 127 / (127.0 if inputs is None else inputs[name]))
            # the output layer's multiplier has the name "none"
            called = ("none", name) if name == "Wemb" and inputs is not None else (name,)
            items += [(each + "_QuantMultA", 0x404, (1, 1), _aligned(alpha)) for each in called]
        items.append((name, kind, array.shape, _aligned(data)))
    yml = special(settings)
    items.append(("special:model.yml", 0x101, yml.shape, yml.tobytes()))
    names = [name.encode() + b"\0" for name, *_ in items]
    out = struct.pack("<2Q", 1, len(items))
    for title, (_, kind, shape, data) in zip(names, items, strict=True):
        out += struct.pack("<4Q", len(title), kind, len(shape), len(data))
    out += b"".join(names) + b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in items)
    gap = -(len(out) + 8) % 256
    return out + struct.pack("<Q", gap) + bytes(gap) + b"".join(data for *_, data in items)


def settings_of(opus: Path) -> dict[str, Any]:
    """Marian's settings for an OPUS-MT folder."""
    config = json.loads((opus / "config.json").read_text("utf-8"))
    size = len(json.loads((opus / "vocab.json").read_text("utf-8"))) - 1  # padding was added for transformers
    return {
        **SETTINGS,
        "dim-emb": config["d_model"],
        "enc-depth": config["encoder_layers"],
        "dec-depth": config["decoder_layers"],
        "transformer-heads": config["encoder_attention_heads"],
        "transformer-dim-ffn": config["encoder_ffn_dim"],
        "transformer-ffn-activation": config["activation_function"],
        "dim-vocabs": [size, size],
    }


def save_npz_model(folder: Path, opus: Path) -> Path:
    """Save an OPUS-MT model in its distribution format for Marian."""
    folder.mkdir(parents=True, exist_ok=True)
    content: Any = {**marian_arrays(opus), "special:model.yml": special(settings_of(opus))}
    np.savez(folder / "model.npz", **content)
    table = json.loads((opus / "vocab.json").read_text("utf-8"))
    del table["<pad>"]
    lines = [f"{json.dumps(piece, ensure_ascii=False)}: {number}\n" for piece, number in table.items()]
    (folder / "opus.vocab.yml").write_text("".join(lines), "utf-8")
    decoder = {"models": ["model.npz"], "vocabs": ["opus.vocab.yml"] * 2, "beam-size": 6}
    (folder / "decoder.yml").write_text(yaml.safe_dump(decoder))
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes((opus / name).read_bytes())
    return folder


def save_firefox_model(folder: Path, opus: Path, languages: str = "enzh") -> Path:
    """Save a folder like Mozilla's, in 8 bits, with the weights and pieces of an OPUS-MT folder.

    Args:
        opus: a folder with a shared vocabulary and the same number of heads on both sides.
        languages: the languages in the files' names.
    """
    settings = settings_of(opus)
    arrays = marian_arrays(opus)
    folder.mkdir(parents=True)
    (folder / f"model.{languages}.intgemm.alphas.bin").write_bytes(binary(arrays, settings, True))
    (folder / f"vocab.{languages}.spm").write_bytes((opus / "source.spm").read_bytes())
    return folder
