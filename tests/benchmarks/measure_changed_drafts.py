"""Print drafts that confirmations change, for inspection, and their chrF2 before and after.

    python tests/benchmarks/measure_changed_drafts.py CORPUS.jsonl.xz … [--seed 1] [--drafts 200]
        [--least-alike 0] [--out FILE]

The script draws sections of 20 segments from documents, from each source of a corpus in turn, and drafts them
like the app. In each section, the references of one to four segments are confirmed and the next ten segments
are drafted again, until enough drafts have changed, with at most four from each section. Drafts with the
source of a confirmed segment do not count. FILE gets a line of JSON for each changed draft.

Many references are not edited drafts: they omit, add and translate freely. With `--least-alike 50`, only
references whose draft has a chrF2 of at least 50 are confirmed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.evaluation.significance import chrf_metric
from anaphora_nmt.types import SourceSegment

SECTION, AFTER, MOST_CONFIRMED, MOST_COUNTED = 20, 10, 4, 4
LONGEST = 100
"""Maximum number of characters of a source; longer segments are not drafted."""
Pairs = tuple[tuple[str, str], ...]


def sections(paths: list[Path], chance: random.Random) -> Iterator[tuple[str, Pairs]]:
    """Sections of documents with the documents' names, from each source in turn."""
    by_source: dict[str, list[tuple[str, Pairs]]] = {}
    for document in (each for path in paths for each in read_documents(path)):
        for start in range(0, max(1, len(document.pairs) - SECTION // 2), SECTION):
            section = document.id, document.pairs[start : start + SECTION]
            by_source.setdefault(document.source_name, []).append(section)
    for several in by_source.values():
        chance.shuffle(several)
    turns = zip_longest(*by_source.values())
    return (each for turn in turns for each in turn if each is not None)


def changed(
    translator: Translator, name: str, pairs: Pairs, chance: random.Random, least_alike: float
) -> Iterator[dict[str, Any]]:
    """The drafts of a section that confirmations change.

    Args:
        least_alike: minimum chrF2 of the drafts whose references are confirmed.
    """
    segments = [SourceSegment(str(at), source) for at, (source, _) in enumerate(pairs)]
    translator.open_document("d", segments)
    short = [at for at, (source, _) in enumerate(pairs) if len(source) <= LONGEST]
    before = {at: translator.translate("d", str(at)).text for at in short}
    first = chance.randrange(max(1, len(pairs) - AFTER))
    after = first + chance.randint(1, MOST_CONFIRMED)
    metric = chrf_metric()
    chosen = [
        at
        for at in range(first, min(after, len(pairs)))
        if metric.sentence_score(before.get(at, ""), [pairs[at][1]]).score >= least_alike
    ]
    if not chosen:
        return
    confirmed = [pairs[at] for at in chosen]
    known = {source for source, _ in confirmed}
    again = [at for at in short if after <= at < after + AFTER and pairs[at][0] not in known]
    for at in chosen:
        translator.remember("d", str(at), pairs[at][1])
    made = [translator.translate("d", str(at)) for at in again]
    for at, draft in zip(again, made, strict=True):
        if draft.text != before[at]:
            yield {
                "document": name,
                "segment": at,
                "confirmed": confirmed,
                "source": pairs[at][0],
                "reference": pairs[at][1],
                "before": before[at],
                "after": draft.text,
                "corrections": [(each.source, each.rejected, each.chosen) for each in draft.corrections],
            }


def main() -> None:
    """Print each changed draft, and their mean chrF2."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drafts", type=int, default=200)
    parser.add_argument("--least-alike", type=float, default=0.0)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    translator = Translator.load(embedded_model(), device="cpu", threads=1)
    every = (
        each
        for name, pairs in sections(arguments.files, chance)
        for each in islice(changed(translator, name, pairs, chance, arguments.least_alike), MOST_COUNTED)
    )
    found = list(islice(every, arguments.drafts))
    metric, scores = chrf_metric(), []
    for number, each in enumerate(found, 1):
        texts = [each["before"], each["after"]]
        scores.append([metric.sentence_score(text, [each["reference"]]).score for text in texts])
        print(f"{number} {each['document']} {each['segment']}: {scores[-1][0]:.0f} → {scores[-1][1]:.0f}")
        for source, target in each["confirmed"]:
            print(f"  + {source} | {target}")
        print(f"  {each['source']} | {each['reference']}")
        print(f"  before: {each['before']}\n  after:  {each['after']}")
    if arguments.out:
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in found)
        arguments.out.write_text("".join(lines), "utf-8")
    means = [sum(column) / len(scores) for column in zip(*scores, strict=True)]
    print(f"{len(scores)} changed drafts, mean chrF2 {means[0]:.2f} before, {means[1]:.2f} after")


if __name__ == "__main__":
    main()
