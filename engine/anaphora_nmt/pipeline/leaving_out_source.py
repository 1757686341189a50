"""What each source word did for a target word: the model reads the sentence without it."""

from __future__ import annotations

import torch

from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import PreparedLine
from anaphora_nmt.text.vocabulary import EOS


@torch.inference_mode()
def source_influences(
    drafter: Drafter, source: PreparedLine, target: PreparedLine, number: int
) -> tuple[float, ...]:
    """log p of target word `number` minus that without each source word, without memories, in nats.

    A word is left out of what the decoder reads, at this word and at those before it; what the encoder made
    of the other words stays, so that only what was read of this one is measured.
    """
    if not source.words:
        return ()
    model = drafter.model
    first, end = target.words[number].pieces
    encoded = drafter.encode_whole([source])
    count = len(source.words) + 1
    mask = encoded.mask.repeat(count, 1)
    for row, word in enumerate(source.words, 1):  # row 0 reads all
        mask[row, word.pieces[0] + 1 : word.pieces[1] + 1] = False
    ids = torch.tensor([[*target.ids, EOS][:end]], device=model.device).expand(count, -1)
    features = model.base.force_decode(Encoded(encoded.states.expand(count, -1, -1), mask), ids)
    steps = torch.zeros_like(ids, dtype=torch.bool)
    steps[:, first:] = True
    log_probs = model.log_probs_after(features.select(steps), ())
    of_word = log_probs.gather(-1, ids[steps][:, None]).view(count, -1).double().sum(-1)
    return tuple((of_word[0] - of_word[1:]).tolist())
