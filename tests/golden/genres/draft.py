"""Draft the sentences of this folder with a model, and score them.

    python tests/golden/genres/draft.py MODEL [--dictionary] > tests/golden/genres/drafts-VERSION.txt

Beam 5, each genre as one document, without memory; with `--dictionary` as the app drafts, which lends words
to drafts that are likely to be poor. BLEU and chrF2 (sacrebleu) on the last lines.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import sacrebleu

from anaphora.dictionary.entries import Dictionary
from anaphora.drafting.hinted_drafts import draft_with_words, lacking_words
from anaphora.shipped import glossary
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import SearchOptions, SourceSegment

OPTIONS = SearchOptions(memories=memories_in_use("none"))


def drafts(translator: Translator, sources: list[str], dictionary: Dictionary | None) -> Iterator[str]:
    """Draft a document."""
    segments = [SourceSegment(str(number), source) for number, source in enumerate(sources)]
    translator.open_document("genre", segments)
    for segment in segments:
        if dictionary is None:
            yield translator.translate("genre", segment.id, OPTIONS).text
        else:
            lacking = partial(lacking_words, segment.text, dictionary=dictionary)
            yield draft_with_words(translator, "genre", segment.id, OPTIONS, None, (), lacking)[0].text


def main() -> None:
    """Print source, draft and reference of every sentence, then the scores by genre."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--dictionary", action="store_true")
    arguments = parser.parse_args()
    shipped = glossary("zh", "en") if arguments.dictionary else None
    dictionary = Dictionary.read(shipped) if shipped is not None else None
    translator = Translator.load(arguments.model, threads=1)
    scores = []
    for path in sorted(Path(__file__).parent.glob("*.jsonl")):
        (document,) = read_documents(path)
        found = list(drafts(translator, [source for source, _ in document.pairs], dictionary))
        references = [reference for _, reference in document.pairs]
        bleu, chrf = sacrebleu.corpus_bleu(found, [references]), sacrebleu.corpus_chrf(found, [references])
        scores.append(f"{document.id:<10}{bleu.score:6.2f}{chrf.score:7.2f}")
        print(f"# {document.id}\n")
        for (source, reference), draft in zip(document.pairs, found, strict=True):
            print(f"{source}\n  {draft}\n  ({reference})")
        print()
    print("# scores (BLEU, chrF2)\n", *scores, sep="\n")


if __name__ == "__main__":
    main()
