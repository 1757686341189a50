"""How quickly a translation memory answers: matches of a segment, concordance, confirming, import.

    python tests/benchmarks/bench_translation_memory.py 100000 TRAIN.jsonl.xz DEV.jsonl.xz

The units are pairs of TRAIN, each once, in a shuffled order; the queries are segments of DEV, which TRAIN
does not hold, and segments of TRAIN, also with one character changed. Times are of the call that runs beside
the window's thread: wall clock, and the CPU's, as a machine may do other things, too.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from milliseconds import HEADINGS, report, timed

from anaphora.core.adapting import TaggedText
from anaphora.translation_memory.concordance import search_memory
from anaphora.translation_memory.file import MemoryFile
from anaphora.translation_memory.matching import EXACT, Query
from anaphora.translation_memory.memory import TranslationMemory
from anaphora.translation_memory.units import Unit

BATCH = 10000
QUERIES = 500


def documents(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """Names and segments of a corpus."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            yield document["doc"], document["segments"]


def make_units(path: Path, count: int, chance: random.Random) -> list[Unit]:
    """Units of a corpus with their neighbours, each pair of texts once."""
    units: dict[tuple[str, str], Unit] = {}
    for name, pairs in documents(path):
        sources = ["", *(source for source, _ in pairs), ""]
        for number, (source, target) in enumerate(pairs, 1):
            context = sources[number - 1], sources[number + 1]
            units.setdefault((source, target), Unit(source, target, (), "zh", "en", 1, 1, "", name, *context))
    chosen = list(units.values())
    chance.shuffle(chosen)
    if len(chosen) < count:
        raise SystemExit(f"{path} holds only {len(chosen)} different pairs")
    return chosen[:count]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("units", type=int)
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    options = parser.parse_args()
    chance = random.Random(7)
    units = make_units(options.train, options.units, chance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.sqlite"
        file = MemoryFile.open(path)
        memory = TranslationMemory("benchmark", file)
        start, own = time.perf_counter(), time.thread_time()
        for first in range(0, len(units), BATCH):
            memory.add(units[first : first + BATCH])
        seconds, own = time.perf_counter() - start, time.thread_time() - own
        size = sum(each.stat().st_size for each in path.parent.iterdir()) / 2**20
        print(f"{len(memory)} units imported in {seconds:.1f} s (CPU {own:.1f} s); {size:.0f} MiB")
        measure(memory, units, [pair for _, pairs in documents(options.dev) for pair in pairs], chance)
        file.close()


def measure(
    memory: TranslationMemory, units: list[Unit], dev: list[list[str]], chance: random.Random
) -> None:
    """Print the table."""
    print(HEADINGS)
    unseen = [source for source, _ in chance.sample(dev, QUERIES)]
    found: list[bool] = []

    def look_up(source: str) -> None:
        found.append(bool(memory.find(Query(TaggedText(source)))))

    report("matches of an unseen segment", [timed(partial(look_up, source)) for source in unseen], "50")
    print(f"    with a match: {sum(found)} of {len(found)}")
    known = chance.sample([unit for unit in units if len(unit.source) >= 8], QUERIES)
    exact: list[bool] = []

    def look_up_known(unit: Unit) -> None:
        matches = memory.find(Query(TaggedText(unit.source), unit.previous, unit.following))
        exact.append(bool(matches) and matches[0].percent >= EXACT)

    report("matches of a known segment", [timed(partial(look_up_known, unit)) for unit in known], "50")
    print(f"    found: {sum(exact)} of {len(exact)}")
    close: list[bool] = []

    def look_up_changed(unit: Unit) -> None:
        place = chance.randrange(len(unit.source))
        changed = unit.source[:place] + "某" + unit.source[place + 1 :]
        close.append(
            any(match.unit.source == unit.source for match in memory.find(Query(TaggedText(changed))))
        )

    report("with one character changed", [timed(partial(look_up_changed, unit)) for unit in known], "50")
    print(f"    found: {sum(close)} of {len(close)}")
    chinese = [
        source[place : place + 2] for source in unseen if (place := len(source) // 2) + 2 <= len(source)
    ]
    report("concordance, two characters", [timed(partial(search_memory, memory, w)) for w in chinese], "50")
    words = [
        word for _, target in chance.sample(dev, QUERIES) for word in target.split()[:1] if len(word) > 2
    ]
    report("concordance, an English word", [timed(partial(search_memory, memory, w)) for w in words], "50")
    phrases = [" ".join(target.split()[:3]) for _, target in chance.sample(dev, QUERIES)]
    report(
        "concordance, three English words",
        [timed(partial(search_memory, memory, w)) for w in phrases],
        "50",
    )
    confirmed = [
        Unit(source, target, created=2, changed=2, key=str(number), previous="", following="")
        for number, (source, target) in enumerate(chance.sample(dev, QUERIES))
    ]
    report("a confirmed segment goes in", [timed(partial(memory.update, [unit])) for unit in confirmed])
    report("and out again", [timed(partial(memory.update, [], [unit.key])) for unit in confirmed])


if __name__ == "__main__":
    main()
