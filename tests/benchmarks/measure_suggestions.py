"""Which of the machine's other ways to say a sentence are not offered, and whether rightly.

The embedded model's alternatives of sentences of development documents, in their order: of each document the
shortest sentences, where most junk comes from, and others by chance. Prints each alternative that
`anaphora.core.suggestions.is_junk` leaves out, and of those offered the ones that are the least like the
reference, measured against their draft (chrF); then how much less like it both kinds are in the mean.

Run: python tests/benchmarks/measure_suggestions.py FOLDER… [--documents 12]     (folders of shared/data)
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from pathlib import Path
from statistics import mean

from sacrebleu import sentence_chrf

from anaphora.core.suggestions import is_junk
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.types import SearchOptions, SourceSegment

SHORTEST, OTHERS = 5, 5
WORST = 20
"""So many of those offered are shown."""
LONGEST = 60
"""Characters of a source."""


def sentences(folder: Path, documents: int) -> list[list[list[str]]]:
    """The pairs of some documents of a folder's development set."""
    with lzma.open(folder / "dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        found = [json.loads(line)["segments"] for line in lines]
    random.Random(7).shuffle(found)
    return found[:documents]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--documents", type=int, default=12)
    options = parser.parse_args()
    translator = Translator.load(embedded_model(), "cpu", 1)
    search, dice = SearchOptions(n_best=SearchOptions().beam_size), random.Random(7)
    found_by: dict[str, list[tuple[float, str]]] = {"offered": [], "left out": []}
    for folder in options.folders:
        for pairs in sentences(folder, options.documents):
            segments = [SourceSegment(str(row), source) for row, (source, _) in enumerate(pairs)]
            translator.open_document("d", segments)
            short = [each for each in segments if len(each.text) <= LONGEST]
            chosen = sorted(short, key=lambda each: len(each.text))[:SHORTEST]
            chosen += dice.sample(short, min(OTHERS, len(short)))
            for segment in {each.id: each for each in chosen}.values():
                found = translator.translate("d", segment.id, search)
                reference = [pairs[int(segment.id)][1]]
                own = sentence_chrf(found.text, reference).score
                for text in found.alternatives:
                    kind = "left out" if is_junk(segment.text, text, found.text) else "offered"
                    lost = own - sentence_chrf(text, reference).score
                    found_by[kind].append((lost, f"{segment.text} | {found.text} | {text}"))
            translator.close_document("d")
    for kind, found_here in found_by.items():
        shown = sorted(found_here, reverse=True)[: WORST if kind == "offered" else None]
        print(f"\n{kind}: {len(found_here)}")
        for lost, line in shown:
            print(f"{lost:6.1f}  {line}")
    for kind, found_here in found_by.items():
        losses = [lost for lost, _ in found_here]
        print(
            f"{kind}: {len(losses)}, chrF below the draft's in the mean {mean(losses) if losses else 0:.1f}"
        )


if __name__ == "__main__":
    main()
