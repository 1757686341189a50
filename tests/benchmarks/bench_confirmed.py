"""Words per second with a full memory of confirmed text, and without it.

    python tests/benchmarks/bench_confirmed.py DEV.jsonl.xz [--segments 40] [--beam 5]

The pairs of the first documents fill the memory to its limit. The first segments of the last document are
drafted one by one: without the memory, with it, and with it again. Some drafts are compared with the one
without the memory (`suggesting/draft_maker.py`), which is cached the second time. Times are processor times,
so that a busy machine affects all speeds equally.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.memory.confirmed import ConfirmedText
from anaphora_nmt.memory.confirmed_pieces import ConfirmedPieces
from anaphora_nmt.pipeline.opened.drafts import PlainDrafts
from anaphora_nmt.types import MemoryPack, SearchOptions, SourceSegment


def main() -> None:
    """Print the speeds and their ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--segments", type=int, default=40)
    parser.add_argument("--beam", type=int, default=5)
    arguments = parser.parse_args()
    *others, last = read_documents(arguments.corpus)
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    sources = [source for source, _ in last.pairs[: arguments.segments]]
    translator.open_document("d", [SourceSegment(str(n), text) for n, text in enumerate(sources)])
    pairs = [pair for document in others for pair in document.pairs if pair[0] not in sources][:400]
    translator.bring_in("d", [MemoryPack("before", tuple(pairs))])
    pieces = translator.opened("d").memory.before(0).contents[ConfirmedText.name]
    assert isinstance(pieces, ConfirmedPieces)
    without = SearchOptions(arguments.beam, memories={ConfirmedText.name: False})
    remembering = replace(without, memories={ConfirmedText.name: True})
    ways = {"without": without, "with": remembering, "with it again": remembering}
    seconds, words = dict.fromkeys(ways, 0.0), dict.fromkeys(ways, 0)
    for number in range(len(sources)):
        for name, each in ways.items():
            if name != "with it again":
                translator.opened("d").plain = PlainDrafts()
                translator.corpus().drafter.clear_caches()
            started = time.process_time()
            text = translator.translate("d", str(number), each).text
            seconds[name] += time.process_time() - started
            words[name] += len(text.split())
    print(f"{len(pieces)} pieces held")
    first = words["without"] / seconds["without"]
    for name, total in words.items():
        milliseconds = 1000 * seconds[name] / len(sources)
        speed = total / seconds[name]
        print(f"{name:>14}: {milliseconds:6.1f} ms a draft, {speed:7.1f} words/s, ratio {speed / first:.3f}")


if __name__ == "__main__":
    main()
