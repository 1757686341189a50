"""What the rail calls not followed: how many such remarks there are, and each with its sentences, to be read.

    python tests/benchmarks/measure_remarks.py CORPUS.jsonl.xz … [--most 100] [--out FILE.tsv] [--draw SEED]
    python tests/benchmarks/measure_remarks.py --verdicts tests/golden/remarks/remarks.tsv

Documents are read in parts of 40 segments (`--part`), the first part of each before the second of any, as
somebody works who confirms each segment before the next one: from the eleventh on a part's drafts are looked
at, with the references of all before them confirmed. A remark says that a confirmed word renders a source
word that stands here, too, and that another one stands in its place. Only documents under permissive licences
or in the public domain, only short sentences: what is read is kept with a verdict (`tests/golden/remarks`).
With `--draw` the documents come in an order drawn by the seed, without those of which a remark was read.
With `--verdicts` a table that was read is counted: what the rule said, and how much of it is true.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from anaphora.core.influence import InfluenceMark, influence_marks
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.types import Explanation, MemoryUse, SearchOptions, SourceSegment

PERMISSIVE = ("Apache-2.0", "Apache-2.0 / CC-BY-4.0", "MIT", "MIT / Apache-2.0", "PSF-2.0", "CC-BY-4.0")
PUBLIC = "public domain"
PART, CONFIRMED, LONGEST = 40, 10, 80
LEAST = 25
READ = Path(__file__).parents[1] / "golden" / "remarks" / "remarks.tsv"
COLUMNS = (
    *("doc", "licence", "segment", "confirmed source", "confirmed", "source", "draft", "remark", "word"),
    *("strength", "rivals", "expected", "clear"),
)


def remarks(
    translator: Translator, document: ParallelDocument, first: int, part: int
) -> Iterator[tuple[str, ...]]:
    """The rows of a part of a document that begins with segment `first`."""
    pairs = document.pairs[first : first + part]
    translator.open_document("d", [SourceSegment(str(at), source) for at, (source, _) in enumerate(pairs)])
    for at, (source, reference) in enumerate(pairs):
        if at >= CONFIRMED and len(source) <= LONGEST:
            draft = translator.translate("d", str(at), SearchOptions(beam_size=1)).text
            yield from _said(translator, document, first, at, draft)
        translator.remember("d", str(at), reference)


def _said(
    translator: Translator, document: ParallelDocument, first: int, at: int, draft: str
) -> Iterator[tuple[str, ...]]:
    """The rows of a draft."""
    explanation = translator.explain("d", str(at), draft)
    for mark in influence_marks(explanation):
        before = document.pairs[first + int(mark.segment)]
        if mark.followed or len(before[0]) > 4 * LONGEST:
            continue
        use = use_of(explanation, mark)
        yield (
            *(document.id, document.licence, str(first + at), *before, document.pairs[first + at][0], draft),
            *(f"{mark.translates} → {mark.word}", draft[mark.start : mark.end]),
            *(f"{use.strength:.3f}", " ".join(use.rivals), f"{use.expected:.2f}", "yes" * use.is_clear),
        )


def use_of(explanation: Explanation, mark: InfluenceMark) -> MemoryUse:
    """What a mark speaks of."""
    return next(
        use
        for token in explanation.tokens
        for use in token.uses
        if (token.start, use.label, use.segment) == (mark.start, mark.word, mark.segment)
    )


def parts(documents: Sequence[ParallelDocument], part: int) -> Iterator[tuple[ParallelDocument, int]]:
    """Documents with the first segment of a part."""
    longest = max((len(document.pairs) for document in documents), default=0)
    for first in range(0, longest, part):
        for document in documents:
            if first == 0 or len(document.pairs) >= first + LEAST:
                yield document, first


def main() -> None:
    """Print the remarks, and write them as a table; or count what was read."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path, nargs="*")
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--draw", type=int)
    parser.add_argument("--part", type=int, default=PART)
    parser.add_argument("--verdicts", type=Path)
    arguments = parser.parse_args()
    if arguments.verdicts:
        count(arguments.verdicts)
        return
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    rows: list[tuple[str, ...]] = []
    documents = [each for path in arguments.corpus for each in read_documents(path)]
    free = [each for each in documents if each.licence in PERMISSIVE or each.licence.startswith(PUBLIC)]
    if arguments.draw is not None:
        known = {row["doc"] for row in read_table(READ)}
        free = [each for each in free if each.id not in known]
        random.Random(arguments.draw).shuffle(free)
    for document, first in parts(free, arguments.part):
        if len(rows) >= arguments.most:
            break
        rows += remarks(translator, document, first, arguments.part)
        print(f"{len(rows)} remarks after {document.id}", file=sys.stderr, flush=True)
        if arguments.out:
            write(arguments.out, rows[: arguments.most])
    print(f"{len(rows)} remarks")


def count(path: Path) -> None:
    """Print how many of the remarks that were read are true, and how many of those that the rule says."""
    table = read_table(path)
    for part in ("", *dict.fromkeys(row["part"] for row in table)):
        rows = [row for row in table if part in ("", row["part"])]
        said = [row for row in rows if row["said"] == "yes"]
        true, told = (sum(row["verdict"] == "true" for row in some) for some in (rows, said))
        print(f"{part or 'all':28}  read {len(rows):3}, true {true:3}   said {len(said):3}, true {told:3}")


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table of remarks by the names of their columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def write(path: Path, rows: list[tuple[str, ...]]) -> None:
    """Write the rows, with an empty column for the verdict."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow((*COLUMNS, "verdict"))
        table.writerows((*row, "") for row in rows)


if __name__ == "__main__":
    main()
