"""How sure the model is of its drafts, by kind of text: what decides which of them the memory keeps.

    python tests/benchmarks/measure_certainty.py DEV.jsonl.xz …

Greedy, without a memory; every few segments of each corpus, about 240 of it. Printed are quartiles of
`Contribution.certainty` and the share of the drafts that reach `draft_certainty`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.memory.confirmed import ConfirmedText
from anaphora_nmt.types import SearchOptions, SourceSegment

SAMPLE = 240


def main() -> None:
    """Print a row for each source of the corpora."""
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    least = translator.corpus().memory.get(ConfirmedText.name).draft_certainty
    options = SearchOptions(beam_size=1, memories=memories_in_use("none"))
    print(
        f"| | drafts | lower quartile | median | upper quartile | ≥ {least} |\n|---|---:|---:|---:|---:|---:|"
    )
    for path in sys.argv[1:]:
        documents = list(read_documents(Path(path)))
        lines = [(one.source_name, source) for one in documents for source, _ in one.pairs]
        found: dict[str, list[float]] = {}
        is_documentation = len({name for name, _ in lines}) > 6
        for name, source in lines[:: max(len(lines) // SAMPLE, 1)]:
            translator.open_document("d", [SourceSegment("0", source)])
            translator.translate("d", "0", options)
            written = translator._documents["d"].memory.written(0)
            if written is not None:
                found.setdefault("documentation" if is_documentation else name, []).append(written.certainty)
        for name, values in found.items():
            low, median, high = np.percentile(values, (25, 50, 75))
            share = np.mean(np.array(values) >= least)
            print(f"| {name} | {len(values)} | {low:.2f} | {median:.2f} | {high:.2f} | {share:.0%} |")


if __name__ == "__main__":
    main()
