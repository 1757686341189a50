"""Read CTranslate2's `model.bin`: named variables, which are weights (integers or floats) or settings.

CTranslate2's converters define the layout (`ctranslate2.specs.model_spec`, binary versions 2 to 6). In
self-attention, queries, keys and values share one matrix; in attention to the source, keys and values do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.files import MappedFile, ModelFiles, reading
from anaphora_nmt.imported.layers import MAX_POSITIONS, position_table
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.weight_files import Weights

MODEL = "model.bin"
SPECIFICATION = "TransformerSpec"
_OLDEST_VERSION, _VERSION_WITH_ALIASES, _VERSION_WITH_TYPES, _NEWEST_VERSION = 2, 3, 4, 6
_REVISIONS = range(3, 8)
_TYPES = (torch.float32, torch.int8, torch.int16, torch.int32, torch.float16, torch.bfloat16)
_BY_SIZE = {1: torch.int8, 2: torch.int16, 4: torch.float32}
_MAX_VARIABLES, _MAX_DIMENSIONS = 20_000, 8
_SCALE = "_scale"


@dataclass(frozen=True)
class CTranslate2Model:
    weights: Weights
    settings: Settings
    version: int


def has_ctranslate2_model(files: ModelFiles) -> bool:
    if MODEL not in files:
        return False
    name = SPECIFICATION.encode() + b"\0"
    start = files.first_bytes(MODEL, 6 + len(name))
    version = int.from_bytes(start[:4], "little")
    return version >= _OLDEST_VERSION and start[4:] == len(name).to_bytes(2, "little") + name


def read_ctranslate2_model(files: ModelFiles) -> CTranslate2Model:
    """Read `model.bin`; ModelFileError if it is missing, too large, damaged, or of an unknown version."""
    path = files.path(MODEL)
    with reading(path):
        with closing(MappedFile(path)) as file:
            header = Settings(path, {"binary version": file.number(4)})
            version = header.integer("binary version", minimum=_OLDEST_VERSION, maximum=_NEWEST_VERSION)
            _read_text(file)
            header = Settings(path, {"revision": file.number(4)})
            header.integer("revision", minimum=_REVISIONS.start, maximum=_REVISIONS.stop - 1)
            variables = dict(_read_variable(file, version) for _ in range(_read_count(file)))
            count = _read_count(file) if version >= _VERSION_WITH_ALIASES else 0
            aliases = [(_read_text(file), _read_text(file)) for _ in range(count)]
            if file.remaining:
                raise ValueError("it contains data after its end")
        values = {name: value for name, value in variables.items() if _is_setting(name, value)}
        tensors = _float_weights({name: value for name, value in variables.items() if name not in values})
        for alias, name in aliases:
            tensors[alias] = tensors[name]
        settings = {name: _setting_value(value) for name, value in values.items()}
    return CTranslate2Model(Weights(path, tensors), Settings(path, settings), version)


def _read_count(file: MappedFile) -> int:
    if (count := file.number(4)) > _MAX_VARIABLES:
        raise ValueError(f"it claims {count} variables")
    return count


def _read_text(file: MappedFile) -> str:
    return file.take(file.number(2)).rstrip(b"\0").decode("utf-8")


def _read_variable(file: MappedFile, version: int) -> tuple[str, Tensor]:
    name = _read_text(file)
    if (dimensions := file.number(1)) > _MAX_DIMENSIONS:
        raise ValueError(f"{name} claims {dimensions} dimensions")
    shape = [file.number(4) for _ in range(dimensions)]
    code = file.number(1)
    kinds: Mapping[int, torch.dtype] = dict(enumerate(_TYPES)) if version >= _VERSION_WITH_TYPES else _BY_SIZE
    if code not in kinds:
        raise ValueError(f"{name} has values of type {code}, which are not known")
    kind = kinds[code]
    size = file.number(4) * (1 if version >= _VERSION_WITH_TYPES else kind.itemsize)
    if size != math.prod(shape) * kind.itemsize:
        raise ValueError(f"the size of {name} does not match its shape {shape}")
    data = bytearray(file.take(size))
    return name, (torch.frombuffer(data, dtype=kind) if size else torch.empty(0, dtype=kind)).reshape(shape)


def _is_setting(name: str, value: Tensor) -> bool:
    """True for single numbers except scales, and for texts: int8 vectors whose names contain no scope."""
    return (value.dim() == 0 and not name.endswith(_SCALE)) or (
        value.dtype == torch.int8 and value.dim() == 1 and "/" not in name
    )


def _setting_value(value: Tensor) -> int | float | str:
    if value.dim():
        return bytes(value.numpy().tobytes()).decode("utf-8")
    number = value.item()
    return number if isinstance(number, int) else float(number)


def _float_weights(variables: dict[str, Tensor]) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    scales = {name for name in variables if name.removesuffix(_SCALE) in variables and name.endswith(_SCALE)}
    for name, value in variables.items():
        if name in scales:
            continue
        tensors[name] = value.to(torch.float32)
        if not value.is_floating_point():
            scale = variables[name + _SCALE].to(torch.float32)
            rows = (scale.dim(), scale.numel()) == (1, value.shape[0]) if value.dim() == 2 else False
            if not (rows or scale.numel() == 1) or not bool((scale > 0).all()):
                raise ValueError(f"{name} has impossible scales")
            tensors[name] = tensors[name] / (scale[:, None] if rows else scale.reshape(()))
    return tensors


_MIN_POSITIONS = 512
"""Minimum length of a table of positions; each part of a long text may have this many pieces."""
_ROUNDING = 5e-3
"""Maximum rounding error of sinusoids in bfloat16."""
_SINUSOIDS = tuple((half, first) for half in (False, True) for first in range(3))


class CTranslate2Tensors:
    def __init__(self, weights: Weights, architecture: Architecture) -> None:
        self._weights, self.architecture = weights, architecture
        self.tensors: dict[str, Tensor] = {}

    def take_layers(self) -> None:
        for side, stack in (("encoder", self.architecture.encoder), ("decoder", self.architecture.decoder)):
            for number in range(stack.layers):
                self._layer(side, number, stack)
            if self.architecture.norm_before:
                self._norm(f"{side}/layer_norm", f"{side}.norm")
            name = f"{side}/position_encodings/encodings"
            if (shape := self._weights.shape(name)) is not None:
                table = self._weights.take(name, *shape[:1], self.architecture.width)
                self.tensors[f"{side}.positions"] = self._positions(name, table)

    def take_words(self, source: Numbering, target: Numbering) -> None:
        """Take embeddings and output layer in our order of pieces; ModelFileError if weights are left."""
        weights, width, tensors = self._weights, self.architecture.width, self.tensors
        source_words = weights.take(embeddings(weights, "encoder"), source.size, width)
        target_words = weights.take(embeddings(weights, "decoder"), target.size, width)
        output = weights.take("decoder/projection/weight", target.size, width)
        tensors["encoder.words.weight"] = source.rows(source_words)
        tensors["decoder.words.weight"] = tensors["decoder.output.weight"] = target.rows(target_words)
        if output.data_ptr() != target_words.data_ptr():
            tensors["decoder.output.weight"] = target.rows(output)
        tensors["decoder.output.bias"] = target.bias(self._bias("decoder/projection", target.size))
        weights.finish()

    def _layer(self, side: str, number: int, stack: Stack) -> None:
        width, inner = self.architecture.width, stack.feed_forward
        stored, module = f"{side}/layer_{number}/", f"{side}.layers.{number}."
        own, source = stored + "self_attention", stored + "attention"
        self._attention(own, module + "own", (("query", "key", "value"), ("output",)))
        if side == "decoder":
            self._attention(source, module + "source", (("query",), ("key", "value"), ("output",)))
        self._norm(stored + "ffn/layer_norm", module + "feed_forward.norm")
        self._linear(stored + "ffn/linear_0", [module + "feed_forward.up"], width, inner)
        self._linear(stored + "ffn/linear_1", [module + "feed_forward.down"], inner, width)

    def _attention(self, stored: str, module: str, products: tuple[tuple[str, ...], ...]) -> None:
        self._norm(stored + "/layer_norm", module + ".norm")
        for number, parts in enumerate(products):
            names = [f"{module}.attention.{part}" for part in parts]
            self._linear(f"{stored}/linear_{number}", names, self.architecture.width, self.architecture.width)

    def _linear(self, stored: str, module: list[str], inputs: int, outputs: int) -> None:
        total = outputs * len(module)
        matrix, bias = self._weights.take(stored + "/weight", total, inputs), self._bias(stored, total)
        for name, rows, biases in zip(module, matrix.split(outputs), bias.split(outputs), strict=True):
            self.tensors[name + ".weight"], self.tensors[name + ".bias"] = rows, biases

    def _bias(self, stored: str, size: int) -> Tensor:
        name = stored + "/bias"
        return self._weights.take(name, size) if name in self._weights else torch.zeros(size)

    def _norm(self, stored: str, module: str) -> None:
        for name, part in (("gamma", "weight"), ("beta", "bias")):
            self.tensors[f"{module}.{part}"] = self._weights.take(f"{stored}/{name}", self.architecture.width)

    def _positions(self, name: str, table: Tensor) -> Tensor:
        """The first `MAX_POSITIONS` rows of a table of positions. Shorter sinusoids are extended."""
        if len(table) < MAX_POSITIONS:
            for kind, first in _SINUSOIDS:
                sinusoids = position_table(self.architecture.width, kind, first)
                if torch.allclose(sinusoids[: len(table)], table, rtol=0, atol=_ROUNDING):
                    return torch.cat((table, sinusoids[len(table) :]))
        if len(table) < _MIN_POSITIONS:
            raise ModelFileError(
                "{file} does not fit this model: the size of {name} is {found}, but must be {expected}.",
                name=name,
                file=self._weights.file,
                found=tuple(table.shape),
                expected=(_MIN_POSITIONS, self.architecture.width),
            )
        return table[:MAX_POSITIONS].clone()


def embeddings(weights: Weights, side: str) -> str:
    name = f"{side}/embeddings_0/weight"
    return name if name in weights else f"{side}/embeddings/weight"
