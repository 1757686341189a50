"""What the part of a sentence before it is worth to a part, to a model that simply reads both.

    python -m experiments.trials.context_worth MODEL CUT [--documents 60]

MODEL is a model folder, CUT a corpus of `cut_at_commas`. References of parts that are not their sentence's
first are scored (forced decoding): alone, and behind the part before, its source in front of theirs and its
reference, or its draft, in front of their target; and behind a part of another sentence. The difference is
about what a memory of context can bring to the same parts.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import prepare_source, prepare_target
from anaphora_nmt.text.vocabulary import EOS, PAD
from experiments.trials.history_worth import PLAIN

_BATCH = 16
Pair = tuple[str, str]


@dataclass(frozen=True)
class Part:
    """A part of a sentence with what stands before it."""

    pair: Pair
    before: Pair
    drafted: Pair


def parts(path: Path, documents: int, drafter: Drafter) -> list[Part]:
    """Those that are not the first of their sentence, of the first documents."""
    found: list[tuple[Pair, Pair]] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for _, line in zip(range(documents), lines, strict=False):
            found += _later_parts(json.loads(line))
    nothing = MemorySnapshot()
    drafts = []
    for start in range(0, len(found), _BATCH):
        sources = [prepare_source(source, drafter.source) for (source, _), _ in found[start : start + _BATCH]]
        drafts += [one.text for one in drafter.draft(sources, [nothing] * len(sources), PLAIN)]
    return [
        Part(pair, before, (before[0], draft)) for (before, pair), draft in zip(found, drafts, strict=True)
    ]


def _later_parts(document: dict) -> Iterator[tuple[Pair, Pair]]:
    segments = [(pair[0], pair[1]) for pair in document["segments"]]
    place = 0
    for count in document["parts"]:
        yield from zip(segments[place : place + count - 1], segments[place + 1 : place + count], strict=True)
        place += count


@torch.inference_mode()
def loss(drafter: Drafter, each: list[Part], before: list[Pair | None]) -> tuple[float, int]:
    """Nats of the references of parts behind others, and their pieces."""
    total, pieces = 0.0, 0
    for start in range(0, len(each), _BATCH):
        sources, rows, firsts = [], [], []
        for part, other in zip(each[start : start + _BATCH], before[start : start + _BATCH], strict=True):
            source = prepare_source((other[0] if other else "") + part.pair[0], drafter.source)
            strings = source.line.strings
            first = prepare_target(other[1], strings, drafter.target).ids if other else ()
            ids = prepare_target(part.pair[1], strings, drafter.target).ids
            sources.append(source)
            rows.append([*first, *ids, EOS])
            firsts.append(len(first))
        target = drafter.padded(rows)
        forced = drafter.model.force_decode(
            drafter.encode_whole(sources), target, [MemorySnapshot()] * len(rows), frozenset()
        )
        places = torch.arange(target.shape[1])
        counted = (target != PAD) & (places >= torch.tensor(firsts)[:, None])
        total -= float(forced.target_log_probs[counted].double().sum())
        pieces += int(counted.sum())
    return total, pieces


def main() -> None:
    """Print a line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=60)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    drafter = Translator.load(arguments.model, "cpu", threads=1).corpus().drafter
    each = parts(arguments.corpus, arguments.documents, drafter)
    ways: dict[str, list[Pair | None]] = {
        "alone": [None] * len(each),
        "reference": [part.before for part in each],
        "draft": [part.drafted for part in each],
        "another's": [part.before for part in (*each[1:], each[0])],
    }
    losses = {name: loss(drafter, each, before) for name, before in ways.items()}
    nats = {name: round(total / pieces, 4) for name, (total, pieces) in losses.items()}
    print(json.dumps({"parts": len(each), "pieces": losses["alone"][1], "nats": nats}))


if __name__ == "__main__":
    main()
