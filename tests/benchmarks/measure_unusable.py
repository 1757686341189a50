"""Hold the expected quality of dev drafts against a reader's judgement: where is a draft worse than none?

    python tests/benchmarks/measure_unusable.py DEV… [--model FOLDER]

DEV are the dev sets that `anaphora-nmt fit-quality` is fitted on (JSON Lines). Of the 250 segments that it
draws of each genre, 30 were judged by one reader (`tests/golden/quality/judged-dev.tsv`, without the texts):
usable as it is or after a comma, repairable with the source beside it, useless where writing anew is quicker.
Printed is, for some bounds, how many of each lie below, by estimates that were fitted without the document,
and without the whole genre, and what share of all drafts of each genre lies below the model's own bound.
Drafts that have become others since are counted and left out.
"""

from __future__ import annotations

import argparse
import csv
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.pipeline.judged_corpus import Judged, draw, judged
from anaphora_nmt.pipeline.quality_fit import scores_of
from anaphora_nmt.quality.features import segment_features
from anaphora_nmt.quality.fitting import folds, out_of_fold

JUDGED = Path(__file__).parents[1] / "golden" / "quality" / "judged-dev.tsv"
BOUNDS = (0.35, 0.4, 0.45, 0.5, 0.55)
NAMES = ("usable", "repairable", "useless")


def key_of(row: Judged) -> str:
    """What a judgement is found by."""
    both = "\t".join((row.evidence.source, row.draft))
    return f"{zlib.crc32(both.encode()):08x}"


def table(judgements: Sequence[str], said: np.ndarray) -> list[str]:
    """A line for each bound."""
    lines = []
    for bound in BOUNDS:
        below = Counter(name for name, value in zip(judgements, said, strict=True) if value < bound)
        lines.append(f"  below {bound:.2f}: " + ", ".join(f"{below[name]} {name}" for name in NAMES))
    return lines


def shares(genres: Sequence[str], said: np.ndarray, bound: float) -> str:
    """How many of each genre's drafts lie below a bound."""
    found = (f"{genre} {np.mean(said[np.array(genres) == genre] < bound):.0%}" for genre in sorted({*genres}))
    return f"  below {bound:.2f} of all: " + ", ".join(found)


def main() -> None:
    """Draft, judge, print."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--model", type=Path, default=None)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    bundle = load_bundle(arguments.model or embedded_model())
    if bundle.quality is None:
        parser.error("the model has no quality.npz")
    documents = (document for path in arguments.corpora for document in read_documents(path))
    rows = judged(bundle, draw(documents, 250))
    with JUDGED.open(encoding="utf-8", newline="") as file:
        known = {line["draft"]: line["judged"] for line in csv.DictReader(file, delimiter="\t")}
    places = {key_of(row): number for number, row in enumerate(rows) if key_of(row) in known}
    found, judgements = list(places.values()), [known[key] for key in places]
    every = Counter(judgements)
    print(f"{len(found)} of {len(known)} judged: " + ", ".join(f"{every[name]} {name}" for name in NAMES))
    features = np.stack([segment_features(row.evidence, bundle.quality.training) for row in rows])
    genres = np.unique([row.genre for row in rows], return_inverse=True)[1]
    for name, fold in (("document", folds([row.document for row in rows])), ("genre", genres)):
        print(f"fitted without the {name}:")
        said = out_of_fold(features, scores_of(rows), fold)
        print(*table(judgements, said[found]), sep="\n")
        print(shares([row.genre for row in rows], said, bundle.quality.thresholds.unusable))


if __name__ == "__main__":
    main()
