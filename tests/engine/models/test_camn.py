"""CAMN, equations (5) to (27) of Jiang et al., against a transcription and the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from anaphora_nmt.config import CamnConfig, DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.document_context import NONE, ContextBatch
from anaphora_nmt.models.camn import Camn, ContextualRNN
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.nn.transformer import Attention
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD
from anaphora_nmt.training.loop import likelihood_loss

D = 8
WAYS = [
    CamnConfig(merging="concatenation"),
    CamnConfig(merging="average"),
    CamnConfig(merging="weighted"),
    CamnConfig(merging="flat"),
    *(
        CamnConfig(merging="rnn", core=core, direction=direction)
        for core in ("rnn", "lstm", "gru")
        for direction in ("forward", "backward", "both")
    ),
]
NAMES = [f"{way.merging}-{way.core}-{way.direction}" for way in WAYS]
LENGTHS = ((5, 3), (2, 6, 4))
"""Words of the batch's own sentences and of the other context sentences."""
ROWS = torch.tensor([[1, 4, 2], [3, NONE, NONE]])


def small(config: CamnConfig, **changes: object) -> CamnConfig:
    return replace(config, size=3, heads=2, feed_forward=12, **changes)  # type: ignore[arg-type]


def build(config: CamnConfig, seed: int = 0) -> Camn:
    torch.manual_seed(seed)
    camn = Camn(config, D).double().eval()
    with torch.no_grad():
        for parameter in camn.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return camn


def sentences(seed: int = 1) -> tuple[Encoded, list[tuple[torch.Tensor, torch.Tensor]]]:
    """H_source, and the inputs of the attention: the batch, then the other sentences."""
    generator = torch.Generator().manual_seed(seed)
    groups = []
    for lengths in LENGTHS:
        states = torch.randn(len(lengths), max(lengths), D, dtype=torch.float64, generator=generator)
        mask = torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None]
        groups.append((states, mask))
    source = torch.randn(groups[0][0].shape, dtype=torch.float64, generator=generator)
    return Encoded(source, groups[0][1]), groups


def softmax(scores: Sequence[float]) -> np.ndarray:
    values = np.exp(np.array(scores))
    return values / values.sum()


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def multi_head(attention: Attention, x: np.ndarray) -> np.ndarray:
    """MultiHead(x, x, x) of eqs (4) to (6), head by head and word by word."""
    q, k, v, o = (
        (part.weight.detach().numpy(), part.bias.detach().numpy())
        for part in (attention.query, attention.key, attention.value, attention.output)
    )
    size = D // attention.heads
    joined = np.zeros_like(x)
    for head in range(attention.heads):
        part = slice(head * size, (head + 1) * size)
        query, key, value = (x @ w[part].T + b[part] for w, b in (q, k, v))
        for i in range(len(x)):
            weights = softmax([query[i] @ key[j] / np.sqrt(size) for j in range(len(x))])
            joined[i, part] = sum(weights[j] * value[j] for j in range(len(x)))
    return joined @ o[0].T + o[1]


def cell(core: torch.nn.Module, kind: str, x: np.ndarray, state: tuple) -> tuple[np.ndarray, np.ndarray]:
    """One step of an Elman RNN, LSTM or GRU as PyTorch documents them."""
    h, c = state
    wi, wh, bi, bh = (
        getattr(core, f"{name}_l0").detach().numpy()
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    inputs, hidden = wi @ x + bi, wh @ h + bh
    if kind == "rnn":
        return np.tanh(inputs + hidden), c
    if kind == "lstm":
        i, f, g, o = np.split(inputs + hidden, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        return sigmoid(o) * np.tanh(c), c
    (ri, zi, ni), (rh, zh, nh) = np.split(inputs, 3), np.split(hidden, 3)
    z = sigmoid(zi + zh)
    return (1 - z) * np.tanh(ni + sigmoid(ri + rh) * nh) + z * h, c


def merged(camn: Camn, raw: list[np.ndarray], words: list[np.ndarray]) -> np.ndarray:
    """Eqs (10) to (25) for one sentence; raw[j] is M_j [S, K_j], words[j] is c'_j [K_j, D]."""
    config, length = camn.config, raw[0].shape[0]
    a = []
    for m, c in zip(raw, words, strict=True):
        alpha = [softmax(m[i]) for i in range(length)]  # (10), (11)
        a.append(np.stack([sum(alpha[i][k] * c[k] for k in range(len(c))) for i in range(length)]))  # (13)
    if config.merging == "concatenation":  # (14)
        whole = np.concatenate([*a, *([np.zeros((length, D))] * (config.size - len(a)))], axis=1)
        projection = camn.merge.project  # type: ignore[attr-defined]
        return whole @ projection.weight.detach().numpy().T + projection.bias.detach().numpy()
    if config.merging == "average":  # (15)
        return np.mean(a, axis=0)
    if config.merging == "weighted":  # (16), (17)
        beta = softmax([m.mean() for m in raw])
        return sum(b * part for b, part in zip(beta, a, strict=True))
    if config.merging == "flat":  # (18) to (21)
        whole, c = np.concatenate(raw, axis=1), np.concatenate(words)
        return np.stack([softmax(whole[i]) @ c for i in range(length)])
    assert isinstance(camn.merge, ContextualRNN)
    states = []
    for core, backward in zip(camn.merge.cores, camn.merge.directions, strict=True):
        rows = []
        for k in range(length):
            width: Any = core.hidden_size
            state = np.zeros(width), np.zeros(width)
            for part in reversed(a) if backward else a:  # (23)
                state = cell(core, config.core, part[k], state)
            rows.append(state[0])
        states.append(np.stack(rows))
    return np.concatenate(states, axis=1)  # (24)


def one_sentence(camn: Camn, row: int) -> tuple[np.ndarray, np.ndarray]:
    """a (24) and H (27) of one of the batch's sentences, by the equations."""
    source, groups = sentences()
    plain = [states[n][mask[n]].numpy() for states, mask in groups for n in range(len(states))]
    own = multi_head(camn.attention, plain[row])  # (5)
    context = [multi_head(camn.attention, plain[n]) for n in ROWS[row].tolist() if n != NONE]  # (6)
    scale = D**-0.5 if camn.config.scaled else 1.0
    raw = [
        scale * np.array([[own[i] @ c[k] for k in range(len(c))] for i in range(len(own))]) for c in context
    ]  # (9)
    a = merged(camn, raw, context)
    hidden = torch.from_numpy(a)[None]
    for layer in camn.layers:
        hidden = layer(hidden, torch.ones(1, 1, 1, len(a), dtype=torch.bool))
    h_context = camn.norm(hidden)[0].detach().numpy()
    h_source = source.states[row][source.mask[row]].numpy()
    if camn.gate is None:
        g = np.full_like(h_source, 1 - (camn.config.gate or 0.0))
    else:
        w, b = camn.gate.weight.detach().numpy(), camn.gate.bias.detach().numpy()
        g = sigmoid(np.concatenate((h_source, h_context), axis=1) @ w.T + b)  # (26)
    return a, g * h_source + (1 - g) * h_context  # (27)


@pytest.mark.parametrize("way", WAYS, ids=NAMES)
@pytest.mark.parametrize(("scaled", "gate"), [(False, None), (True, 0.3)])
def test_the_network_follows_the_equations(way: CamnConfig, scaled: bool, gate: float | None) -> None:
    camn = build(small(way, scaled=scaled, gate=gate, gate_bias=0.0))
    source, groups = sentences()
    result = camn(source, groups, ROWS)
    merging = camn.merge(camn.match(source.mask, groups, ROWS))
    for row, length in enumerate(LENGTHS[0]):
        a, expected = one_sentence(camn, row)
        np.testing.assert_allclose(merging[row, :length].detach(), a, atol=1e-9)
        np.testing.assert_allclose(result.states[row, :length].detach(), expected, atol=1e-9)


@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_missing_context_has_no_effect(way: CamnConfig) -> None:
    """Padded groups, and missing sentences in the middle (except for concatenation)."""
    camn = build(small(way))
    source, groups = sentences()
    result = camn(source, groups, torch.tensor([[1, 4, NONE], [NONE] * 3]))
    assert torch.equal(result.states[1], source.states[1])
    padded = [
        (torch.nn.functional.pad(s, (0, 0, 0, 4), value=7.0), torch.nn.functional.pad(m, (0, 4)))
        for s, m in groups[1:]
    ]
    again = camn(source, [groups[0], *padded], torch.tensor([[1, 4, NONE], [NONE] * 3]))
    torch.testing.assert_close(again.states, result.states)
    if way.merging != "concatenation":
        hole = camn(source, groups, torch.tensor([[1, NONE, 4], [NONE] * 3]))
        torch.testing.assert_close(hole.states[0, :5], result.states[0, :5])


def test_a_learned_gate_is_the_share_of_the_source() -> None:
    source, groups = sentences()
    camn = build(small(CamnConfig()))
    assert camn.gate is not None
    with torch.no_grad():
        camn.gate.bias.fill_(1e4)
    assert torch.equal(camn(source, groups, ROWS).states, source.states)


PIECES = 30
SOURCE = torch.tensor([[BOS, 5, 6, 7, EOS], [BOS, 11, EOS, PAD, PAD], [BOS, 7, 20, EOS, PAD]])
TARGET = torch.tensor([[4, 5, 6, EOS, PAD], [9, 8, 7, 6, EOS], [12, EOS, PAD, PAD, PAD]])
OTHERS = torch.tensor([[BOS, 21, 22, 23, 24, EOS, PAD], [BOS, 25, 26, 27, 28, 29, EOS]])
CONTEXT = ContextBatch(torch.tensor([[3, 4, NONE], [0, 3, 4], [NONE] * 3]), (OTHERS,))
ENCODERS = {
    "pretrained": EncoderConfig(width=16, layers=2, frozen_layers=1, heads=2, feed_forward=24),
    "transformer": EncoderConfig("transformer", width=16, layers=2, heads=2, feed_forward=24),
}
DECODERS = {
    "transformer": DecoderConfig(width=16, layers=1, heads=2, feed_forward=24),
    "recurrent": DecoderConfig("recurrent", width=14, embedding=10, attention=8),
}
CAMN = CamnConfig(heads=2, feed_forward=12)


def model_of(encoder: str, camn: CamnConfig | None, decoder: str = "transformer") -> TranslationModel:
    torch.manual_seed(0)
    return TranslationModel(ModelConfig(PIECES, PIECES, ENCODERS[encoder], DECODERS[decoder], camn)).eval()


def logits(model: TranslationModel, context: ContextBatch | None) -> torch.Tensor:
    return model.decoder.logits(model.force_decode(model.encode(SOURCE, context), TARGET))


@pytest.mark.parametrize("encoder", list(ENCODERS))
@pytest.mark.parametrize("decoder", list(DECODERS))
def test_closed_gates_and_missing_context_equal_the_baseline(encoder: str, decoder: str) -> None:
    baseline = logits(model_of(encoder, None, decoder), None)
    shut = [replace(CAMN, gate=0.0), replace(CAMN, size=0), replace(CAMN, gate_bias=1e4)]
    for camn in shut:
        assert torch.equal(logits(model_of(encoder, camn, decoder), CONTEXT), baseline), camn
    opened = model_of(encoder, CAMN, decoder)
    assert torch.equal(logits(opened, None), baseline)
    read = logits(opened, CONTEXT)
    assert not torch.allclose(read[:2], baseline[:2], atol=1e-3)
    assert torch.equal(read[2], baseline[2])


@pytest.mark.parametrize("encoder", list(ENCODERS))
@pytest.mark.parametrize("reads", ["embeddings", "outputs"])
@pytest.mark.parametrize("way", [WAYS[0], WAYS[3], WAYS[4], WAYS[-1]])
def test_batched_equals_one_by_one(encoder: str, reads: str, way: CamnConfig) -> None:
    model = model_of(encoder, replace(way, heads=2, feed_forward=12, reads=reads, gate_bias=0.0)).double()
    together = logits(model, CONTEXT)
    texts = [row[row != PAD][None] for row in (*SOURCE, *OTHERS)]
    for row, numbers in enumerate(CONTEXT.rows.tolist()):
        groups = tuple(texts[n] for n in numbers if n != NONE)
        places = [
            1 + sum(m != NONE for m in numbers[:j]) if n != NONE else NONE for j, n in enumerate(numbers)
        ]
        context = ContextBatch(torch.tensor([places]), groups)
        target = TARGET[row][TARGET[row] != PAD][None]
        alone = model.decoder.logits(model.force_decode(model.encode(texts[row], context), target))
        torch.testing.assert_close(together[row, : target.shape[1]], alone[0])


@pytest.mark.parametrize("encoder", list(ENCODERS))
@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_every_parameter_learns(encoder: str, way: CamnConfig) -> None:
    model = model_of(encoder, replace(way, heads=2, feed_forward=12, gate_bias=0.0)).double()
    assert model.camn is not None
    with torch.no_grad():
        for parameter in model.camn.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    real = TARGET != PAD
    likelihood_loss(logits(model, CONTEXT)[real], TARGET[real], 0.0).backward()
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            assert parameter.grad is not None, name
            # a bias of keys shifts all scores equally, without effect on the softmax
            assert name.endswith("key.bias") or parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"merging": "sum"}, "rnn, concatenation, average, weighted, flat"),
        ({"core": "transformer"}, "rnn, lstm, gru"),
        ({"direction": "up"}, "forward, backward, both"),
        ({"reads": "targets"}, "outputs, embeddings"),
        ({"gate": 1.5}, "between 0 and 1"),
        ({"heads": 3}, "3 heads"),
    ],
)
def test_impossible_configurations_are_explained(changes: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        model_of("transformer", replace(CAMN, **changes))
