"""What a memory that is written within a sentence knows, and what the decoder takes from it.

    python -m experiments.trials.written_worth RUN CORPUS [--against RUN] [--documents 60]

RUN is a run of MemDec or KVMemAtt, and CORPUS's references are scored (forced decoding): with the memory as
the decoder writes it, with one that nothing is written to, and, for MemDec, with the memory that another
sentence has at the same step. `probes`: how much of the variance of what has been said, and of what is still
to be said (the mean embedding of the pieces up to each step, and of those after it), ridge regression finds
in the state s_t, and in the state with what was written, M_t − M_0 summed over the cells. `against`, the
baseline, is scored on the same pieces, and both by the place of a piece in its sentence and by the length of
the source.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from torch import Tensor

from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.models.kvmematt import KeyMemoryState
from anaphora_nmt.models.memdec import BufferState
from anaphora_nmt.models.rnnsearch import RecurrentDecoder, RecurrentState
from anaphora_nmt.nn.state import Encoded, shift_right
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import prepare_pairs
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD
from experiments.trials.history_worth import opened

_BATCH = 16
_LONG = 30
"""Pieces of a source from which on it is long, as in the issue's comparisons."""
_PLACES = (0, 10, 20, 40)
"""Where the ranges of places in a sentence begin."""
_RIDGE = 100.0
"""For inputs of variance 1."""
Nats = dict[str, tuple[float, int]]


@dataclass
class Worth:
    """What was found, by setting.

    Attributes:
        nats: (sum, pieces) of each group of pieces.
        states, memories: s_t, and what was written up to then, [steps, width], a tensor a batch.
        said, to_come: mean embeddings of the pieces before and after a step, likewise.
    """

    nats: dict[str, Nats] = field(default_factory=dict)
    states: list[Tensor] = field(default_factory=list)
    memories: list[Tensor] = field(default_factory=list)
    said: list[Tensor] = field(default_factory=list)
    to_come: list[Tensor] = field(default_factory=list)

    def add(self, setting: str, losses: Tensor, counted: Tensor, sources: Tensor) -> None:
        """Losses [B, T] of the pieces counted, of sources of so many pieces [B]."""
        sums = self.nats.setdefault(setting, defaultdict(lambda: (0.0, 0)))
        places = torch.arange(losses.shape[1])[None].expand_as(losses)
        groups = {"all": counted, "long sources": counted & (sources >= _LONG)[:, None]}
        for first, end in zip(_PLACES, (*_PLACES[1:], None), strict=True):
            within = places >= first if end is None else (places >= first) & (places < end)
            groups[f"from {first}"] = counted & within
        for name, chosen in groups.items():
            total, pieces = sums[name]
            sums[name] = (total + float(losses[chosen].double().sum()), pieces + int(chosen.sum()))

    def means(self) -> dict[str, dict[str, float]]:
        """Nats a piece."""
        return {
            setting: {name: round(total / max(pieces, 1), 4) for name, (total, pieces) in groups.items()}
            for setting, groups in self.nats.items()
        }

    def probes(self) -> dict[str, dict[str, float]]:
        """R² on the second half of the steps of probes that are fitted on the first."""
        states, memories = torch.cat(self.states), torch.cat(self.memories)
        found = {}
        for name, wanted in (("said", torch.cat(self.said)), ("to come", torch.cat(self.to_come))):
            found[name] = {
                "state": _explained(states, wanted),
                "state and memory": _explained(torch.cat((states, memories), dim=1), wanted),
            }
        return found


def _explained(inputs: Tensor, wanted: Tensor) -> float:
    """R² of ridge regression, fitted on the first half of the rows and judged on the second."""
    half = len(inputs) // 2
    inputs, wanted = inputs.double(), wanted.double()
    centre, spread = inputs[:half].mean(0), inputs[:half].std(0).clamp_min(1e-6)
    inputs = (inputs - centre) / spread
    mean = wanted[:half].mean(0)
    fitted, rest = inputs[:half], inputs[half:]
    square = fitted.T @ fitted + _RIDGE * torch.eye(inputs.shape[1], dtype=torch.float64)
    weights = torch.linalg.solve(square, fitted.T @ (wanted[:half] - mean))
    left = (wanted[half:] - mean - rest @ weights).square().sum()
    return round(1 - float(left / (wanted[half:] - mean).square().sum()), 4)


@dataclass(frozen=True)
class Walk:
    """A batch's references, decoded by force.

    Attributes:
        losses: nats, [B, T]. states: s_t, [B, T, D].
        memories: before each step, then behind the last, [B, K, m] each; empty without a memory.
    """

    losses: Tensor
    states: Tensor
    memories: list[Tensor]


def _written(state: RecurrentState) -> list[Tensor]:
    """The memory of a state, if it has one that is written."""
    memory = state.memory if isinstance(state, BufferState | KeyMemoryState) else None
    return [] if memory is None else [memory]


def walk(
    decoder: RecurrentDecoder, encoded: Encoded, target: Tensor, read: Sequence[Tensor] | None = None
) -> Walk:
    """Score targets [B, T].

    Args:
        read: the memory that each step finds, in place of what the steps before have written.
    """
    state = decoder.start(encoded)
    steps, memories = [], list[Tensor]()
    for place, previous in enumerate(shift_right(target, BOS).unbind(1)):
        if read is not None and isinstance(state, BufferState | KeyMemoryState):
            state = replace(state, memory=read[place])
        memories += _written(state)
        features, state = decoder.step(previous, state)
        logits = decoder.logits(features)
        chosen = logits.log_softmax(-1).gather(1, target[:, place : place + 1]).squeeze(1)
        steps.append((-chosen, features.state))
    memories += _written(state)
    losses, states = (torch.stack(parts, dim=1) for parts in zip(*steps, strict=True))
    return Walk(losses, states, memories)


def _batches(corpus: Path, documents: int) -> Iterator[list[tuple[str, str]]]:
    """Pairs of about the same length together, of the first documents, the batches in no order."""
    read = zip(range(documents), read_documents(corpus), strict=False)
    chosen = sorted((pair for _, each in read for pair in each.pairs), key=lambda pair: len(pair[1]))
    batches = [chosen[start : start + _BATCH] for start in range(0, len(chosen), _BATCH)]
    random.Random(1).shuffle(batches)
    yield from batches


def _add_probes(
    found: Worth, decoder: RecurrentDecoder, walked: Walk, target: Tensor, counted: Tensor
) -> None:
    """Rows for the probes: the steps of the pieces counted."""
    embedded = decoder.embeddings[target].float() * counted[..., None]
    number = counted.cumsum(1).clamp_min(1)[..., None]
    said = embedded.cumsum(1) / number
    rest = counted.sum(1, keepdim=True)[..., None] - number
    to_come = (embedded.sum(1, keepdim=True) - embedded.cumsum(1)) / rest.clamp_min(1)
    kept = counted & (rest.squeeze(-1) > 0)
    start, *after = walked.memories
    memories = torch.stack([(memory - start).sum(1) for memory in after], dim=1)
    for rows, values in (
        (found.states, walked.states),
        (found.memories, memories),
        (found.said, said),
        (found.to_come, to_come),
    ):
        rows.append(values[kept].float())


@torch.inference_mode()
def worth(drafter: Drafter, against: Drafter | None, corpus: Path, documents: int) -> Worth:
    """What reading is worth in the references of the first documents."""
    decoder = drafter.model.base.decoder
    assert isinstance(decoder, RecurrentDecoder)
    found = Worth()
    for pairs in _batches(corpus, documents):
        sources, lines = prepare_pairs(pairs, drafter.source, drafter.target)
        target = drafter.padded([[*line.ids, EOS] for line in lines])
        counted = target != PAD
        lengths = torch.tensor([len(source.ids) for source in sources])
        encoded = drafter.encode_whole(sources)
        written = walk(decoder, encoded, target)
        settings = {"written": written}
        if written.memories:
            first = [written.memories[0]] * target.shape[1]
            settings["never written"] = walk(decoder, encoded, target, first)
            _add_probes(found, decoder, written, target, counted)
        if written.memories and isinstance(decoder.start(encoded), BufferState):
            others = [memory.roll(1, 0) for memory in written.memories]
            settings["another's"] = walk(decoder, encoded, target, others)
        if against is not None:
            baseline = against.model.base.decoder
            assert isinstance(baseline, RecurrentDecoder)
            settings["against"] = walk(baseline, against.encode_whole(sources), target)
        for setting, walked in settings.items():
            found.add(setting, walked.losses, counted, lengths)
    return found


def main() -> None:
    """Print a line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("run", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--against", type=Path, help="the run of the baseline")
    parser.add_argument("--documents", type=int, default=60)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    drafter = opened(arguments.run)[0]
    against = opened(arguments.against)[0] if arguments.against else None
    found = worth(drafter, against, arguments.corpus, arguments.documents)
    pieces = {name: count for name, (_, count) in found.nats["written"].items()}
    probes = found.probes() if found.memories else {}
    print(json.dumps({"pieces": pieces, "nats": found.means(), "probes": probes}))


if __name__ == "__main__":
    main()
