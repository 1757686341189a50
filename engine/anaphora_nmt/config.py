"""Configurations: one dataclass per part, saved with the checkpoint; an unknown key is an error."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from anaphora_nmt.errors import ConfigError

T = TypeVar("T")


def one_of(default: str, *others: str) -> Any:
    """A dataclass field with a fixed set of values, which `CheckedConfig` checks."""
    return field(default=default, metadata={"known": (default, *others)})


class CheckedConfig:
    """A configuration with `one_of` fields. Raises ConfigError if a field has another value."""

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):  # type: ignore[arg-type]
            value, known = getattr(self, each.name), each.metadata.get("known")
            if known and value not in known:
                raise ConfigError(f"{each.name} is {value!r}; known: {', '.join(known)}")


@dataclass(frozen=True)
class EncoderConfig:
    """The encoder.

    Attributes:
        kind: "pretrained" (the lower layers of multilingual-e5-small), "recurrent" (bidirectional GRU) or
            "transformer" (pre-norm, from scratch).
        width: D, the width of the encoder's outputs.
        layers: number of Transformer layers in use, or of GRU layers.
        frozen_layers: number of lowest layers that never train; the embeddings do not train either.
        heads, feed_forward: number of heads and inner width of a Transformer layer.
        embedding: width of the word embeddings of a recurrent encoder.
        dropout: rate in the layers that train.
    """

    kind: str = "pretrained"
    width: int = 384
    layers: int = 9
    frozen_layers: int = 6
    heads: int = 12
    feed_forward: int = 1536
    embedding: int = 384
    dropout: float = 0.0


@dataclass(frozen=True)
class BufferConfig(CheckedConfig):
    """MemDec's buffer memory (Wang et al., 2016).

    The paper's settings: `combine="replace", addressing="linear", pooling="outside"`.

    Attributes:
        cells: n, the number of cells.
        read_at: where the reading r_{t−1} enters: "attention" (eq. 5), "state" (eq. 7), "both", or "none",
            which gives the recurrent decoder without the memory.
        combine: "replace" s_{t−1} by r_{t−1}, or "add" W r_{t−1} to s_{t−1}, which has no effect before
            training.
        shared: read and write with the same weights (section 3.2; the paper's list of parameters has only
            one set).
        addressing: "tanh" or "linear", see `CellAddressing` (`nn/memory_cells.py`).
        pooling: "inside" or "outside", see `BufferStart` in the same module.
        noise: standard deviation of ν (eq. 14).
        gate_bias, squash: see `CellWriter` in the same module.
    """

    cells: int = 8
    read_at: str = one_of("both", "attention", "state", "none")
    combine: str = one_of("add", "replace")
    shared: bool = True
    addressing: str = one_of("tanh", "linear")
    pooling: str = one_of("inside", "outside")
    noise: float = 0.1
    gate_bias: float | None = None
    squash: str = one_of("sigmoid", "tanh")


@dataclass(frozen=True)
class KeyMemoryConfig:
    """KVMemAtt's key-memory (Meng et al., 2018). The paper's setting: `gate_bias=None`.

    Attributes:
        rounds: R, the number of rounds in a step.
        update: write to the key-memory; without writing, one round gives the plain recurrent decoder.
        shared: read and write with the same parameters (eqs 11 and 15 have the same name for both). Without
            sharing, each round adds the number of parameters that the paper's Table 1 gives.
        gate_bias: see `CellWriter` (`nn/memory_cells.py`).
    """

    rounds: int = 2
    update: bool = True
    shared: bool = False
    gate_bias: float | None = -3.0


@dataclass(frozen=True)
class DecoderConfig(CheckedConfig):
    """The decoder.

    Attributes:
        kind: "transformer" (pre-norm), "recurrent" (RNNSearch with feedback attention), "memdec" or
            "kvmematt" (both are RNNSearch with a separate memory).
        width: D, the width of the decoder's states.
        layers: number of Transformer layers.
        heads, feed_forward: heads and inner width of a Transformer layer.
        embedding: width of the word embeddings of a recurrent decoder (a Transformer's is `width`).
        attention: inner width of a recurrent decoder's attention.
        feedback: how the last word enters a recurrent decoder's attention: "gru" (dl4mt tutorial) or "tanh".
        dropout: rate on sublayers (Transformer) or on the output layer (recurrent).
        buffer, key_memory: configurations of "memdec" and of "kvmematt".
    """

    kind: str = "transformer"
    width: int = 384
    layers: int = 2
    heads: int = 6
    feed_forward: int = 1536
    embedding: int = 384
    attention: int = 384
    feedback: str = one_of("gru", "tanh")
    dropout: float = 0.0
    buffer: BufferConfig = field(default_factory=BufferConfig)
    key_memory: KeyMemoryConfig = field(default_factory=KeyMemoryConfig)


@dataclass(frozen=True)
class CamnConfig(CheckedConfig):
    """The contextual associated memory network (Jiang et al., CAMN) between encoder and decoder.

    The paper's settings: `reads="embeddings", scaled=False, layers=6, gate_bias=0.0`, six encoder layers.

    Attributes:
        size: m, the number of context sentences; 0 switches the network off.
        selection: "previous", "next" or "random" sentences of the document.
        merging: "concatenation", "average", "weighted", "flat" or "rnn" (section 3.3.3, ways 1 to 5).
        core: cell of the contextual RNN: "rnn", "lstm" or "gru".
        direction: order of the contextual RNN: "forward" (the nearest, c_1, first), "backward" or "both".
        reads: the vectors of eqs (5) and (6): the encoder's "outputs", or its "embeddings", which have passed
            through the frozen layers, if there are any, but not through the layers that train.
        scaled: divide the raw similarities of eq. (9) by √D.
        layers, heads, feed_forward: number, heads and inner width of the Transformer layers before the gate.
        gate: None (learned, eq. 26), or a fixed share of the *context* as in section 6.3; 0 gives the model
            without context.
        gate_bias: initial b_g of eq. (26); the *source's* share in eq. (27) starts at σ(b_g).
        longest: maximum number of pieces of a context sentence; further pieces are cut off.
        teaches_encoder: True if gradients also reach the encoder through context sentences; False trains
            faster.
        dropout: rate on sublayers.
        seed: seed of the random selection.
    """

    size: int = 3
    selection: str = one_of("previous", "next", "random")
    merging: str = one_of("rnn", "concatenation", "average", "weighted", "flat")
    core: str = one_of("rnn", "lstm", "gru")
    direction: str = one_of("forward", "backward", "both")
    reads: str = one_of("outputs", "embeddings")
    scaled: bool = True
    layers: int = 1
    heads: int = 6
    feed_forward: int = 1536
    gate: float | None = None
    gate_bias: float = 2.0
    longest: int = 128
    teaches_encoder: bool = True
    dropout: float = 0.0
    seed: int = 1


@dataclass(frozen=True)
class ModelConfig:
    """A translation model, without its document memories.

    Attributes:
        source_pieces, target_pieces: sizes of the vocabularies.
        camn: configuration of the associated memory network; None for a model without it.
    """

    source_pieces: int
    target_pieces: int
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    decoder: DecoderConfig = field(default_factory=DecoderConfig)
    camn: CamnConfig | None = None


@dataclass(frozen=True)
class TrainingConfig:
    """Settings for training the model without its memories (`training/loop.py`).

    Attributes:
        batch_tokens: target pieces in a batch, including padding.
        batches: number of batches whose gradients are summed for an update.
        learning_rate: peak learning rate. The encoder's rate is `encoder_rate` times this; parameters that
            are missing in the initial model (`initialise_from`) get `fresh_rate` times this.
        warmup, decay: the rate rises during the first `warmup` updates, and falls during the last `decay`.
        updates: total number of updates.
        label_smoothing: probability mass that is spread over the vocabulary.
        guide_weight: weight of the guided attention's loss for pairs with alignments.
        eos_weight: λ of the EOS-attention objective (Meng et al., 2018, eq. 19; there 1.0); 0 for none.
        r_drop: α of R-Drop (Liang et al., 2021). Each sentence passes through the model twice with different
            dropout, which takes twice as long; the outputs' divergence is a loss. 0 switches it off.
        clip: maximum norm of the gradient.
        max_pieces: maximum number of pieces; longer pairs are left out.
        seed: seed of shuffling and initialisation.
        bfloat16: compute matrix products in bfloat16, several times faster, if the device supports it (GPUs,
            and CPUs with AVX512-BF16 or AMX).
        shares: the share of the target pieces for some of the corpus's sources (`data/batches.py`). Sources
            without a share are read once in each epoch.
    """

    batch_tokens: int = 2000
    batches: int = 1
    learning_rate: float = 1e-3
    encoder_rate: float = 0.3
    fresh_rate: float = 1.0
    warmup: int = 400
    decay: int = 1000
    updates: int = 6000
    label_smoothing: float = 0.1
    guide_weight: float = 0.2
    eos_weight: float = 0.0
    r_drop: float = 0.0
    clip: float = 1.0
    max_pieces: int = 160
    seed: int = 1
    bfloat16: bool = True
    shares: dict[str, float] = field(default_factory=dict)


def to_dict(config: Any) -> dict[str, Any]:
    """A configuration as plain JSON types; a configuration with a method `to_plain` converts itself."""
    if hasattr(config, "to_plain"):
        return config.to_plain()  # type: ignore[no-any-return]
    return {each.name: _plain(getattr(config, each.name)) for each in dataclasses.fields(config)}


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return to_dict(value)
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return type(value)(map(_plain, value)) if isinstance(value, (list, tuple)) else value


def from_dict(kind: type[T], values: dict[str, Any]) -> T:
    """The inverse of `to_dict`. Raises ConfigError for an unknown or missing key, or a wrong value."""
    if not isinstance(values, dict):
        raise ConfigError(f"{kind.__name__} must be an object, not {values!r}")
    if hasattr(kind, "from_plain"):
        return kind.from_plain(values)  # type: ignore[attr-defined,no-any-return]
    hints = typing.get_type_hints(kind)
    unknown = set(values) - set(hints)
    if unknown:
        raise ConfigError(
            f"{kind.__name__} has the unknown key {', '.join(sorted(unknown))}; known: {', '.join(hints)}"
        )
    try:
        return kind(**{key: _convert(hints[key], value) for key, value in values.items()})
    except TypeError as error:
        raise ConfigError(f"{kind.__name__}: {error}") from error


def _convert(hint: Any, value: Any) -> Any:
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if value is None and type(None) in options:
        return None
    hint = next(option for option in options if option is not type(None))
    if dataclasses.is_dataclass(hint):
        return from_dict(hint, value)  # type: ignore[type-var,arg-type]
    origin = typing.get_origin(hint) or hint
    if origin is tuple:
        return tuple(value)
    if origin is float and type(value) is int:
        return float(value)
    if not isinstance(value, origin) or (origin is int and isinstance(value, bool)):
        raise ConfigError(f"{value!r} is not of type {origin.__name__}")
    return value


def load_config(kind: type[T], path: Path) -> T:
    """Read a configuration from a JSON file. Raises ConfigError if it is unreadable or invalid."""
    try:
        return from_dict(kind, json.loads(path.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} is not a readable configuration: {error}") from error
