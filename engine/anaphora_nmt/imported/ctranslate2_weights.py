"""CTranslate2's `model.bin`: named variables, which are weights (integers or floats) or settings.

CTranslate2's converters define the layout (`ctranslate2.specs.model_spec`, binary versions 2 to 6). One
matrix contains the weights of the queries, keys and values, or of the keys and values of the source.
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
_OLDEST, _WITH_ALIASES, _WITH_TYPES, _NEWEST = 2, 3, 4, 6
_REVISIONS = range(3, 8)
_TYPES = (torch.float32, torch.int8, torch.int16, torch.int32, torch.float16, torch.bfloat16)
_BY_SIZE = {1: torch.int8, 2: torch.int16, 4: torch.float32}
_MOST_VARIABLES, _MOST_DIMENSIONS = 20_000, 8
_SCALE = "_scale"


@dataclass(frozen=True)
class CTranslate2Model:
    """Weights and settings by CTranslate2's names, and the version of the layout."""

    weights: Weights
    settings: Settings
    version: int


def has_ctranslate2_model(files: ModelFiles) -> bool:
    """True if a folder contains a CTranslate2 Transformer, judging by the first bytes of its file."""
    if MODEL not in files:
        return False
    name = SPECIFICATION.encode() + b"\0"
    start = files.start(MODEL, 6 + len(name))
    version = int.from_bytes(start[:4], "little")
    return version >= _OLDEST and start[4:] == len(name).to_bytes(2, "little") + name


def read_ctranslate2_model(files: ModelFiles) -> CTranslate2Model:
    """Read `model.bin`; ModelFileError if it is missing, damaged, or of an unknown version."""
    path = files.path(MODEL)
    with reading(path):
        with closing(MappedFile(path)) as file:
            header = Settings(path, {"binary version": file.number(4)})
            version = header.integer("binary version", least=_OLDEST, most=_NEWEST)
            _text(file)
            header = Settings(path, {"revision": file.number(4)})
            header.integer("revision", least=_REVISIONS.start, most=_REVISIONS.stop - 1)
            variables = dict(_variable(file, version) for _ in range(_count(file)))
            aliases = (
                [(_text(file), _text(file)) for _ in range(_count(file))] if version >= _WITH_ALIASES else []
            )
            if file.left:
                raise ValueError("it goes on after its end")
        values = {name: value for name, value in variables.items() if _is_setting(name, value)}
        tensors = _unquantised({name: value for name, value in variables.items() if name not in values})
        for alias, name in aliases:
            tensors[alias] = tensors[name]
        settings = {name: _plain(value) for name, value in values.items()}
    return CTranslate2Model(Weights(path, tensors), Settings(path, settings), version)


def _count(file: MappedFile) -> int:
    if (count := file.number(4)) > _MOST_VARIABLES:
        raise ValueError(f"it claims {count} variables")
    return count


def _text(file: MappedFile) -> str:
    return file.take(file.number(2)).rstrip(b"\0").decode("utf-8")


def _variable(file: MappedFile, version: int) -> tuple[str, Tensor]:
    """The name and values of the next variable; ValueError if its declared size does not fit."""
    name = _text(file)
    if (dimensions := file.number(1)) > _MOST_DIMENSIONS:
        raise ValueError(f"{name} claims {dimensions} dimensions")
    shape = [file.number(4) for _ in range(dimensions)]
    code = file.number(1)
    known: Mapping[int, torch.dtype] = dict(enumerate(_TYPES)) if version >= _WITH_TYPES else _BY_SIZE
    if code not in known:
        raise ValueError(f"{name} has values of type {code}, which are not known")
    kind = known[code]
    size = file.number(4) * (1 if version >= _WITH_TYPES else kind.itemsize)
    if size != math.prod(shape) * kind.itemsize:
        raise ValueError(f"{name} has another size than its shape {shape}")
    data = bytearray(file.take(size))
    return name, (torch.frombuffer(data, dtype=kind) if size else torch.empty(0, dtype=kind)).reshape(shape)


def _is_setting(name: str, value: Tensor) -> bool:
    """True for single numbers, and for texts, whose names have no scope."""
    return (value.dim() == 0 and not name.endswith(_SCALE)) or (
        value.dtype == torch.int8 and value.dim() == 1 and "/" not in name
    )


def _plain(value: Tensor) -> int | float | str:
    if value.dim():
        return bytes(value.numpy().tobytes()).decode("utf-8")
    number = value.item()
    return number if isinstance(number, int) else float(number)


def _unquantised(variables: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights as floats; integers are divided by the scale of their row or of the tensor."""
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


_LEAST_POSITIONS = 512
"""Minimum length of a table of positions: a part of a long text can have this many pieces."""
_ROUNDING = 5e-3
"""Rounding error of sinusoids in bfloat16."""
_SINUSOIDS = tuple((half, first) for half in (False, True) for first in range(3))


class CTranslate2Tensors:
    """Collects a model's weights from CTranslate2's names into `tensors`, by our names."""

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
        """Take embeddings and the output layer, in our order of pieces; ModelFileError if any are left."""
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
        theirs, ours = f"{side}/layer_{number}/", f"{side}.layers.{number}."
        own, source = theirs + "self_attention", theirs + "attention"
        self._attention(own, ours + "own", (("query", "key", "value"), ("output",)))
        if side == "decoder":
            self._attention(source, ours + "source", (("query",), ("key", "value"), ("output",)))
        self._norm(theirs + "ffn/layer_norm", ours + "feed_forward.norm")
        self._linear(theirs + "ffn/linear_0", [ours + "feed_forward.up"], width, inner)
        self._linear(theirs + "ffn/linear_1", [ours + "feed_forward.down"], inner, width)

    def _attention(self, theirs: str, ours: str, products: tuple[tuple[str, ...], ...]) -> None:
        self._norm(theirs + "/layer_norm", ours + ".norm")
        for number, parts in enumerate(products):
            names = [f"{ours}.attention.{part}" for part in parts]
            self._linear(f"{theirs}/linear_{number}", names, self.architecture.width, self.architecture.width)

    def _linear(self, theirs: str, ours: list[str], inputs: int, outputs: int) -> None:
        total = outputs * len(ours)
        matrix, bias = self._weights.take(theirs + "/weight", total, inputs), self._bias(theirs, total)
        for name, rows, biases in zip(ours, matrix.split(outputs), bias.split(outputs), strict=True):
            self.tensors[name + ".weight"], self.tensors[name + ".bias"] = rows, biases

    def _bias(self, theirs: str, size: int) -> Tensor:
        name = theirs + "/bias"
        return self._weights.take(name, size) if name in self._weights else torch.zeros(size)

    def _norm(self, theirs: str, ours: str) -> None:
        for name, part in (("gamma", "weight"), ("beta", "bias")):
            self.tensors[f"{ours}.{part}"] = self._weights.take(f"{theirs}/{name}", self.architecture.width)

    def _positions(self, name: str, table: Tensor) -> Tensor:
        """A table of at most `MAX_POSITIONS` rows; a shorter table of sinusoids is extended."""
        if len(table) < MAX_POSITIONS:
            for kind, first in _SINUSOIDS:
                whole = position_table(self.architecture.width, kind, first)
                if torch.allclose(whole[: len(table)], table, rtol=0, atol=_ROUNDING):
                    return torch.cat((table, whole[len(table) :]))
        if len(table) < _LEAST_POSITIONS:
            raise ModelFileError(
                "The weights {name} in {file} have the shape {found}, but the settings require {expected}.",
                name=name,
                file=self._weights.file,
                found=tuple(table.shape),
                expected=(_LEAST_POSITIONS, self.architecture.width),
            )
        return table[:MAX_POSITIONS].clone()


def embeddings(weights: Weights, side: str) -> str:
    """The name of a side's embeddings, which differs in older files."""
    name = f"{side}/embeddings_0/weight"
    return name if name in weights else f"{side}/embeddings/weight"
