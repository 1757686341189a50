"""Beam search by the native library: what `beam.py` finds, where nothing in it needs Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from anaphora_nmt.memory.confirmed import ConfirmedText
from anaphora_nmt.memory.confirmed_slots import ConfirmedSlots, sentence
from anaphora_nmt.memory.word_caches import FixedGate, Gate, Scorer, WordCaches, WordState
from anaphora_nmt.models.memory_augmented import AugmentedState, MemoryAugmentedModel
from anaphora_nmt.models.native_decoder import NativeDecoder, NativeState
from anaphora_nmt.native.search import Found, Remembered, Rules, Wanted, WordPenalty, search
from anaphora_nmt.native.stack import NativeOutputs, fits
from anaphora_nmt.native.words import CachedWords, DocumentWords, HiddenLayers
from anaphora_nmt.search.adjusters import Adjusters
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, UNK


def native_search(
    model: object,
    state: object,
    wanted: tuple[int, int, float, bool],
    limits: Sequence[int],
    adjusters: Adjusters,
) -> list[list[Found]] | None:
    """The n best of each sentence; None: there is no library, or it does not make all of it.

    Args:
        model, state, limits, adjusters: as of `beam_search`; any may be given.
        wanted: size of the beam, how many are given back, α, whether they say what they have seen.
    """
    if not isinstance(model, MemoryAugmentedModel) or not isinstance(state, AugmentedState):
        return None
    decoder, base, outputs = model.base.decoder, state.base, state.outputs
    if not isinstance(decoder, NativeDecoder) or not isinstance(base, NativeState):
        return None
    if outputs is not None and not (isinstance(outputs, NativeOutputs) and len(limits) == 1):
        return None
    shape, size = decoder.stack.shape, wanted[0]
    fits = max(limits) + len(decoder.prefix) <= shape.positions and 2 * size <= shape.pieces
    rules, penalty, are_all = _native(adjusters)
    held = {name: part for name, part in zip(model.memories, state.held, strict=True) if part is not None}
    if not are_all or not fits or not _is_read(model, held) or base.position != len(decoder.prefix):
        return None
    return search(
        decoder.stack,
        decoder.prefix,
        base.source.layers,
        base.source.bias,
        base.source.tokens,
        Wanted(
            size, wanted[1], limits, wanted[2], (BOS, EOS, PAD, UNK), wanted[3], outputs, base.source.trace
        ),
        rules,
        penalty,
        _remembered(model, held),
        _words(model, held),
    )


def _native(adjusters: Adjusters) -> tuple[Rules | None, WordPenalty | None, bool]:
    """What the library has for some adjusters, and whether these are all."""
    native = [each.native() for each in adjusters]
    rules = next((each for each in native if isinstance(each, Rules)), None)
    penalty = next((each for each in native if isinstance(each, WordPenalty)), None)
    found = [each for each in (rules, penalty) if each is not None]
    return rules, penalty, native == found


def _is_read(model: MemoryAugmentedModel, held: Mapping[str, object]) -> bool:
    """Whether the library reads all that the memories hold."""
    for name, part in held.items():
        memory = model.memories[name]
        if isinstance(memory, WordCaches):
            gate = memory.config.gate_hidden if isinstance(memory.gate, Gate) else ()
            if not fits(*memory.config.scorer_hidden, *gate):
                return False
        elif not isinstance(part, ConfirmedSlots) or part.library is None:
            return False
    return True


def _remembered(model: MemoryAugmentedModel, held: Mapping[str, object]) -> Remembered | None:
    memory, slots = model.memories.get(ConfirmedText.name), held.get(ConfirmedText.name)
    if slots is None:
        return None
    assert isinstance(memory, ConfirmedText) and isinstance(slots, ConfirmedSlots)
    each = [sentence(slots, number) for number in range(len(slots.pieces))]
    return Remembered(each, memory.config, memory.words)


def _words(model: MemoryAugmentedModel, held: Mapping[str, object]) -> CachedWords | None:
    memory, words = model.memories.get(WordCaches.name), held.get(WordCaches.name)
    if words is None:
        return None
    assert isinstance(memory, WordCaches) and isinstance(words, WordState)
    gate, vocabulary = memory.gate, model.vocabulary
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
        [_sentence(words, row) for row in range(len(words.fixed))],
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
