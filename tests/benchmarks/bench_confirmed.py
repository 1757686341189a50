"""Words per second with the memory of confirmed text full, against without it.

    python tests/benchmarks/bench_confirmed.py DEV.jsonl.xz [--segments 40] [--beam 5]

The pairs of the first documents are brought in until the memory holds as many pieces as it can; drafted are
the first segments of the last document, one by one, each with and without the memory in turn. What they have
in common is decoded once before. Processor time, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.memory.confirmed import ConfirmedText
from anaphora_nmt.memory.confirmed_pieces import ConfirmedPieces
from anaphora_nmt.types import MemoryPack, SearchOptions, SourceSegment


def main() -> None:
    """Print both speeds and their ratio."""
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
    held = translator._documents["d"].memory.before(0).contents[ConfirmedText.name]
    assert isinstance(held, ConfirmedPieces)
    without = SearchOptions(arguments.beam, memories={ConfirmedText.name: False})
    options = {"without": without, "with": replace(without, memories={ConfirmedText.name: True})}
    seconds = dict.fromkeys(options, 0.0)
    words = dict.fromkeys(options, 0)
    for number in range(len(sources)):
        translator.translate("d", str(number), without)
        for name, each in options.items():
            if each is without:  # the draft without any memory is kept, and compared with the other
                translator._documents["d"].plain.clear()
            begun = time.process_time()
            text = translator.translate("d", str(number), each).text
            seconds[name] += time.process_time() - begun
            words[name] += len(text.split())
    speeds = {name: words[name] / seconds[name] for name in options}
    print(
        f"{len(held)} pieces held; words/s without {speeds['without']:.1f}, with"
        f" {speeds['with']:.1f}: ratio {speeds['with'] / speeds['without']:.3f}"
    )


if __name__ == "__main__":
    main()
