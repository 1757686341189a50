"""How many Latin words of the sources stand in references and drafts, and what translating again gains.

    python tests/benchmarks/measure_latin_words.py D/docs-zh-en/dev.jsonl.xz [--documents N] [--beam N]

Drafts without memory: as they ship, a part that loses a Latin word is translated again with the word as a
placeholder; and without that. BLEU and chrF2 of all segments, and CPU seconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import sacrebleu

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.text.latin_words import latin_words, lost_words
from anaphora_nmt.text.normalize import normalize_source
from anaphora_nmt.text.protect import protect
from anaphora_nmt.types import SearchOptions

RETRY = "anaphora_nmt.pipeline.drafting.lost_words"


def kept(sources: Sequence[str], targets: Sequence[str]) -> tuple[int, int]:
    """Different Latin words of the sources outside protected strings, and how many the targets have."""
    words = lost = 0
    for source, target in zip(sources, targets, strict=True):
        text = protect(normalize_source(source)).text
        words += len({text[start:end] for start, end in latin_words(text)})
        lost += len(lost_words(text, target))
    return words, words - lost


def main() -> None:
    """Print the table."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=None, help="only the first ones")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--model", type=Path, default=embedded_model())
    arguments = parser.parse_args()
    documents = [document.pairs for document in read_documents(arguments.corpus)][: arguments.documents]
    sources = [source for pairs in documents for source, _ in pairs]
    references = [target for pairs in documents for _, target in pairs]
    words, found = kept(sources, references)
    print(f"{len(sources)} segments, {words} Latin words")
    print(f"{'':12}{'kept':>16}{'BLEU':>8}{'chrF2':>8}{'CPU s':>8}")
    print(f"{'references':12}{found:>8} {found / max(1, words):>7.1%}")
    translator = Translator.load(arguments.model, threads=1).corpus()
    options = SearchOptions(beam_size=arguments.beam, memories=memories_in_use("none"))
    for name, without in (("once", patch(RETRY, lambda *given: [])), ("as shipped", nullcontext())):
        begin = time.process_time()
        with without:
            some = translator.translate([[source for source, _ in pairs] for pairs in documents], options)
        seconds, drafts = time.process_time() - begin, [draft for each in some for draft in each]
        found = kept(sources, drafts)[1]
        bleu = sacrebleu.corpus_bleu(drafts, [references]).score
        chrf = sacrebleu.corpus_chrf(drafts, [references]).score
        share = found / max(1, words)
        print(f"{name:12}{found:>8} {share:>7.1%}{bleu:>8.2f}{chrf:>8.2f}{seconds:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
