"""What the rail calls not followed: how many such remarks there are, and each with its sentences, to be read.

    python tests/benchmarks/measure_remarks.py CORPUS.jsonl.xz … [--most 100] [--out FILE.tsv]

The references of every document's first half are confirmed, as far as they are read at all (12 segments), and
the drafts of the second half are looked at: a remark says that a confirmed word renders a source word that
stands here, too, and that another one stands in its place. Only documents under permissive licences, only
short sentences: what is read is kept in `tests/golden/remarks`, with a verdict.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from anaphora.core.influence import influence_marks
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.types import SearchOptions, SourceSegment

PERMISSIVE = ("Apache-2.0", "Apache-2.0 / CC-BY-4.0", "MIT", "MIT / Apache-2.0", "PSF-2.0", "CC-BY-4.0")
CONFIRMED, READ, LONGEST = 24, 16, 60
COLUMNS = ("doc", "licence", "segment", "confirmed source", "confirmed", "source", "draft", "remark", "word")


def remarks(translator: Translator, document: ParallelDocument) -> Iterator[tuple[str, ...]]:
    """The rows of a document."""
    pairs = document.pairs[: CONFIRMED + READ]
    half = len(pairs) * CONFIRMED // (CONFIRMED + READ)
    translator.open_document("d", [SourceSegment(str(at), source) for at, (source, _) in enumerate(pairs)])
    for at in range(half):
        translator.remember("d", str(at), pairs[at][1])
    for at in range(half, len(pairs)):
        source = pairs[at][0]
        if len(source) > LONGEST:
            continue
        draft = translator.translate("d", str(at), SearchOptions(beam_size=1)).text
        for mark in influence_marks(translator.explain("d", str(at), draft)):
            if not mark.followed and len(pairs[int(mark.segment)][0]) <= LONGEST:
                remark = f"{mark.translates} → {mark.word}"
                before = pairs[int(mark.segment)]
                word = draft[mark.start : mark.end]
                yield document.id, document.licence, str(at), *before, source, draft, remark, word


def main() -> None:
    """Print the remarks, and write them as a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    rows: list[tuple[str, ...]] = []
    for path in arguments.corpus:
        for document in read_documents(path):
            if document.licence in PERMISSIVE and len(rows) < arguments.most:
                rows += remarks(translator, document)
                print(f"{len(rows)} remarks after {document.id}", file=sys.stderr, flush=True)
                if arguments.out:
                    write(arguments.out, rows[: arguments.most])
    print(f"{len(rows)} remarks")


def write(path: Path, rows: list[tuple[str, ...]]) -> None:
    """Write the rows, with an empty column for the verdict."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow((*COLUMNS, "verdict"))
        table.writerows((*row, "") for row in rows)


if __name__ == "__main__":
    main()
