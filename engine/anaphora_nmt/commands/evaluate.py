"""`anaphora-nmt evaluate`: scores a model on a corpus, with and without each memory."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora_nmt.errors import ConfigError, CorpusError
from anaphora_nmt.files import write_atomically
from anaphora_nmt.types import SearchOptions

if TYPE_CHECKING:
    from anaphora_nmt.data.corpus import ParallelDocument
    from anaphora_nmt.evaluation.report import EvaluationSet

_DEFAULT = "default"
_MIN_SHARD = 500
"""Minimum number of segments that are drafted together, in whole documents."""
_COMBINATIONS = {"none": "", "both": "cache+words"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument("--corpus", type=Path, required=True, help="documents with references")
    parser.add_argument("--out", type=Path, required=True, help="folder for translations and scores")
    default = SearchOptions()
    parser.add_argument("--beam", type=int, default=default.beam_size, help="default: %(default)s")
    coverage_help = "weight of the source's coverage in the ranking; default: %(default)s"
    parser.add_argument("--coverage", type=float, default=default.coverage, help=coverage_help)
    repetition_help = "penalty; default: %(default)s"
    parser.add_argument("--repetition", type=float, default=default.repetition, help=repetition_help)
    parser.add_argument(
        "--memories",
        default="none,cache,words,both",
        help="memories to compare, separated by commas; the first is the baseline: none, cache, "
        "words, confirmed, both (cache+words), all, default (those of the model); cache+confirmed joins two",
    )
    parser.add_argument("--confirmed", action="store_true", help="remember references, not drafts")
    parser.add_argument("--lowercase", action="store_true", help="ignore case in scores")
    parser.add_argument(
        "--all-references", action="store_true", help="score against all references of the corpus"
    )
    parser.add_argument("--threads", type=int, default=1, help="compute threads")
    parser.add_argument("--batch", type=int, default=24, help="sentences in a batch; default: %(default)s")


def run(arguments: argparse.Namespace) -> int:
    """Translate with each setting that has no output yet, score all, and write and print the table."""
    import torch

    from anaphora_nmt.data.corpus import read_documents
    from anaphora_nmt.evaluation.report import EvaluationSet

    torch.set_num_threads(arguments.threads)
    documents = list(read_documents(arguments.corpus))
    test = EvaluationSet(
        [source for document in documents for source, _ in document.pairs],
        references_of(documents, arguments.all_references),
        [document.id for document in documents for _ in document.pairs],
        arguments.lowercase,
    )
    arguments.out.mkdir(parents=True, exist_ok=True)
    settings = arguments.memories.split(",")
    for setting in settings:
        if not (arguments.out / f"{setting}.txt").exists():
            _translate(arguments, setting, documents)
    _score(arguments.out, settings, test)
    return 0


def _score(out: Path, settings: Sequence[str], test: EvaluationSet) -> None:
    from anaphora_nmt.evaluation.report import compare, markdown_table

    systems = {setting: (out / f"{setting}.txt").read_text("utf-8").split("\n")[:-1] for setting in settings}
    comparisons = compare(test, systems, settings[0])
    for comparison in comparisons:
        values = json.dumps(asdict(comparison.evaluation), ensure_ascii=False, indent=1)
        (out / f"{comparison.evaluation.name}.json").write_text(values, "utf-8")
    table = markdown_table(comparisons)
    (out / "table.md").write_text(table, "utf-8")
    print(table)


def references_of(documents: Sequence[ParallelDocument], all_references: bool) -> list[list[str]]:
    """Lists of references, one text per segment. CorpusError if segments have different numbers of them."""
    if not all_references:
        return [[target for document in documents for _, target in document.pairs]]
    references = [texts for document in documents for texts in document.references]
    counts = {len(texts) for texts in references}
    if len(references) != sum(len(document.pairs) for document in documents) or len(counts) != 1:
        raise CorpusError("--all-references: the segments of the corpus have different numbers of references")
    return [list(texts) for texts in zip(*references, strict=True)]


def _translate(arguments: argparse.Namespace, setting: str, documents: Sequence[ParallelDocument]) -> None:
    from tqdm import tqdm

    from anaphora_nmt.api import Translator

    memories = memories_in_use(setting)
    options = SearchOptions(
        arguments.beam, coverage=arguments.coverage, repetition=arguments.repetition, memories=memories
    )
    translator = Translator.load(arguments.model, threads=arguments.threads).corpus(arguments.batch)
    missing = [name for name, read in memories.items() if read and name not in translator.memory]
    if missing:
        print(f"{setting}: {arguments.model} has no {', '.join(missing)}, so it is not used", file=sys.stderr)
    started = time.perf_counter()
    lines: list[str] = []
    total = sum(len(document.pairs) for document in documents)
    with tqdm(total=total, unit="segment", desc=setting) as bar:
        for shard in _shards(documents):
            sources = [[source for source, _ in document.pairs] for document in shard]
            confirmed = [[target for _, target in document.pairs] for document in shard]
            history = confirmed if arguments.confirmed else None
            translated = translator.translate(sources, options, history, bar.update)
            lines += [line.replace("\n", " ") for document in translated for line in document]
    seconds = time.perf_counter() - started
    speed = {"seconds": round(seconds, 1), "words": sum(len(line.split()) for line in lines)}
    (arguments.out / f"{setting}.speed.json").write_text(json.dumps(speed), "utf-8")
    write_atomically(arguments.out / f"{setting}.txt", "\n".join(lines) + "\n")


def _shards(documents: Sequence[ParallelDocument]) -> Iterator[list[ParallelDocument]]:
    shard: list[ParallelDocument] = []
    for document in documents:
        shard.append(document)
        if sum(len(each.pairs) for each in shard) >= _MIN_SHARD:
            yield shard
            shard = []
    if shard:
        yield shard


def memories_in_use(setting: str) -> dict[str, bool]:
    """`SearchOptions.memories` for a setting such as "none", "both", "all" or "cache+confirmed".

    For "default", the result is empty, so that the model decides. ConfigError if the setting is unknown.
    """
    from anaphora_nmt.memory.registry import MEMORIES

    if setting == _DEFAULT:
        return {}
    aliases = {memory.alias: name for name, memory in MEMORIES.items() if memory.alias}
    combinations = {**_COMBINATIONS, "all": "+".join(MEMORIES)}
    names = [name for part in setting.split("+") for name in combinations.get(part, part).split("+") if name]
    parts = [aliases.get(name, name) for name in names]
    if unknown := [part for part in parts if part not in MEMORIES]:
        known = ", ".join((_DEFAULT, *combinations, *aliases, *MEMORIES))
        raise ConfigError(f"there is no memory {unknown[0]!r}; join these with +: {known}")
    return {name: name in parts for name in MEMORIES}
