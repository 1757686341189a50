"""Why a target text reads as it does: one forced decoding, told word by word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.memory.fusion import of_targets
from anaphora_nmt.models.memory_augmented import ForcedDecoding
from anaphora_nmt.pipeline.drafting import Drafter, word_attention
from anaphora_nmt.pipeline.forced import Forced, MemoryContext
from anaphora_nmt.pipeline.influences import MemoryInfluences
from anaphora_nmt.pipeline.lines import PreparedLine, raw_span
from anaphora_nmt.pipeline.memory_attribution import MemoryAttribution, of_memory
from anaphora_nmt.pipeline.other_words import OtherWord, words_instead
from anaphora_nmt.text.protect import restore
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import SourceWord, TokenTrace


@torch.inference_mode()
def explain_words(
    drafter: Drafter,
    source: PreparedLine,
    target: PreparedLine,
    memory: MemoryContext,
    influence: bool,
    cancel: Callable[[], bool] | None,
) -> tuple[TokenTrace, ...]:
    """A trace for every target word; `influence`: also what the memories did, all together and word by
    word."""
    if not target.words:
        return ()
    encoded, model = drafter.encode_whole([source]), drafter.model
    ids = torch.tensor([[*target.ids, EOS]], device=model.device)
    forced = model.force_decode(encoded, ids, [memory.snapshot], memory.use, attention=True)
    if cancel is not None and cancel():
        raise Cancelled("the explanation was cancelled")
    sources = _SourceReading(forced, source, target, len(drafter.source.before))
    plain, fused = model.fused_log_probs(forced)
    best = (each[0].argmax(-1).tolist() for each in (plain, fused))
    decoded = Forced(model, forced, target.words, *best)
    instead = words_instead(model, encoded, decoded) if influence else {}
    sets = MemoryAttribution(model, encoded, memory)
    decisive = {number: named for number, word in instead.items() if (named := sets.find(word))}
    readings = [MemoryInfluences(decoded, name, memory.snapshot, memory.reader) for name in forced.readings]
    uses = [reading.uses(influence, of_memory(decisive, reading.name)) for reading in readings]
    traces = [
        replace(
            sources.trace(number),
            uses=tuple(use for each in uses for use in each[number]),
            shares=tuple(reading.share(word) for reading in readings),
        )
        for number, word in enumerate(target.words)
    ]
    if not influence:
        return tuple(traces)
    changes = _array(forced.target_log_probs - of_targets(plain, ids))
    influences = (float(changes[slice(*word.pieces)].sum()) for word in target.words)
    others = (_text(drafter, target, instead.get(number)) for number in range(len(traces)))
    return tuple(
        replace(trace, memory_influence=influence, without_memory=other)
        for trace, influence, other in zip(traces, influences, others, strict=True)
    )


def _text(drafter: Drafter, target: PreparedLine, word: OtherWord | None) -> str | None:
    if word is None:
        return None
    return restore(drafter.target.decode(word.pieces), target.line.strings).strip()


class _SourceReading:
    """What a forced decoding says of the source, by target word."""

    def __init__(
        self, forced: ForcedDecoding, source: PreparedLine, target: PreparedLine, marks: int
    ) -> None:
        """Args: `marks`: how many marks of languages stand before the source's pieces."""
        assert forced.attention is not None
        self.target = target
        self.attention = word_attention(_array(forced.attention)[:, marks:], source, target)
        self.log_probs = _array(forced.target_log_probs)

    def trace(self, number: int) -> TokenTrace:
        word = self.target.words[number]
        place = raw_span(self.target.line.tags, word.start, word.end)
        log_probability = float(self.log_probs[slice(*word.pieces)].sum())
        return TokenTrace(word.text, *place, log_probability, tuple(map(float, self.attention[number])))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor[0].float().cpu().numpy()


def source_words(source: PreparedLine) -> tuple[SourceWord, ...]:
    return tuple(
        SourceWord(word.text, *raw_span(source.line.tags, word.start, word.end)) for word in source.words
    )
