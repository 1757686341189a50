"""Draft the sentences of this folder with a model, and score them.

    python tests/golden/genres/draft.py MODEL [--dictionary] > tests/golden/genres/drafts-VERSION.txt
    python tests/golden/genres/draft.py MODEL --judged

Beam 5, each genre as one document, without memory; with `--dictionary` as the app drafts, which gives hints
to drafts that are likely to be poor. BLEU and chrF2 (sacrebleu) on the last lines.

`--judged` drafts with the dictionary and holds what is tentative against the judgement of a reader
(`judged-0.11-dictionary.tsv`). Drafts that have become others since they were judged are counted and left
out.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import sacrebleu

from anaphora.features.dictionary.entries import Dictionary
from anaphora.features.dictionary.hinted_drafts import draft_with_hints, lacking_words
from anaphora.system.locations import glossary
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.evaluate import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import SearchOptions, SourceSegment, Suggestion

OPTIONS = SearchOptions(memories=memories_in_use("none"))


JUDGED = Path(__file__).with_name("judged-0.11-dictionary.tsv")


def drafts(translator: Translator, sources: list[str], dictionary: Dictionary | None) -> Iterator[Suggestion]:
    """Draft a document."""
    segments = [SourceSegment(str(number), source) for number, source in enumerate(sources)]
    translator.open_document("genre", segments)
    for segment in segments:
        if dictionary is None:
            yield translator.translate("genre", segment.id, OPTIONS)
        else:
            lacking = partial(lacking_words, segment.text, dictionary=dictionary)
            yield draft_with_hints(translator, "genre", segment.id, OPTIONS, None, (), lacking)[0]


def compare_with_judgements(found: list[tuple[str, Suggestion]]) -> None:
    """Print how many drafts of each judgement are tentative.

    Args:
        found: drafts with their genre.
    """
    with JUDGED.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        judged = {(row["genre"], row["draft"]): row["judged"] for row in rows}
    known = [
        (genre, draft.quality.unusable, judged[genre, draft.text])
        for genre, draft in found
        if draft.quality is not None and (genre, draft.text) in judged
    ]
    every = Counter(judgement for _, _, judgement in known)
    print(f"{len(known)} judged, {len(found) - len(known)} others: {_said(every)}")
    for genre in sorted({genre for genre, _, _ in known}):
        some = Counter(judgement for each, unusable, judgement in known if unusable and each == genre)
        print(f"{genre}: only proposed are {_said(some)}")
    proposed = Counter(judgement for _, unusable, judgement in known if unusable)
    print(f"only proposed: {_said(proposed)}; {every['useless'] - proposed['useless']} useless shown")


def _said(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[name]} {name}" for name in ("usable", "repairable", "useless"))


def main() -> None:
    """Print source, draft and reference of every sentence, then the scores by genre."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--dictionary", action="store_true")
    parser.add_argument("--judged", action="store_true")
    arguments = parser.parse_args()
    shipped = glossary("zh", "en") if arguments.dictionary or arguments.judged else None
    dictionary = Dictionary.read(shipped) if shipped is not None else None
    translator = Translator.load(arguments.model, threads=1)
    documents = [
        document
        for path in sorted(Path(__file__).parent.glob("*.jsonl"))
        for document in read_documents(path)
    ]
    every = [
        (document, list(drafts(translator, [source for source, _ in document.pairs], dictionary)))
        for document in documents
    ]
    if arguments.judged:
        return compare_with_judgements([(one.id, draft) for one, found in every for draft in found])
    scores = []
    for document, suggestions in every:
        found = [suggestion.text for suggestion in suggestions]
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
