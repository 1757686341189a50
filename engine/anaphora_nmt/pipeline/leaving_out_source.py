"""What parts of the source did for the words of a target: the model reads the sentence without them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.memory.fusion import of_targets
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import PreparedLine
from anaphora_nmt.text.vocabulary import EOS

_PIECES_AT_ONCE = 256
"""Target pieces that are decoded together: some hundredths of a second of one core."""


@torch.inference_mode()
def stretch_influences(
    drafter: Drafter,
    source: PreparedLine,
    target: PreparedLine,
    stretches: Sequence[Iterable[int]],
    cancel: Callable[[], bool] | None = None,
) -> tuple[tuple[float, ...], ...]:
    """log p of each target word minus that without some source words, for each stretch (numbers of these), in
    nats."""
    if not stretches or not target.words:
        return tuple(() for _ in stretches)
    log_probs = _log_probs(drafter, source, [*target.ids, EOS], stretches, cancel)
    lost = log_probs[0] - log_probs[1:]
    return tuple(tuple(float(row[slice(*word.pieces)].sum()) for word in target.words) for row in lost)


def _log_probs(
    drafter: Drafter,
    source: PreparedLine,
    pieces: list[int],
    left_out: Sequence[Iterable[int]],
    cancel: Callable[[], bool] | None = None,
) -> Tensor:
    encoded = drafter.encode_whole([source])
    mask, marks = encoded.mask.repeat(len(left_out) + 1, 1), len(drafter.source.before)
    for row, words in enumerate(left_out, 1):
        for word in words:
            begin, end = source.words[word].pieces
            mask[row, begin + marks : end + marks] = False
    size = max(1, _PIECES_AT_ONCE // len(pieces))
    found = []
    for rows in mask.split(size):
        if cancel is not None and cancel():
            raise Cancelled("leaving out parts of the source was cancelled")
        found.append(_of_masks(drafter, Encoded(encoded.states.expand(len(rows), -1, -1), rows), pieces))
    return torch.cat(found)


def _of_masks(drafter: Drafter, encoded: Encoded, pieces: list[int]) -> Tensor:
    model = drafter.model
    ids = torch.tensor([pieces], device=model.device).expand(len(encoded.mask), -1)
    log_probs = model.log_probs_after(model.base.force_decode(encoded, ids), ())
    return of_targets(log_probs, ids).double()
