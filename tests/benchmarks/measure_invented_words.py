"""How many words drafts invent, and what charging search for them changes.

    python tests/benchmarks/measure_invented_words.py D/general-zh-en/dev.jsonl.xz [--penalty NATS …]

An invented word is in no list (`words.txt.gz` of the model), not in its source and not in its reference. One
line for each penalty: words, segments that have one, BLEU and chrF2 without memory, CPU seconds. References:
words of theirs that are in no list and not in the source.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

import sacrebleu

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.search.out_of_vocabulary import OutOfVocabularyPenalty
from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_nmt.text.protect import protect, protect_target
from anaphora_nmt.text.word_list import WORDS_FILE, WordList, letter_words
from anaphora_nmt.types import SearchOptions


def invented(words: WordList, source: str, target: str, reference: str) -> list[str]:
    """The words of a target that nobody knows; what is protected in the source is no word."""
    strings = protect(normalize_source(source)).strings
    told = f"{source}\n{reference}".casefold()
    text = protect_target(normalize_target(target), strings)
    return [word for word in letter_words(text) if len(word) > 1 and word not in words and word not in told]


def counts(found: Sequence[Sequence[str]]) -> str:
    """Words, and segments that have one."""
    return f"{sum(map(len, found)):>8}{sum(map(bool, found)):>10}"


def main() -> None:
    """Print the table."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", type=Path, default=embedded_model())
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="read every so manieth document")
    parser.add_argument("--penalty", type=float, nargs="+", default=[0.0, 4.0])
    parser.add_argument("--list", action="store_true", help="print the words")
    arguments = parser.parse_args()
    words = WordList.load(arguments.model / WORDS_FILE)
    documents = [document.pairs for document in read_documents(arguments.corpus)][:: arguments.every]
    pairs = [pair for document in documents for pair in document]
    references = [reference for _, reference in pairs]
    print(f"{len(pairs)} segments\n{'':12}{'invented':>8}{'segments':>10}{'BLEU':>8}{'chrF2':>8}{'CPU s':>8}")
    print(f"{'references':12}{counts([invented(words, source, target, '') for source, target in pairs])}")
    translator = Translator.load(arguments.model, threads=1).corpus()
    options = SearchOptions(beam_size=arguments.beam, memories=memories_in_use("none"))
    for penalty in arguments.penalty:
        begin = time.process_time()
        charging = partial(OutOfVocabularyPenalty, penalty=penalty)
        with patch("anaphora_nmt.pipeline.part_search.OutOfVocabularyPenalty", charging):
            some = translator.translate(
                [[source for source, _ in document] for document in documents], options
            )
        seconds, drafts = time.process_time() - begin, [draft for each in some for draft in each]
        found = [
            invented(words, source, draft, reference)
            for (source, reference), draft in zip(pairs, drafts, strict=True)
        ]
        bleu = sacrebleu.corpus_bleu(drafts, [references]).score
        chrf = sacrebleu.corpus_chrf(drafts, [references]).score
        print(f"{f'{penalty:g} nats':12}{counts(found)}{bleu:>8.2f}{chrf:>8.2f}{seconds:>8.0f}", flush=True)
        if arguments.list:
            print("  " + " ".join(word for each in found for word in each))


if __name__ == "__main__":
    main()
