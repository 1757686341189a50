"""How quickly a term base answers: opening, recognising the terms of a segment, looking at its translation.

    python tests/benchmarks/bench_term_base.py 20000 TRAIN.jsonl.xz DEV.jsonl.xz

The terms are the words, and pairs of neighbouring words, that occur most often in the sources of TRAIN; each
is called by three words of its segment's translation. The queries are the segments of DEV. Times are wall
clock and the CPU's, as a machine may do other things, too.
"""

from __future__ import annotations

import argparse
import json
import logging
import lzma
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

from milliseconds import HEADINGS, report, timed

from anaphora.core.text import has_han
from anaphora.term_base.base import TermBase
from anaphora.term_base.entries import Entry, TargetTerm
from anaphora.term_base.file import TermFile
from anaphora.term_base.recognition import Recogniser
from anaphora.term_base.usage import check_terms


def segments(path: Path, most: int) -> Iterator[tuple[str, str]]:
    """Pairs of a corpus."""
    count = 0
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            for source, target in json.loads(line)["segments"]:
                yield source, target
                count += 1
                if count == most:
                    return


def make_entries(path: Path, count: int) -> list[Entry]:
    """The most frequent words and pairs of words as entries."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    counts: Counter[str] = Counter()
    called: dict[str, str] = {}
    for source, target in segments(path, 60_000):
        words = jieba.lcut(source)
        for text in (*words, *(left + right for left, right in pairwise(words))):
            if has_han(text) and text.isalpha():
                counts[text] += 1
                called.setdefault(text, " ".join(target.split()[:3]) or "word")
    return [Entry(text, (TargetTerm(called[text][:60]),)) for text, _ in counts.most_common(count)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("terms", type=int)
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    options = parser.parse_args()
    entries = make_entries(options.train, options.terms)
    dev = list(segments(options.dev, 10**9))
    with tempfile.TemporaryDirectory() as folder:
        file = TermFile.open(Path(folder) / "terms.sqlite")
        base = TermBase("benchmark", file)
        print(f"{base.add(entries).taken} terms; {len(dev)} segments")
        print(HEADINGS)
        made: list[Recogniser] = []
        report("all entries read and prepared", [timed(lambda: made.append(Recogniser(base.entries())))])
        file.close()
    recogniser = made[0]
    recogniser.find(dev[0][0])
    report("terms of a segment", [timed(partial(recogniser.find, source)) for source, _ in dev], "1")
    found = [recogniser.find(source) for source, _ in dev]
    print(f"    terms found: {sum(map(len, found)) / len(found):.1f} a segment")
    check = [partial(check_terms, terms, target) for terms, (_, target) in zip(found, dev, strict=True)]
    report("the same in its translation, first", [timed(call) for call in check])
    report("and again", [timed(call) for call in check])


if __name__ == "__main__":
    main()
