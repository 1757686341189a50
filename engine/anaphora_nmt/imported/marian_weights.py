"""Read Marian's settings and weights from `.npz` or from the binary format of Bergamot and Firefox.

Marian multiplies row vectors by its matrices, PyTorch by their transposes, so they are transposed here.
"""

from __future__ import annotations

import io
import math
import struct
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from torch import Tensor

from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.files import MappedFile, ModelFiles, check_size, damaged, reading
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.weight_files import Weights
from anaphora_nmt.native.stack import Activation

_ACTIVATIONS = {"relu": Activation.RELU, "swish": Activation.SWISH, "gelu": Activation.GELU_SIGMOID}
_EPSILON = 1e-6
_MAX_YAML = 1 << 16
"""Maximum number of characters in settings. Marian's have 5,000; PyYAML needs a second for 80,000."""
_SETTINGS = (
    "char-highway char-conv-filters-num char-conv-filters-widths char-stride dec-cell-base-depth "
    "dec-cell-high-depth dim-rnn dim-vocabs enc-cell enc-cell-depth enc-type factor-predictor "
    "factor-weight factors-combine factors-dim-emb guided-alignment lemma-dependency max-length "
    "relative-paths skip transformer-aan-activation transformer-aan-depth transformer-aan-nogate "
    "transformer-decoder-dim-aan transformer-depth-scaling transformer-dim-aan transformer-dropout "
    "transformer-dropout-attention transformer-dropout-ffn ulr-dim-emb ulr-dropout ulr-keys-vectors "
    "ulr-query-vectors ulr-softmax-temperature ulr-trainable-transformation version vocabs"
)
_WITHOUT_EFFECT = frozenset(_SETTINGS.split())
"""Settings of training, and of components that other settings turn off."""


class _Loader(yaml.SafeLoader):
    """A safe YAML loader that refuses aliases, because a few of them can expand to any number of values."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("it has an alias")
        return super().compose_node(parent, index)


def read_yaml(file: Path, text: str) -> dict[str, Any]:
    """The table of settings in a YAML text; ModelFileError if it is too long or contains something else."""
    with reading(file):
        if len(text) > _MAX_YAML:
            raise ValueError(f"settings of {len(text)} characters")
        values = yaml.load(text, _Loader)  # a safe loader
    if not isinstance(values, dict) or not all(isinstance(name, str) for name in values):
        raise damaged(file, "it is not a table of settings")
    return values


class MarianSettings:
    """Marian's settings for a Transformer.

    Attributes:
        tied_sides: True if source and target share one table of embeddings.
        tied_output: True if the output layer uses the target's embeddings.
        has_bias: True if the output layer has a bias.
    """

    def __init__(self, settings: Settings) -> None:
        settings.expect(type=("transformer",))
        self._settings = settings
        all_tied = settings.flag("tied-embeddings-all", False)
        self.tied_sides = all_tied | settings.flag("tied-embeddings-src", False)
        self.tied_output = all_tied | settings.flag("tied-embeddings", False)
        self.has_bias = not settings.flag("output-omit-bias", False)

    def architecture(self, source_pieces: int, target_pieces: int) -> Architecture:
        """The architecture for vocabularies of these sizes in our numbering.

        Raises:
            ModelFileError: a setting is unknown or unsupported.
        """
        settings = self._settings
        width = settings.integer("dim-emb", maximum=1 << 14)
        heads = settings.integer("transformer-heads")
        if width % heads or width % 2:
            raise settings.refusal("transformer-heads", heads)
        inner = settings.integer("transformer-dim-ffn")
        decoder_inner = settings.integer("transformer-decoder-dim-ffn", 0, minimum=0) or inner
        layers = settings.integer("enc-depth", maximum=64), settings.integer("dec-depth", maximum=64)
        architecture = Architecture(
            width=width,
            encoder=Stack(layers[0], heads, inner, source_pieces),
            decoder=Stack(layers[1], heads, decoder_inner, target_pieces),
            norm_before=self._norm_before(),
            activation=settings.choice("transformer-ffn-activation", _ACTIVATIONS),
            scale=math.sqrt(width),
            half_minus_one=True,
            epsilon=_EPSILON,
            shows_first_head=True,
            recurrent=settings.choice(
                "transformer-decoder-autoreg", {"self-attention": False, "rnn": True}, "self-attention"
            ),
        )
        if architecture.recurrent:
            settings.expect(**{"dec-cell": ("ssru",), "layer-normalization": (False,)})
        self._expect_nothing_else()
        return architecture

    def _norm_before(self) -> bool:
        settings = self._settings
        before = settings.choice("transformer-preprocess", {"": False, "n": True})
        after = settings.choice("transformer-postprocess", {"dan": False, "an": False, "da": True, "a": True})
        top = settings.choice("transformer-postprocess-top", {"": False, "n": True}, "")
        for name, value in (("transformer-postprocess", after), ("transformer-postprocess-top", top)):
            if value is not before:
                raise settings.refusal(name, "something other than transformer-preprocess")
        settings.expect(**{"transformer-postprocess-emb": ("d", "")})
        return before

    def _expect_nothing_else(self) -> None:
        expected: dict[str, tuple[Any, ...]] = {
            "bert-train-type-embeddings": (True, False),
            "bert-type-vocab-size": (2,),
            "dec-cell": ("gru", "lstm", "ssru"),
            "input-types": ([],),
            "layer-normalization": (False, True),
            "lemma-dim-emb": (0,),
            "original-type": ("transformer",),
            "right-left": (False,),
            "transformer-attention-mask": ("default",),
            "transformer-decoder-ffn-depth": (0, 2),
            "transformer-disable-position-embeddings": (False,),
            "transformer-ffn-depth": (2,),
            "transformer-guided-alignment-layer": ("last",),
            "transformer-no-affine": (False,),
            "transformer-no-bias": (False,),
            "transformer-no-projection": (False,),
            "transformer-pool": (False,),
            "transformer-rnn-projection": (False,),
            "transformer-tied-layers": ([],),
            "transformer-train-positions": (False,),
            "transformer-train-position-embeddings": (False,),
            "ulr": (False,),
        }
        self._settings.expect(**expected)
        self._settings.finish(_WITHOUT_EFFECT)


SETTINGS = "special:model.yml"
_MAX_GROWTH = 4
"""Maximum factor by which unpacking enlarges a file; float32 weights rounded to 8 bits grow about 3 times."""
_NUMBERS = (np.float32, np.float16, np.int8, np.uint8)

_VERSION = 1
_HEADER = struct.Struct("<4Q")
_MAX_TENSORS, _MAX_NAME, _MAX_DIMENSIONS = 10_000, 1000, 8
_INT8, _FLOAT16, _FLOAT32, _INTGEMM8 = 0x101, 0x402, 0x404, 0x4101
"""Type codes of the binary format; with `_INTGEMM8`, a multiplier follows an 8-bit matrix."""
_ACTIVATION_MULTIPLIER = "_QuantMultA"
"""Name suffix of the activations' multipliers. They are unused; this engine scales activations row by row."""


def read_marian_weights(files: ModelFiles, name: str) -> tuple[Weights, str]:
    """The weights in a file, and its settings as YAML text; ModelFileError if it is damaged."""
    path = files.path(name)
    with reading(path):
        arrays = _read_npz(path) if zipfile.is_zipfile(path) else _read_binary(path)
    if SETTINGS not in arrays:
        raise damaged(path, f"it has no {SETTINGS}")
    settings = arrays.pop(SETTINGS).tobytes().rstrip(b"\0").decode("utf-8", "replace")
    tensors = {
        each: torch.from_numpy(array)
        for each, array in arrays.items()
        if not each.startswith("special:") and not each.endswith(_ACTIVATION_MULTIPLIER)
    }
    return Weights(path, tensors), settings


def _read_npz(path: Path) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        check_size(path, entries, _MAX_GROWTH)
        return {
            entry.filename.removesuffix(".npy"): _array(archive.read(entry), entry.filename)
            for entry in entries
        }


def _array(content: bytes, name: str) -> np.ndarray:
    """The array in a `.npy` entry; ValueError for an unknown version or type, or if its size is wrong."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"{name} has version {version}")
    shape, by_columns, kind = np.lib.format.read_array_header_1_0(stream)
    if kind not in _NUMBERS or by_columns:
        raise ValueError(f"{name} has values of an unsupported type ({kind}) or in column order")
    return np.frombuffer(content, kind, offset=stream.tell()).reshape(shape).copy()


def _read_binary(path: Path) -> dict[str, np.ndarray]:
    """Read the version, the number of tensors, all headers, all names, all shapes, a gap, and all data."""
    with closing(MappedFile(path)) as file:
        if file.number(8) != _VERSION:
            raise ValueError("it is not a model in Marian's binary format")
        if (count := file.number(8)) > _MAX_TENSORS:
            raise ValueError(f"it claims {count} tensors")
        headers = [_HEADER.unpack(file.take(_HEADER.size)) for _ in range(count)]
        if any(header[0] > _MAX_NAME or header[2] > _MAX_DIMENSIONS for header in headers):
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
        return _from_int8(data, shape, count, name)
    kinds = {_INT8: np.int8, _FLOAT16: np.float16, _FLOAT32: np.float32}
    if kind not in kinds:
        raise ValueError(f"{name} has values of type {kind:#x}, which are not known")
    return np.frombuffer(data, kinds[kind], count).reshape(shape).copy()


def _from_int8(data: bytes, shape: tuple[int, ...], count: int, name: str) -> np.ndarray:
    """A matrix from 8-bit integers and their multiplier; all except embeddings are transposed in the file."""
    (multiplier,) = struct.unpack_from("<f", data, count)
    if not multiplier > 0 or len(shape) != 2:
        raise ValueError(f"{name} has the multiplier {multiplier} and the shape {shape}")
    values = np.frombuffer(data, np.int8, count).astype(np.float32) / np.float32(multiplier)
    return values.reshape(shape) if name.endswith("Wemb") else values.reshape(shape[::-1]).T.copy()


_ATTENTION = {"query": "q", "key": "k", "value": "v", "output": "o"}


class MarianTensors:
    """Collects a model's weights in `tensors`, under our names."""

    def __init__(self, weights: Weights, architecture: Architecture) -> None:
        self._weights, self.architecture = weights, architecture
        self._norm_end = "_pre" if architecture.norm_before else ""
        self.tensors: dict[str, Tensor] = {}

    def take_layers(self) -> None:
        width, architecture = self.architecture.width, self.architecture
        for side, stack in (("encoder", architecture.encoder), ("decoder", architecture.decoder)):
            for number in range(stack.layers):
                stored, module = f"{side}_l{number + 1}_", f"{side}.layers.{number}."
                if side == "decoder" and architecture.recurrent:
                    self._recurrence(stored + "rnn", module + "own")
                else:
                    self._attention(stored + "self", module + "own")
                if side == "decoder":
                    self._attention(stored + "context", module + "source")
                self._norm(stored + "ffn_ffn", module + "feed_forward.norm")
                self._linear(stored + "ffn", "1", module + "feed_forward.up", width, stack.feed_forward)
                self._linear(stored + "ffn", "2", module + "feed_forward.down", stack.feed_forward, width)
            if architecture.norm_before:
                self._norm(side + "_top", side + ".norm", "")

    def take_words(self, model: MarianSettings, source: Numbering, target: Numbering) -> None:
        weights, width, tensors = self._weights, self.architecture.width, self.tensors
        names = ("Wemb", "Wemb") if model.tied_sides else ("encoder_Wemb", "decoder_Wemb")
        tables = [weights.take(names[0], source.size, width)]
        tables.append(tables[0] if model.tied_sides else weights.take(names[1], target.size, width))
        tensors["encoder.words.weight"] = source.rows(tables[0])
        tensors["decoder.words.weight"] = target.rows(tables[1])
        tensors["decoder.output.weight"] = tensors["decoder.words.weight"]
        if not model.tied_output:
            out = "decoder_ff_logit_out_W"
            output = weights.take(out, width, target.size).T if out in weights else None
            tensors["decoder.output.weight"] = target.rows(
                weights.take(out + "t", target.size, width) if output is None else output
            )
        bias = torch.zeros(1, target.size)
        if model.has_bias:
            bias = weights.take("decoder_ff_logit_out_b", 1, target.size)
        tensors["decoder.output.bias"] = target.bias(bias[0])
        weights.finish()

    def _attention(self, stored: str, module: str) -> None:
        width = self.architecture.width
        self._norm(stored + "_Wo", module + ".norm")
        for part, name in _ATTENTION.items():
            self._linear(stored, name, f"{module}.attention.{part}", width, width)

    def _recurrence(self, stored: str, module: str) -> None:
        width = self.architecture.width
        norm_before = self.architecture.norm_before
        self._norm(stored if norm_before else stored + "_ffn", module + ".norm")
        self.tensors[module + ".input.weight"] = self._matrix(stored + "_W", width, width)
        self.tensors[module + ".input.bias"] = torch.zeros(width)
        self._linear(stored, "f", module + ".forget", width, width)

    def _linear(self, stored: str, name: str, module: str, inputs: int, outputs: int) -> None:
        self.tensors[module + ".weight"] = self._matrix(f"{stored}_W{name}", inputs, outputs)
        self.tensors[module + ".bias"] = self._weights.take(f"{stored}_b{name}", 1, outputs)[0]

    def _matrix(self, name: str, inputs: int, outputs: int) -> Tensor:
        return self._weights.take(name, inputs, outputs).T.contiguous()

    def _norm(self, stored: str, module: str, end: str | None = None) -> None:
        end, width = self._norm_end if end is None else end, self.architecture.width
        self.tensors[module + ".weight"] = self._weights.take(f"{stored}_ln_scale{end}", 1, width)[0]
        self.tensors[module + ".bias"] = self._weights.take(f"{stored}_ln_bias{end}", 1, width)[0]
