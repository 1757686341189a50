"""Transformer layers against literal transcriptions; one step at a time equals whole sentences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from anaphora_nmt.nn.transformer import (
    Attention,
    BertLayer,
    TransformerDecoderLayer,
    TransformerEncoderLayer,
    first_head_weights,
)

WIDTH, HEADS, SOURCE = 6, 2, 8


def apply(layer: nn.Linear, vector: np.ndarray) -> np.ndarray:
    return layer.weight.detach().numpy() @ vector + layer.bias.detach().numpy()


def literal_attention(
    layers: tuple[nn.Linear, nn.Linear, nn.Linear], state: np.ndarray, memory: list[np.ndarray], heads: int
) -> tuple[np.ndarray, np.ndarray]:
    """Concatenated heads before the output layer, and the weights of head 0, for one query."""
    query, keys = apply(layers[0], state), [apply(layers[1], m) for m in memory]
    values = [apply(layers[2], m) for m in memory]
    size = len(query) // heads
    parts, first = [], np.zeros(0)
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        scores = np.array([query[part] @ key[part] / math.sqrt(size) for key in keys])
        weights = np.exp(scores) / np.exp(scores).sum()
        first = weights if head == 0 else first
        parts.append(sum(w * value[part] for w, value in zip(weights, values, strict=True)))
    return np.concatenate(parts), first


@pytest.fixture
def attention() -> Attention:
    torch.manual_seed(0)
    return Attention(WIDTH, HEADS, SOURCE).double()


def test_attention_equals_the_equations(attention: Attention) -> None:
    states, memory = torch.randn(1, 3, WIDTH).double(), torch.randn(1, 5, SOURCE).double()
    mask = torch.tensor([[[[True, True, True, False, False]]]])
    result = attention(states, attention.project(memory), mask)[0].detach().numpy()
    weights = (
        first_head_weights(attention.queries(states), attention.project(memory), mask)[0].detach().numpy()
    )
    layers = attention.query, attention.key, attention.value
    for step in range(3):
        words = [memory[0, n].numpy() for n in range(3)]
        mixed, first = literal_attention(layers, states[0, step].numpy(), words, HEADS)
        np.testing.assert_allclose(result[step], apply(attention.output, mixed))
        np.testing.assert_allclose(np.exp(weights[step, :3]), first)
    assert np.isneginf(weights[:, 3:]).all()


def test_decoder_layer_step_equals_whole() -> None:
    torch.manual_seed(1)
    layer = TransformerDecoderLayer(WIDTH, HEADS, 10, SOURCE, 0.0).double().eval()
    states, memory = torch.randn(2, 4, WIDTH).double(), torch.randn(2, 5, SOURCE).double()
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])[:, None, None]
    source = layer.cross_attention.project(memory)
    whole, context, queries, _ = layer(states, None, source, mask)
    own = tuple(part[:, :, :0] for part in layer.self_attention.project(states))
    for step in range(4):
        result = layer(states[:, step : step + 1], own, source, mask)
        own = result[3]
        for one, full in zip(result[:3], (whole, context, queries.transpose(1, 2)), strict=True):
            torch.testing.assert_close(one.flatten(1), full[:, step].flatten(1))


def test_hypotheses_share_the_keys_of_their_sentence() -> None:
    torch.manual_seed(5)
    layer = TransformerDecoderLayer(WIDTH, HEADS, 10, SOURCE, 0.0).double().eval()
    states, memory = torch.randn(6, 1, WIDTH).double(), torch.randn(2, 5, SOURCE).double()
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])[:, None, None]
    own = tuple(part[:, :, :0] for part in layer.self_attention.project(states))
    source = layer.cross_attention.project(memory)
    repeated = source[0].repeat_interleave(3, 0), source[1].repeat_interleave(3, 0)
    rows = mask.repeat_interleave(3, 0)
    together, apart = layer(states, own, source, mask), layer(states, own, repeated, rows)
    for one, other in zip(together[:3], apart[:3], strict=True):
        torch.testing.assert_close(one, other)
    torch.testing.assert_close(
        first_head_weights(together[2], source, mask), first_head_weights(apart[2], repeated, rows)
    )


def test_bert_layer_equals_the_equations() -> None:
    torch.manual_seed(3)
    layer = BertLayer(WIDTH, HEADS, 10).double().eval()
    states = torch.randn(1, 4, WIDTH).double()
    mask = torch.tensor([True, True, True, False])[None, None, None]
    result = layer(states, mask)[0].detach().numpy()

    def normalise(norm: nn.LayerNorm, x: np.ndarray) -> np.ndarray:
        scaled = (x - x.mean()) / np.sqrt(x.var() + norm.eps)
        return scaled * norm.weight.detach().numpy() + norm.bias.detach().numpy()

    words = [states[0, n].numpy() for n in range(3)]
    for step, word in enumerate(words):
        mixed, _ = literal_attention((layer.query, layer.key, layer.value), word, words, HEADS)
        middle = normalise(layer.attention_norm, word + apply(layer.output, mixed))
        up = apply(layer.up, middle)
        gelu = np.array([0.5 * x * (1 + math.erf(x / math.sqrt(2))) for x in up])
        expected = normalise(layer.feed_forward_norm, middle + apply(layer.down, gelu))
        np.testing.assert_allclose(result[step], expected)


def copied(to: nn.MultiheadAttention, attention: Attention) -> None:
    """Copy the weights of `Attention` to torch's module."""
    parts = attention.query, attention.key, attention.value
    to.in_proj_weight.data = torch.cat([part.weight for part in parts])
    to.in_proj_bias.data = torch.cat([part.bias for part in parts])
    to.out_proj.load_state_dict(attention.output.state_dict())


def test_layers_equal_those_of_torch() -> None:
    torch.manual_seed(3)
    states, memory = torch.randn(1, 4, WIDTH), torch.randn(1, 5, WIDTH)
    mask = torch.ones(1, 1, 1, 4, dtype=torch.bool)
    settings: dict[str, Any] = {
        "dropout": 0.0,
        "activation": "gelu",
        "batch_first": True,
        "norm_first": True,
    }
    encoder = TransformerEncoderLayer(WIDTH, HEADS, 12, 0.0).eval()
    theirs = nn.TransformerEncoderLayer(WIDTH, HEADS, 12, **settings).eval()
    copied(theirs.self_attn, encoder.self_attention)
    for own, other in ((encoder.up, theirs.linear1), (encoder.down, theirs.linear2)):
        other.load_state_dict(own.state_dict())
    torch.testing.assert_close(encoder(states, mask), theirs(states))

    decoder = TransformerDecoderLayer(WIDTH, HEADS, 12, WIDTH, 0.0).eval()
    other_decoder = nn.TransformerDecoderLayer(WIDTH, HEADS, 12, **settings).eval()
    copied(other_decoder.self_attn, decoder.self_attention)
    copied(other_decoder.multihead_attn, decoder.cross_attention)
    for own, other in ((decoder.up, other_decoder.linear1), (decoder.down, other_decoder.linear2)):
        other.load_state_dict(own.state_dict())
    source = decoder.cross_attention.project(memory)
    found = decoder(states, None, source, torch.ones(1, 1, 1, 5, dtype=torch.bool))[0]
    causal = nn.Transformer.generate_square_subsequent_mask(4)
    torch.testing.assert_close(found, other_decoder(states, memory, tgt_mask=causal, tgt_is_causal=True))
