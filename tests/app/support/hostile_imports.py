"""Hostile files for import: memories, terms, packs, bilingual files, models.

Each kind is made in the requested size and imported like in the window.
"""

from __future__ import annotations

import io
import json
import pickle
import random
import struct
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anaphora.engine.pack_files import read_pack
from anaphora.features.terms.exchange import import_terms
from anaphora.features.tm.exchange import import_units
from anaphora.project.opening import open_paths
from anaphora.project.store.terms.table import TermBase, TermFile
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.locations import default_model

_TMX = '<?xml version="1.0"?><tmx version="1.4"><header srclang="zh"/><body>{}</body></tmx>'
_UNIT = '<tu><tuv xml:lang="zh"><seg>{}</seg></tuv><tuv xml:lang="en"><seg>{}</seg></tuv></tu>'
_XLIFF = (
    '<xliff version="1.2"><file source-language="zh" target-language="en"><body>'
    '<trans-unit id="1"><source>{}</source><note>{}</note></trans-unit></body></file></xliff>'
)
_PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n{}msgid "{}"\nmsgstr "{}"\n'
_CONFIGURATION = '{{"model_type": "marian", "x": {}}}'


@dataclass(frozen=True)
class Import:
    """A kind of file.

    Attributes:
        name: name of the file, or of the folder if it has no suffix.
        size: size of the real attack, in the unit of `make`.
        make: makes the content of the file, or of the files in the folder, for a size.
        receive: imports the file like the window.
    """

    name: str
    size: int
    make: Callable[[int], str | bytes | dict[str, bytes]]
    receive: Callable[[Path], object]

    def write(self, folder: Path, size: int = 0) -> Path:
        """Write the file to a folder, by default with its real size."""
        path, content = folder / self.name, self.make(size or self.size)
        if isinstance(content, dict):
            path.mkdir()
            for name, data in content.items():
                (path / name).write_bytes(data)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path


def _into_memory(path: Path) -> object:
    with closing(MemoryFile.open(path.with_name("memory.sqlite"))) as file:
        return import_units(path, TranslationMemory("m", file))


def _into_terms(path: Path) -> object:
    with closing(TermFile.open(path.with_name("terms.sqlite"))) as file:
        return import_terms(path, TermBase("t", file))


def _opened(path: Path) -> object:
    opened = open_paths([path])
    opened.store.close()
    return opened


def _installed(path: Path) -> object:
    from anaphora_nmt.api import install_model
    from anaphora_nmt.types import ModelToInstall

    return install_model(ModelToInstall(path, path.with_name("installed"), "m", "zh", "en"))


def _folder() -> dict[str, bytes]:
    """An OPUS-MT folder without its weights."""
    names = ("encoder_layers", "decoder_layers", "encoder_attention_heads", "decoder_attention_heads")
    marks = {"pad_token_id": 99, "eos_token_id": 0, "decoder_start_token_id": 99, "vocab_size": 100}
    sizes = {"d_model": 32, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 64}
    kinds = dict.fromkeys(
        ("scale_embedding", "static_position_embeddings", "share_encoder_decoder_embeddings"), True
    )
    settings = {
        **{"model_type": "marian", "activation_function": "swish", "tie_word_embeddings": True},
        **dict.fromkeys(names, 1),
        **marks,
        **sizes,
        **kinds,
    }
    pieces = (default_model() / "target.model").read_bytes()
    return {
        "config.json": json.dumps(settings).encode(),
        "vocab.json": json.dumps({f"p{number}": number for number in range(100)}).encode(),
        "source.spm": pieces,
        "target.spm": pieces,
    }


def _packed_weights(size: int) -> dict[str, bytes]:
    """A `torch.save` archive with one record of `size` MiB of zeros, compressed to a thousandth."""

    class Tensor:
        def __reduce__(self) -> tuple[object, tuple[object, ...]]:
            return dict, ()

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model/data.pkl", pickle.dumps({"a": Tensor()}, 2))
        archive.writestr("model/version", "3\n")
        with archive.open("model/data/0", "w", force_zip64=True) as record:
            for _ in range(size):
                record.write(bytes(2**20))
    return {**_folder(), "pytorch_model.bin": file.getvalue()}


def _packed_arrays(size: int) -> dict[str, bytes]:
    """Arrays of `size` MiB in total, compressed to a thousandth except for one incompressible array."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, array in enumerate(
            (np.frombuffer(random.Random(1).randbytes(size * 2**20 // 48), np.uint8), *[_zeros(size)] * 14)
        ):
            content = io.BytesIO()
            np.lib.format.write_array(content, array, version=(1, 0))
            archive.writestr(f"z{number}.npy", content.getvalue())
    return {"decoder.yml": b"x: 1\n", "model.npz": file.getvalue(), "source.spm": b"", "target.spm": b""}


def _zeros(size: int) -> np.ndarray:
    return np.zeros(size * 2**20 // 14, np.uint8)


def _claiming_header(size: int) -> dict[str, bytes]:
    """A safetensors file whose header claims overlapping tensors of `size` MB each."""
    whole = size * 10**6
    tensors = {
        f"t{n}": {"dtype": "F32", "shape": [whole // 4], "data_offsets": [0, whole]} for n in range(50)
    }
    header = json.dumps(tensors).encode()
    weights = struct.pack("<Q", len(header)) + header + bytes(1000)
    return {**_folder(), "model.safetensors": weights}


def _settings(size: int) -> dict[str, bytes]:
    lists = "[" + "{}," * size + "{}]"
    return {"config.json": _CONFIGURATION.format(lists).encode(), "pytorch_model.bin": b"x"}


def _deep_settings(size: int) -> dict[str, bytes]:
    return {"config.json": _CONFIGURATION.format("[" * size + "]" * size).encode(), "pytorch_model.bin": b"x"}


IMPORTS = {
    "memory: variants of one unit": Import(
        "a.tmx",
        1_000_000,
        lambda size: _TMX.format("<tu>" + '<tuv xml:lang="zh"><seg>账</seg></tuv>' * size + "</tu>"),
        _into_memory,
    ),
    "memory: pairs in one text": Import(
        "a.tmx",
        200_000,
        lambda size: _TMX.format(_UNIT.format('<bpt i="1">x</bpt>账<ept i="1">y</ept>' * size, "x")),
        _into_memory,
    ),
    "memory: elements beside units": Import(
        "a.tmx", 1_000_000, lambda size: _TMX.format("<x/>" * size + _UNIT.format("账", "x")), _into_memory
    ),
    "memory: a long text": Import(
        "a.tmx",
        3_000_000,
        lambda size: _TMX.format(_UNIT.format("账" * size, "x") + _UNIT.format("账", "x")),
        _into_memory,
    ),
    "memory: a catalogue": Import(
        "a.po",
        90_000,
        lambda size: _PO.format("", "账", "x") + '\nmsgid "账{0}"\nmsgstr "t"\n' * size,
        _into_memory,
    ),
    "terms: rows": Import(
        "a.csv", 3_000_000, lambda size: "".join(f"账{i},t{i}\n" for i in range(size)), _into_terms
    ),
    "terms: a long cell": Import(
        "a.csv", 50_000_000, lambda size: '"账本","' + "x" * size + '"\n', _into_terms
    ),
    "pack: lists": Import(
        "a.memory.json", 16_000_000, lambda size: '{"name":"x","pairs":[' + "[]," * size + "[]]}", read_pack
    ),
    "pack: deep": Import("a.memory.json", 1_000_000, lambda size: "[" * size, read_pack),
    "catalogue: a long text": Import(
        "a.po", 300_000, lambda size: _PO.format("", "账" * size, "x" * size), _opened
    ),
    "catalogue: lines of comments": Import(
        "a.po", 300_000, lambda size: _PO.format("#. note\n" * size, "账", ""), _opened
    ),
    "xliff: a long note": Import("a.xlf", 3_000_000, lambda size: _XLIFF.format("账", "n" * size), _opened),
    "xliff: tags": Import("a.xlf", 19_000, lambda size: _XLIFF.format('账<x id="1"/>' * size, "n"), _opened),
    "model: packed weights": Import("model", 2900, _packed_weights, _installed),
    "model: packed arrays": Import("model", 2800, _packed_arrays, _installed),
    "model: claims": Import("model", 1000, _claiming_header, _installed),
    "model: settings": Import("model", 19_000_000, _settings, _installed),
    "model: deep settings": Import("model", 100_000, _deep_settings, _installed),
}
