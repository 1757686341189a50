"""`anaphora-nmt confirmation-curve`: what confirming the first segments of a document gains for the rest."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.commands.shared.search_arguments import add_search_arguments, search_options
from anaphora_nmt.files import write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anaphora_nmt.data.corpus import ParallelDocument
    from anaphora_nmt.pipeline.drafting import Drafter

EVERY = "each"
"""Every reference is confirmed before the next draft."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument("--corpus", type=Path, required=True, help="documents with references")
    parser.add_argument("--out", type=Path, required=True, help="folder for drafts and curve.json")
    add_search_arguments(parser)
    parser.add_argument("--after", type=int, default=50, help="segments that come first; those after count")
    parser.add_argument("--shortest", type=int, default=60, help="documents with fewer segments are left out")
    parser.add_argument("--longest", type=int, default=150, help="no more segments of a document are read")
    parser.add_argument(
        "--confirmed", default=f"off,0,10,25,50,{EVERY}", help="how many come confirmed; off: no memory"
    )
    parser.add_argument(
        "--memories", default="all", help="what is in use, as for `evaluate`: confirmed, cache+confirmed, all"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=24, help="sentences decoded together")


def run(arguments: argparse.Namespace) -> int:
    """Draft with each number of confirmed segments that is not done yet; score; print the curve."""
    import torch

    from anaphora_nmt.api import Translator
    from anaphora_nmt.data.corpus import read_documents
    from anaphora_nmt.pipeline.renderings import renderings

    torch.set_num_threads(arguments.threads)
    documents = [
        document for document in read_documents(arguments.corpus) if len(document.pairs) >= arguments.shortest
    ]
    arguments.out.mkdir(parents=True, exist_ok=True)
    translator = Translator.load(arguments.model, threads=arguments.threads, int8=not arguments.float32)
    drafter: Drafter = translator.corpus().drafter
    terms = [
        [renderings(drafter, source, target) for source, target in document.pairs[: arguments.longest]]
        for document in documents
    ]
    rows = []
    baseline: list[str] | None = None
    for setting in arguments.confirmed.split(","):
        path = arguments.out / f"{setting}.json"
        if not path.exists():
            drafts = _draft(arguments, translator, documents, setting)
            write_json(path, drafts, indent=0)
        drafts = json.loads(path.read_text("utf-8"))
        row, tail = _score(arguments, documents, drafts, terms, baseline)
        baseline = baseline or tail
        rows.append({"confirmed": setting, **row})
    (arguments.out / "curve.json").write_text(json.dumps(rows, indent=1), "utf-8")
    print(table(rows))
    return 0


def table(rows: Sequence[dict]) -> str:
    """The curve as a Markdown table; p-values against the first row."""
    lines = ["| confirmed | BLEU | p | chrF2 | terms as before |", "|---|---|---|---|---|"]
    for row in rows:
        p = "" if row["p"] is None else f"{row['p']:.3f}"
        share = f"{row['terms_taken'] / max(1, row['terms']):.1%} of {row['terms']}"
        lines.append(f"| {row['confirmed']} | {row['bleu']:.2f} | {p} | {row['chrf']:.2f} | {share} |")
    return "\n".join(lines)


def _draft(
    arguments: argparse.Namespace,
    translator: object,
    documents: Sequence[ParallelDocument],
    setting: str,
) -> list[list[str]]:
    from tqdm import tqdm

    from anaphora_nmt.api import Translator

    assert isinstance(translator, Translator)
    used = setting != "off"
    options = search_options(arguments, memories_in_use(arguments.memories if used else "none"))
    pairs = [document.pairs[: arguments.longest] for document in documents]
    count = {"off": 0, EVERY: arguments.longest}.get(setting)
    count = int(setting) if count is None else count
    confirmed = [
        [target if number < count else None for number, (_, target) in enumerate(document)]
        for document in pairs
    ]
    sources = [[source for source, _ in document] for document in pairs]
    needed = [range(arguments.after, len(document)) for document in pairs]
    with tqdm(total=sum(map(len, sources)), unit="segment", desc=setting) as bar:

        def progress(done: int, _total: int) -> None:
            bar.update(done - bar.n)

        corpus = translator.corpus(arguments.batch)
        return corpus.translate(sources, options, confirmed if used else None, progress, needed)


def _score(
    arguments: argparse.Namespace,
    documents: Sequence[ParallelDocument],
    drafts: Sequence[Sequence[str]],
    terms: Sequence[Sequence[dict[str, str]]],
    baseline: Sequence[str] | None,
) -> tuple[dict, list[str]]:
    """Scores of the segments that count, and their drafts."""
    from anaphora_nmt.evaluation.bleu import corpus_bleu, corpus_chrf
    from anaphora_nmt.evaluation.counts import count_matches
    from anaphora_nmt.evaluation.significance import paired_bootstrap
    from anaphora_nmt.evaluation.term_uptake import TermUptake, term_uptake

    first = arguments.after
    outputs = [draft for document in drafts for draft in document[first:]]
    references = [target for document in documents for _, target in document.pairs[first : arguments.longest]]
    uptake = TermUptake(0, 0)
    for known, document in zip(terms, drafts, strict=True):
        uptake += term_uptake(known, document, range(first, len(document)))
    p = None
    if baseline is not None:
        p = paired_bootstrap(
            count_matches("BLEU", baseline, [references]), count_matches("BLEU", outputs, [references])
        ).p
    row = {
        "segments": len(outputs),
        "bleu": corpus_bleu(outputs, [references]).value,
        "chrf": corpus_chrf(outputs, [references]).value,
        "p": p,
        "terms_taken": uptake.taken,
        "terms": uptake.chances,
    }
    return row, outputs
