"""Draw what the quality estimate says against what is true of it, on documents that it was not fitted on.

    python tests/benchmarks/plot_calibration.py OUT.svg FILE… [--segments 250] [--model FOLDER] [--by-genre]

FILE are parallel documents (JSON Lines). A point is a tenth of the segments, or of the words with a letter:
the mean of what is said of them, and their mean chrF2, or the share of them that the reference has; with
`--by-genre` a fifth of a genre's segments. Needs the extra `report` (matplotlib). It prints the points, too.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.evaluation.estimates import calibration
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.pipeline.judged_corpus import Judged, draw, judged
from anaphora_nmt.pipeline.quality_fit import reliability, said_by, scores_of
from experiments.page.drawing import Labels, draw_curves


def reliability_by_genre(rows: list[Judged], said: np.ndarray) -> dict[str, list[tuple[float, float]]]:
    """What is said and what is true of the segments' chrF2, by fifths of each genre."""
    genres, scores = np.array([row.genre for row in rows]), scores_of(rows)
    return {
        str(genre): [(first, second) for first, second, _ in calibration(said[some], scores[some], 5)]
        for genre in sorted(set(genres))
        if (some := genres == genre).any()
    }


def main() -> None:
    """Draft, judge, print and draw."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("out", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--segments", type=int, default=250, help="of each genre")
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--by-genre", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    bundle = load_bundle(arguments.model or embedded_model())
    if bundle.quality is None:
        parser.error("the model has no quality.npz")
    documents = [document for path in arguments.corpora for document in read_documents(path)]
    rows = judged(bundle, draw(iter(documents), arguments.segments))
    said, words = said_by(bundle.quality, rows)
    curves = reliability_by_genre(rows, said) if arguments.by_genre else reliability(rows, said, words)
    for name, points in curves.items():
        print(f"{name}: " + "  ".join(f"{100 * said:.0f}/{100 * true:.0f}" for said, true in points))
    labels = Labels("Estimates of quality", "said", "true: chrF2 of segments, share of words kept")
    draw_curves(arguments.out, {**curves, "exact": [(0.0, 0.0), (1.0, 1.0)]}, labels)


if __name__ == "__main__":
    main()
