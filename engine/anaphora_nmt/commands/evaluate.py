"""`anaphora-nmt evaluate`: a model's scores on a corpus, with and without each memory."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

SETTINGS = {
    "none": (False, False),
    "cache": (True, False),
    "words": (False, True),
    "both": (True, True),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument("--corpus", type=Path, required=True, help="documents with references")
    parser.add_argument("--out", type=Path, required=True, help="folder for outputs, scores and the table")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--length-penalty", type=float, default=0.8)
    parser.add_argument(
        "--memories", default="none,cache,words,both", help="settings to compare, the first is the baseline"
    )
    parser.add_argument("--confirmed", action="store_true", help="references enter the memory, not drafts")
    parser.add_argument("--documents", type=int, help="only the first so many documents")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=24, help="sentences decoded together")


def bar_progress(bar: Any) -> Callable[[int, int], None]:
    """A progress function that moves a tqdm bar."""
    return lambda done, total: bar.update(done - bar.n)


def run(arguments: argparse.Namespace) -> int:
    """Translate with each setting, score, write and print the table."""
    import torch
    from tqdm import tqdm

    from anaphora_nmt.api import Translator
    from anaphora_nmt.data.corpus import read_documents
    from anaphora_nmt.evaluation.report import EvaluationSet, compare, markdown_table
    from anaphora_nmt.types import SearchOptions

    torch.set_num_threads(arguments.threads)
    documents = list(read_documents(arguments.corpus))[: arguments.documents]
    sources = [[source for source, _ in document.pairs] for document in documents]
    references = [[target for _, target in document.pairs] for document in documents]
    translator = Translator.load(arguments.model, threads=arguments.threads).corpus(arguments.batch)
    options = SearchOptions(beam_size=arguments.beam, length_penalty=arguments.length_penalty)
    systems: dict[str, list[str]] = {}
    speeds: dict[str, float] = {}
    arguments.out.mkdir(parents=True, exist_ok=True)
    for setting in arguments.memories.split(","):
        cache, words = SETTINGS[setting]
        started = time.perf_counter()
        chosen = replace(options, continuous_cache=cache, word_caches=words)
        confirmed = references if arguments.confirmed else None
        with tqdm(total=sum(map(len, sources)), unit="segment", desc=setting) as bar:
            outputs = translator.translate(sources, chosen, confirmed, bar_progress(bar))
        systems[setting] = [line for document in outputs for line in document]
        speeds[setting] = sum(len(line.split()) for line in systems[setting]) / (
            time.perf_counter() - started
        )
        (arguments.out / f"{setting}.txt").write_text("\n".join(systems[setting]) + "\n", "utf-8")
    names = [document.id for document in documents for _ in document.pairs]
    flat_sources = [line for document in sources for line in document]
    flat_references = [line for document in references for line in document]
    test = EvaluationSet(flat_sources, [flat_references], names)
    comparisons = compare(test, systems, next(iter(systems)))
    for comparison in comparisons:
        path = arguments.out / f"{comparison.evaluation.name}.json"
        path.write_text(comparison.evaluation.to_json(), "utf-8")
    table = markdown_table(comparisons)
    speed_line = json.dumps({name: round(speed, 1) for name, speed in speeds.items()})
    (arguments.out / "table.md").write_text(f"{table}\nwords per second: {speed_line}\n", "utf-8")
    print(table, "\nwords per second:", speed_line)
    return 0
