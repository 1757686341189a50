"""What drafts gain when the engine reads a translation memory.

    python tests/benchmarks/measure_reading_memory.py TRAIN.jsonl.xz DEV.jsonl.xz [--documents N]

The memory of a document of DEV holds the documents of TRAIN that stand in the same folder, written as TMX and
imported. Drafted is each document from its beginning, without the memory and with the best matches of its
segments brought in before it. BLEU and chrF are of the segments that have a match, and of all. So are terms,
those of `measure_terms.py`: how many of them drafts call as the references do, which nobody tells them here.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sacrebleu
from measure_terms import Case, entries_of

from anaphora.core.adapting import TaggedText
from anaphora.matches.exchange import export_units, import_units
from anaphora.term_base.recognition import Recogniser
from anaphora.translation_memory.file import MemoryFile
from anaphora.translation_memory.matching import Query
from anaphora.translation_memory.memory import TranslationMemory
from anaphora.translation_memory.reading import pairs_to_read
from anaphora.translation_memory.units import Unit
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.types import Matches, SourceSegment


@dataclass(frozen=True, slots=True)
class Row:
    """A segment with its drafts, without and with the memory."""

    case: Case
    has_match: bool
    drafts: tuple[str, ...]


def folder_of(document: ParallelDocument) -> str:
    """Where a document stands among its sisters."""
    return document.id.rpartition("/")[0]


def memory_of(sisters: list[ParallelDocument], folder: Path) -> TranslationMemory:
    """A memory that documents were imported into, by way of TMX."""
    written = TranslationMemory("written", MemoryFile.open(folder / "written.sqlite"))
    for document in sisters:
        written.add([Unit(source, target, (), "zh", "en") for source, target in document.pairs])
    export_units(folder / "sisters.tmx", [written], "benchmark")
    memory = TranslationMemory("imported", MemoryFile.open(folder / "imported.sqlite"))
    import_units(folder / "sisters.tmx", memory)
    return memory


def drafts_of(translator: Translator, sources: list[str], pairs: tuple[tuple[str, str], ...]) -> list[str]:
    """A document drafted from its beginning."""
    translator.open_document("d", [SourceSegment(str(n), source) for n, source in enumerate(sources)])
    if pairs:
        translator.bring_in("d", (Matches(pairs),))
    return [translator.translate("d", str(number)).text for number in range(len(sources))]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--segments", type=int, default=1000, help="of each document, its first")
    options = parser.parse_args()
    documents = list(read_documents(options.dev))
    random.Random(7).shuffle(documents)
    folders = {folder_of(document) for document in documents}
    sisters: dict[str, list[ParallelDocument]] = defaultdict(list)
    for document in read_documents(options.train):
        if folder_of(document) in folders:
            sisters[folder_of(document)].append(document)
    chosen = [document for document in documents if sisters[folder_of(document)]][: options.documents]
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    corpus = translator.corpus(16)
    rows: list[Row] = []
    seconds = [0.0, 0.0]
    read = 0
    for document in chosen:
        recogniser = Recogniser(entries_of(corpus, document.pairs))
        cases = [Case(*pair, recogniser.find(pair[0])) for pair in document.pairs[: options.segments]]
        sources = [case.source for case in cases]
        with tempfile.TemporaryDirectory() as folder:
            memory = memory_of(sisters[folder_of(document)], Path(folder))
            queries = [Query(TaggedText(source)) for source in sources]
            found = [bool(memory.find(query, 1)) for query in queries]
            brought = pairs_to_read(memory.find, queries)
        read += len(brought)
        drafts = []
        for number, given in enumerate(((), brought)):
            begin = time.process_time()
            drafts.append(drafts_of(translator, sources, given))
            seconds[number] += time.process_time() - begin
        rows += map(Row, cases, found, zip(*drafts, strict=True))
    matched = [row for row in rows if row.has_match]
    print(f"{len(chosen)} documents, {len(rows)} segments, {len(matched)} with a match; {read} pairs read")
    print(f"{'':12}{'with a match':>27}{'all':>27}{'CPU s':>8}")
    print(f"{'':12}" + f"{'BLEU':>8}{'chrF':>8}{'terms':>11}" * 2)
    for column, name in enumerate(("without", "with")):
        print(f"{name:12}{scores(matched, column)}{scores(rows, column)}{seconds[column]:8.0f}")
    print(
        "with a match, words to runs of four that are right: "
        + ", ".join(precisions(matched, column) for column in (0, 1))
    )
    print(f"drafts that differ: {sum(len(set(row.drafts)) > 1 for row in matched)}")


def precisions(rows: Sequence[Row], column: int) -> str:
    """Of BLEU, in percent."""
    texts, references = [row.drafts[column] for row in rows], [row.case.reference for row in rows]
    return "/".join(f"{each:.1f}" for each in sacrebleu.corpus_bleu(texts, [references]).precisions)


def scores(rows: Sequence[Row], column: int) -> str:
    """BLEU, chrF, and how many of the terms the drafts call as the references do."""
    texts, references = [row.drafts[column] for row in rows], [row.case.reference for row in rows]
    bleu = sacrebleu.corpus_bleu(texts, [references]).score
    chrf = sacrebleu.corpus_chrf(texts, [references]).score
    held = [used for row in rows for used in row.case.honoured(row.drafts[column])]
    return f"{bleu:8.2f}{chrf:8.2f}{f'{sum(held)}/{len(held)}':>11}"


if __name__ == "__main__":
    main()
