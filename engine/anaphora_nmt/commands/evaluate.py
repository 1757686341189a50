"""`anaphora-nmt evaluate`: a model's scores on a corpus, with and without each memory."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.commands.shared.search_arguments import add_search_arguments, search_options
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.files import write_atomically

if TYPE_CHECKING:
    from anaphora_nmt.data.corpus import ParallelDocument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument("--corpus", type=Path, required=True, help="documents with references")
    parser.add_argument("--out", type=Path, required=True, help="folder for outputs, scores and the table")
    add_search_arguments(parser)
    parser.add_argument(
        "--memories",
        default="none,cache,words,both",
        help="settings to compare, the first is the baseline; parts of one are joined by +: none, cache, "
        "words, both (cache+words), confirmed, all",
    )
    parser.add_argument("--confirmed", action="store_true", help="references enter the memory, not drafts")
    parser.add_argument("--lowercase", action="store_true", help="score without regard to case")
    parser.add_argument(
        "--all-references", action="store_true", help="score against all references that the corpus has"
    )
    parser.add_argument("--documents", type=int, help="only the first so many documents")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=24, help="sentences decoded together")


def run(arguments: argparse.Namespace) -> int:
    """Translate with each setting that is not done yet, score, write and print the table."""
    import torch

    from anaphora_nmt.data.corpus import read_documents
    from anaphora_nmt.evaluation.bleu import MetricOptions
    from anaphora_nmt.evaluation.report import EvaluationSet, compare, markdown_table

    torch.set_num_threads(arguments.threads)
    documents = list(read_documents(arguments.corpus))[: arguments.documents]
    sources = [source for document in documents for source, _ in document.pairs]
    references = _references(documents, arguments.all_references)
    options = MetricOptions(lowercase=arguments.lowercase)
    arguments.out.mkdir(parents=True, exist_ok=True)
    systems: dict[str, list[str]] = {}
    for setting in arguments.memories.split(","):
        path = arguments.out / f"{setting}.txt"
        if not path.exists():
            _translate(arguments, setting, documents)
        systems[setting] = path.read_text("utf-8").split("\n")[:-1]
    names = [document.id for document in documents for _ in document.pairs]
    given = EvaluationSet(sources, references, names, options)
    comparisons = compare(given, systems, next(iter(systems)))
    for comparison in comparisons:
        path = arguments.out / f"{comparison.evaluation.name}.json"
        path.write_text(comparison.evaluation.to_json(), "utf-8")
    table = markdown_table(comparisons)
    (arguments.out / "table.md").write_text(table, "utf-8")
    print(table)
    return 0


def _references(documents: list[ParallelDocument], wanted: bool) -> list[list[str]]:
    """One list for each set of references: the pairs' targets, or all that the corpus has of each segment."""
    if not wanted:
        return [[target for document in documents for _, target in document.pairs]]
    several = [texts for document in documents for texts in document.references]
    counts = {len(texts) for texts in several}
    if len(several) != sum(len(document.pairs) for document in documents) or len(counts) != 1:
        raise CorpusError("--all-references: not every segment of the corpus has as many references")
    return [list(texts) for texts in zip(*several, strict=True)]


def _translate(arguments: argparse.Namespace, setting: str, documents: list[ParallelDocument]) -> None:
    """Write SETTING.txt, a segment a line, and its speed to SETTING.speed.json."""
    from tqdm import tqdm

    from anaphora_nmt.api import Translator

    memories = memories_in_use(setting)
    options = search_options(arguments, memories)
    translator = Translator.load(
        arguments.model, threads=arguments.threads, int8=not arguments.float32
    ).corpus(arguments.batch)
    missing = [name for name, read in memories.items() if read and name not in translator.memory]
    if missing:
        print(f"{setting}: {arguments.model} has no {', '.join(missing)}; it is not read", file=sys.stderr)
    sources = [[source for source, _ in document.pairs] for document in documents]
    confirmed = [[target for _, target in document.pairs] for document in documents]
    started = time.perf_counter()
    with tqdm(total=sum(map(len, sources)), unit="segment", desc=setting) as bar:

        def progress(done: int, _total: int) -> None:
            bar.update(done - bar.n)

        outputs = translator.translate(sources, options, confirmed if arguments.confirmed else None, progress)
    seconds = time.perf_counter() - started
    lines = [line.replace("\n", " ") for document in outputs for line in document]
    speed = {"seconds": round(seconds, 1), "words": sum(len(line.split()) for line in lines)}
    (arguments.out / f"{setting}.speed.json").write_text(json.dumps(speed), "utf-8")
    write_atomically(arguments.out / f"{setting}.txt", "\n".join(lines) + "\n")
