"""Which of the machine's other ways to say a sentence are not offered, and whether rightly.

The embedded model's alternatives of sentences of development documents, in their order: of each document the
shortest sentences, where most junk comes from, and others by chance. Prints each alternative that
`anaphora.core.suggestions.is_junk` leaves out, and how like the reference (chrF) those left out, those
offered and the draft itself are.

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
    scores: dict[str, list[float]] = {"draft": [], "offered": [], "left out": []}
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
                scores["draft"].append(sentence_chrf(found.text, reference).score)
                for text in found.alternatives:
                    kind = "left out" if is_junk(segment.text, text, found.text) else "offered"
                    scores[kind].append(sentence_chrf(text, reference).score)
                    if kind == "left out":
                        print(f"{segment.text} | {found.text} | {text}", flush=True)
            translator.close_document("d")
    for name, values in scores.items():
        print(f"{name}: {len(values)}, chrF {mean(values) if values else 0:.1f}")


if __name__ == "__main__":
    main()
