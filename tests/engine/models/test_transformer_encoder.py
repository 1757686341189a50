"""The from-scratch Transformer encoder against a transcription; the rest is in `test_translation`."""

from __future__ import annotations

import math

import torch
from torch.nn import functional

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.models.encoders import TransformerEncoder
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD

CONFIG = EncoderConfig("transformer", width=8, layers=2, heads=2, feed_forward=12)


def encoder() -> TransformerEncoder:
    torch.manual_seed(0)
    built = TransformerEncoder(CONFIG, 20).double().eval()
    with torch.no_grad():
        for parameter in built.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
        built.words.weight[PAD] = 0
    return built


def attention(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Vaswani et al. (2017), section 3.2, head by head."""
    own = layer.self_attention
    heads = []
    for head in range(2):
        part = slice(head * 4, head * 4 + 4)
        query, key, value = (
            functional.linear(x, linear.weight[part], linear.bias[part])
            for linear in (own.query, own.key, own.value)
        )
        heads.append((query @ key.T / math.sqrt(4)).softmax(-1) @ value)
    return own.output(torch.cat(heads, -1))


def test_layers_are_pre_norm_over_words_and_sinusoids() -> None:
    built = encoder()
    pieces = torch.tensor([[BOS, 7, 9, 7, EOS]])
    x = torch.stack(
        [
            built.words.weight[number] * math.sqrt(8)
            + torch.tensor(
                [(math.cos if d % 2 else math.sin)(place / 10000 ** ((d - d % 2) / 8)) for d in range(8)]
            )
            for place, number in enumerate(pieces[0].tolist())
        ]
    )
    for layer in built.layers:
        x = x + attention(layer, layer.self_norm(x))
        x = x + layer.down(functional.gelu(layer.up(layer.feed_forward_norm(x))))
    torch.testing.assert_close(built(pieces, pieces != PAD)[0], built.norm(x), atol=1e-6, rtol=1e-5)
