"""The effect of protected names: BLEU and chrF2 of segments with a name, without and with protection.

    python tests/benchmarks/measure_names.py D/general-zh-en/dev.jsonl.xz [--model FOLDER]

Drafts are greedy, without memory; each source of the corpus gets a line.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import sacrebleu

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.text.normalize import normalize_source
from anaphora_nmt.text.proper_names import DocumentNames
from anaphora_nmt.types import SearchOptions
from anaphora_text.names.table import NAMES_FILE, NameTable

OPTIONS = SearchOptions(
    beam_size=1, memories=dict.fromkeys(("continuous_cache", "word_caches", "confirmed"), False)
)


def with_names(document: ParallelDocument, table: NameTable) -> list[tuple[str, str]]:
    """The pairs of a document with a name in the source."""
    names = DocumentNames(table, [source for source, _ in document.pairs])
    return [pair for pair in document.pairs if names.find(normalize_source(pair[0]))]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", type=Path, default=embedded_model())
    arguments = parser.parse_args()
    table = NameTable.load(arguments.model / NAMES_FILE)
    sources: dict[str, list[list[tuple[str, str]]]] = defaultdict(list)
    for document in read_documents(arguments.corpus):
        if pairs := with_names(document, table):
            sources[document.source_name].append(pairs)
    translator = Translator.load(arguments.model, threads=1).corpus()
    print(f"{'source':<20}{'segments':>9}{'without':>16}{'with':>16}")
    for name, documents in sorted(sources.items()):
        references = [target for pairs in documents for _, target in pairs]
        scores = []
        for names in (None, table):
            texts = [[source for source, _ in pairs] for pairs in documents]
            drafts = replace(translator, names=names).translate(texts, OPTIONS)
            flat = [draft for some in drafts for draft in some]
            bleu = sacrebleu.corpus_bleu(flat, [references]).score
            scores.append(f"{bleu:.2f}/{sacrebleu.corpus_chrf(flat, [references]).score:.2f}")
        print(f"{name:<20}{len(references):>9}{scores[0]:>16}{scores[1]:>16}", flush=True)


if __name__ == "__main__":
    main()
