"""Whether a segment whose source was confirmed before has the confirmed translation as its draft, verbatim.

    python tests/benchmarks/measure_repetitions.py DEV.jsonl.xz

Each reference is confirmed before the next segment; drafted (greedy) are those whose source stood before in
the same document.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import SearchOptions


def main() -> None:
    """Print how many drafts are what was confirmed for the same source."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    arguments = parser.parse_args()
    documents, again = [], []
    for document in read_documents(arguments.corpus):
        sources = [source for source, _ in document.pairs]
        places = [place for place, source in enumerate(sources) if source in sources[:place]]
        if places:
            documents.append(document.pairs[: places[-1] + 1])
            again.append(places)
    corpus = Translator.load(embedded_model(), threads=1).corpus()
    drafts = corpus.translate(
        [[source for source, _ in pairs] for pairs in documents],
        SearchOptions(beam_size=1, memories=memories_in_use("confirmed")),
        [[target for _, target in pairs] for pairs in documents],
        None,
        again,
    )
    verbatim = sum(
        drafts[number][place] in {target for source, target in pairs[:place] if source == pairs[place][0]}
        for number, pairs in enumerate(documents)
        for place in again[number]
    )
    total = sum(map(len, again))
    share = f"{verbatim} verbatim ({verbatim / max(1, total):.1%})"
    print(f"{total} repeated sources in {len(documents)} documents: {share}")


if __name__ == "__main__":
    main()
