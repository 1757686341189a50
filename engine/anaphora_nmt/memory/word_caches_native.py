"""The dynamic and topic caches as the native library reads them; `word_caches.py` says what is read."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from anaphora_nmt.memory.word_caches import FixedGate, Gate, Scorer, WordCaches, WordState
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.native.stack import fits
from anaphora_nmt.native.words import CachedWords, DocumentWords, HiddenLayers


def are_read(memory: WordCaches) -> bool:
    """Whether the library takes layers of these widths."""
    gate = memory.config.gate_hidden if isinstance(memory.gate, Gate) else ()
    return fits(*memory.config.scorer_hidden, *gate)


def cached_words(memory: WordCaches, held: WordState, vocabulary: WordVocabulary) -> CachedWords:
    """What is held for some sentences, before their first step."""
    gate = memory.gate
    return CachedWords(
        _layers(memory.scorer),
        gate.logit if isinstance(gate, FixedGate) else _layers(gate),
        _weights(memory.scorer.word)[0],
        memory.scorer.step.scale,
        None if memory.model_weight is None else float(memory.model_weight),
        memory.config.dynamic_size,
        vocabulary.starts.to(torch.uint8),
        vocabulary.continues.to(torch.uint8),
        vocabulary.stop_words,
        [_sentence(held, row) for row in range(len(held.fixed))],
    )


def _sentence(held: WordState, row: int) -> DocumentWords:
    slots = held.slots
    count = int((slots.order[row] >= 0).sum())
    words, order, shares = (part[row, :count].contiguous() for part in (slots.words, slots.order, held.fixed))
    return DocumentWords(words, order, shares.float(), int(slots.entered[row]))


def _layers(part: Scorer | Gate) -> HiddenLayers:
    weight, bias = _weights(part.hidden)
    output, output_bias = _weights(part.output)
    first = _weights(part.step.linear)
    return HiddenLayers(first, (weight.t().contiguous(), bias), output[0], float(output_bias[:1].sum()))


def _weights(linear: nn.Linear) -> tuple[Tensor, Tensor]:
    """Weights, and biases: 0 where there are none."""
    weight = linear.weight.detach().float().contiguous()
    bias = torch.zeros(len(weight)) if linear.bias is None else linear.bias.detach().float().contiguous()
    return weight, bias
