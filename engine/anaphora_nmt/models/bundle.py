"""Model folders, the form in which models are released.

config.json          format, name, configuration of the model and its memories
source.model         source vocabulary (sentencepiece)
target.model         target vocabulary
frozen.safetensors   the encoder's frozen parameters, in 4-bit blocks (`nn.pretrained`) or in float16
trained.safetensors  the trained parameters: matrices in 8 bits with a scale for each row, others in float16
memory.safetensors   the memories' parameters, float16 (optional)
topics.npz           the topic model (optional)
names.tsv            proper names and their translations (optional)
words.txt.gz         words of the target language (optional)
quality.npz          the fitted estimator of drafts' quality (optional)
CARD.md              description, training, scores, licences
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import init
from torch.overrides import TorchFunctionMode

from anaphora_nmt.config import ModelConfig, from_dict, to_dict
from anaphora_nmt.errors import ConfigError, ModelFileError
from anaphora_nmt.files import write_atomically
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.pretrained import PretrainedEncoder, dequantize
from anaphora_nmt.quality.estimator import QUALITY_FILE, QualityEstimator
from anaphora_nmt.text.vocabulary import Shortlist, Vocabulary, load_source_vocabulary
from anaphora_nmt.text.word_list import WORDS_FILE, WordList
from anaphora_text.names.table import NAMES_FILE, NameTable

_INITIALISERS: frozenset[Callable] = frozenset(
    {
        init.kaiming_uniform_,
        init.normal_,
        init.uniform_,
        init.xavier_uniform_,
        Tensor.normal_,
        Tensor.uniform_,
    }
)


class Uninitialised(TorchFunctionMode):
    """A context in which initialisers do nothing, so that new parameters have arbitrary values."""

    def __torch_function__(
        self, function: Callable, types: Sequence[type], args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        if function in _INITIALISERS:
            return args[0] if args else (kwargs or {})["tensor"]
        return function(*args, **(kwargs or {}))


_Q4, _Q8, _Q8_SCALE = ".q4", ".q8", ".q8.scale"
"""Endings of stored names: a matrix in 4-bit blocks, a matrix in 8 bits, and the scales of its rows."""
_BLOCK, _BLOCK_BYTES = 32, 18
"""Number of weights in a 4-bit block, and its size in bytes (`nn.pretrained`)."""
_MAX_INT8 = 127


def stored_tensors(name: str, weights: Tensor) -> dict[str, Tensor]:
    """The tensors that store a parameter, by their names in the file.

    A matrix [N, M] is stored in 8 bits with a scale for each row. The native library multiplies by the same
    integers (`native/library.py`), so weights are rounded only once. Other tensors are stored in float16.
    """
    weights = weights.detach()
    if weights.dim() != 2:
        return {name: weights.to(torch.float16).contiguous()}
    scales = weights.float().abs().amax(1).clamp_min(1e-12) / _MAX_INT8
    return {name + _Q8: (weights.float() / scales[:, None]).round().to(torch.int8), name + _Q8_SCALE: scales}


def read_weights(path: Path) -> dict[str, Tensor]:
    """The parameters in a file, by name, in float32.

    Raises OSError, SafetensorError, ValueError or KeyError if the file is missing or damaged.
    """
    stored = load_file(path)
    tensors: dict[str, Tensor] = {}
    for name, tensor in stored.items():
        if name.endswith(_Q4):
            width = tensor.shape[1] // _BLOCK_BYTES * _BLOCK
            tensors[name.removesuffix(_Q4)] = torch.from_numpy(dequantize(tensor.numpy(), width))
        elif name.endswith(_Q8):
            name = name.removesuffix(_Q8)
            tensors[name] = tensor.to(torch.float32) * stored[name + _Q8_SCALE][:, None]
        elif not name.endswith(_Q8_SCALE):
            tensors[name] = tensor.to(torch.float32)
    return tensors


_FROZEN, _TRAINED = "frozen.safetensors", "trained.safetensors"
FORMAT = 2
"""Version of the folder's format. Folders with a higher version are refused."""


@dataclass(frozen=True)
class Bundle:
    """A loaded model folder.

    Attributes:
        name: the model's name.
        model: encoder and decoder, in evaluation mode.
        source, target: vocabularies.
        memory: configuration of the memories.
        memory_tensors: the memories' parameters by name; empty if they have none.
        folder: the loaded folder.
        names: proper names and their translations; if None, the model translates names.
        words: words of the target language. Drafts avoid other words, unless this is None.
        quality: the estimator fitted on the model's drafts, or None. `save_bundle` does not write it, because
            a model with new weights needs a new fit.
        languages: source and target language; "" if unknown.
        shortlist: possible target pieces for each source piece; None allows all pieces.
    """

    name: str
    model: TranslationModel
    source: Vocabulary
    target: Vocabulary
    memory: MemoryConfig
    memory_tensors: dict[str, Tensor]
    folder: Path
    names: NameTable | None = None
    words: WordList | None = None
    quality: QualityEstimator | None = None
    languages: tuple[str, str] = ("zh", "en")
    shortlist: Shortlist | None = None


def load_bundle(folder: Path) -> Bundle:
    """Load a model folder on the CPU in float32; ModelFileError if it is incomplete, damaged or too new."""
    try:
        settings = json.loads((folder / "config.json").read_text("utf-8"))
        if settings["format"] > FORMAT:
            raise ModelFileError(
                "{folder} needs a newer version of Anaphora. Update Anaphora to use it.", folder=folder
            )
        with Uninitialised():
            model = TranslationModel(from_dict(ModelConfig, settings["model"]))
        _adopt(model, read_weights(folder / _FROZEN) | read_weights(folder / _TRAINED))
        memory_path = folder / "memory.safetensors"
        memory_tensors = read_weights(memory_path) if memory_path.exists() else {}
        memory = from_dict(MemoryConfig, settings["memory"])
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, ConfigError) as error:
        raise ModelFileError(
            "The model in {folder} cannot be loaded ({reason}). Install it again or choose another one.",
            folder=folder,
            reason=error,
        ) from error
    try:
        source = load_source_vocabulary(folder / "source.model", model.config.encoder.kind)
        target = Vocabulary.load(folder / "target.model")
    except ModelFileError as error:
        raise ModelFileError(
            "The model in {folder} cannot be loaded. {reason}", folder=folder, reason=error
        ) from error
    if (len(source), len(target)) != (model.config.source_pieces, model.config.target_pieces):
        # A truncated vocabulary can still be read, but drafts would be nonsense.
        raise ModelFileError(
            "The model in {folder} has incomplete vocabularies. Install it again or choose another one.",
            folder=folder,
        )
    names = _load_names(folder / NAMES_FILE) if (folder / NAMES_FILE).exists() else None
    words = WordList.load(folder / WORDS_FILE) if (folder / WORDS_FILE).exists() else None
    quality = _load_quality(folder / QUALITY_FILE, source, target, words)
    return Bundle(
        settings["name"], model.eval(), source, target, memory, memory_tensors, folder, names, words, quality
    )


def _load_names(path: Path) -> NameTable:
    try:
        return NameTable.load(path)
    except (OSError, ValueError) as error:
        raise ModelFileError(
            "The proper names in {path} cannot be read ({reason}). Install the model again.",
            path=path,
            reason=error,
        ) from error


def _load_quality(
    path: Path, source: Vocabulary, target: Vocabulary, words: WordList | None
) -> QualityEstimator | None:
    if not path.exists():
        return None
    if words is None:
        raise ModelFileError(
            "{path} needs the model's list of words, but {words} is missing. Install the model again.",
            path=path,
            words=WORDS_FILE,
        )
    quality = QualityEstimator.load(path, words)
    if (len(quality.training.source_counts), len(quality.training.target_counts)) != (
        len(source),
        len(target),
    ):
        raise ModelFileError("{path} belongs to another model. Install the model again.", path=path)
    return quality


def save_bundle(
    folder: Path, bundle: Bundle, pretrained: PretrainedEncoder | None, rows: np.ndarray | None
) -> None:
    """Write a model folder's configuration, vocabularies and weights; the other files are added separately.

    Args:
        pretrained: encoder whose 4-bit blocks are copied; if None, the frozen layers are stored in float16.
        rows: row of each source piece in the pretrained embeddings, [V]; None without `pretrained`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "format": FORMAT,
        "name": bundle.name,
        "model": to_dict(bundle.model.config),
        "memory": to_dict(bundle.memory),
    }
    (folder / "config.json").write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
    (folder / "source.model").write_bytes(bundle.source.serialized)
    (folder / "target.model").write_bytes(bundle.target.serialized)
    frozen: dict[str, Tensor] = {}
    trained: dict[str, Tensor] = {}
    for name, parameter in bundle.model.named_parameters():
        if name in bundle.model.trained_names:
            trained.update(stored_tensors(name, parameter))
        else:
            frozen.update(_frozen_entry(name, parameter, pretrained, rows))
    save_file(frozen, folder / _FROZEN)
    save_file(trained, folder / _TRAINED)
    if bundle.memory_tensors:
        halves = {
            name: tensor.to(torch.float16).contiguous() for name, tensor in bundle.memory_tensors.items()
        }
        save_file(halves, folder / "memory.safetensors")


def save_memory(folder: Path, memory: MemoryConfig) -> None:
    """Replace the configuration of the memories in an existing model folder."""
    path = folder / "config.json"
    settings = json.loads(path.read_text("utf-8")) | {"memory": to_dict(memory)}
    write_atomically(path, json.dumps(settings, indent=1) + "\n")


def _frozen_entry(
    name: str, parameter: Tensor, pretrained: PretrainedEncoder | None, rows: np.ndarray | None
) -> dict[str, Tensor]:
    if pretrained is not None and rows is not None:
        if name == "encoder.embedding.words.weight" and "embedding" in pretrained.blocks:
            return {name + _Q4: torch.from_numpy(pretrained.blocks["embedding"][rows])}
        part = name.removeprefix("encoder.")
        if part in pretrained.blocks:
            return {name + _Q4: torch.from_numpy(pretrained.blocks[part].copy())}
    return {name: parameter.detach().to(torch.float16).contiguous()}


def fill(model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Copy tensors into all parameters by name; KeyError or ValueError if one is missing or does not fit."""
    with torch.no_grad():
        for parameter, tensor in _matched(model, tensors):
            parameter.copy_(tensor)


def _adopt(model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Like `fill`, but the parameters use the tensors themselves instead of copies."""
    for parameter, tensor in _matched(model, tensors):
        parameter.data = tensor


def _matched(model: nn.Module, tensors: Mapping[str, Tensor]) -> Iterator[tuple[nn.Parameter, Tensor]]:
    for name, parameter in model.named_parameters():
        if tensors[name].shape != parameter.shape:
            raise ValueError(
                f"{name} has shape {tuple(tensors[name].shape)}, expected {tuple(parameter.shape)}"
            )
        yield parameter, tensors[name]
