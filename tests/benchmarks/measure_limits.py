"""How many drafts that are over a limit of length have a candidate within it, and what that costs.

    python tests/benchmarks/measure_limits.py D/docs-zh-en/dev.jsonl.xz [--segments N]

Short segments (6 to 30 characters) of a corpus, each a document of its own, drafted without a limit and then
with one of 95, 90 and 80 % of that draft's length. chrF2 is against the corpus' references, of those segments
whose draft has changed, before and after.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import sacrebleu

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import SourceSegment

LONGEST, SHORTEST = 30, 6
SHARES = (0.95, 0.9, 0.8)


def draft(translator: Translator, source: str, most: int = 0) -> str:
    """A source's draft within a limit."""
    translator.open_document("d", [SourceSegment("1", source, most)])
    text = translator.translate("d", "1").text
    translator.close_document("d")
    return text


def main() -> None:
    """Print the table."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--segments", type=int, default=200)
    arguments = parser.parse_args()
    pairs = [pair for document in read_documents(arguments.corpus) for pair in document.pairs]
    short = [pair for pair in pairs if SHORTEST <= len(pair[0]) <= LONGEST]
    chosen = short[:: max(1, len(short) // arguments.segments)][: arguments.segments]
    translator = Translator.load(embedded_model(), threads=1)
    free = [draft(translator, source) for source, _ in chosen]
    references = [reference for _, reference in chosen]
    print(f"{len(chosen)} segments\nlimit   within   chrF2 before   after")
    for share in SHARES:
        held = [
            draft(translator, source, max(1, int(share * len(text))))
            for (source, _), text in zip(chosen, free, strict=True)
        ]
        changed = [row for row, text in enumerate(held) if text != free[row]]
        before, after = (
            sacrebleu.corpus_chrf([texts[row] for row in changed], [[references[row] for row in changed]])
            for texts in (free, held)
        )
        print(f"{share:5.0%} {len(changed):8} {before.score:14.2f} {after.score:7.2f}", flush=True)


if __name__ == "__main__":
    main()
