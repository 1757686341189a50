"""Effects of one confirmation on the drafts after it: each segment of a genre is confirmed in turn, alone.

    python tests/golden/genres/confirm_one.py [contract story …] [--after 10] [--memories default]
    python tests/golden/genres/confirm_one.py CORPUS --documents 4 --segments 30

The genre, or the beginnings of a corpus's first documents, is drafted as the app drafts it (beam 5, the
embedded model). Then the reference of each segment is confirmed, the drafts of the segments after it are
made again as the app does, and the confirmation is taken back. Each draft that would be another one is
printed with the one before it: `taken`, or `withheld`, which is only offered beside the one that stands.
Phrases repeated only in the new draft are marked.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.evaluate import memories_in_use
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.types import SearchOptions, SourceSegment

HERE = Path(__file__).parent
TWICE = re.compile(r"\b([a-z]+(?: [a-z]+){1,4}) \1\b", re.IGNORECASE)


def confirm_each(
    translator: Translator, document: ParallelDocument, after: int, options: SearchOptions
) -> Counter[str]:
    """Print what changes, and count it."""
    pairs = document.pairs
    segments = [SourceSegment(str(number), source) for number, (source, _) in enumerate(pairs)]
    translator.open_document("genre", segments)
    before = [translator.translate("genre", segment.id, options).text for segment in segments]
    counts: Counter[str] = Counter()
    for number, (_, reference) in enumerate(pairs):
        translator.remember("genre", str(number), reference)
        for later in range(number + 1, min(number + 1 + after, len(pairs))):
            made = translator.translate("genre", str(later), options)
            counts["drafts"] += 1
            for kind, text in (("taken", made.text), ("withheld", made.withheld)):
                if not text or text == before[later]:
                    continue
                counts[kind] += 1
                twice = bool(TWICE.search(text)) and not TWICE.search(before[later])
                counts[f"{kind}, a phrase twice"] += twice
                sign = "  << twice" if twice else ""
                print(
                    f"{kind:8} {number + 1} → {later + 1}: {before[later]}\n{'':16}{text}{sign}", flush=True
                )
        translator.forget("genre", str(number))
    return counts


def main() -> None:
    """Print the drafts that change, and how many there are."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("genres", nargs="*", default=["contract", "story"])
    parser.add_argument("--after", type=int, default=10)
    parser.add_argument("--documents", type=int, default=1)
    parser.add_argument("--segments", type=int, default=100)
    parser.add_argument("--memories", default="default", help="as of “anaphora-nmt evaluate”")
    arguments = parser.parse_args()
    translator = Translator.load(embedded_model(), threads=1)
    options = SearchOptions(memories=memories_in_use(arguments.memories))
    for name in arguments.genres:
        path = Path(name) if Path(name).suffix else HERE / f"{name}.jsonl"
        for document in islice(read_documents(path), arguments.documents):
            print(f"# {document.id}")
            cut = replace(document, pairs=document.pairs[: arguments.segments])
            print(dict(confirm_each(translator, cut, arguments.after, options)))


if __name__ == "__main__":
    main()
