"""What the dictionary's words are worth: in the rail, and as hints for drafts that the model doubts.

    python tests/benchmarks/measure_dictionary.py D/general-zh-en/dev.jsonl.xz D/docs-zh-en/dev.jsonl.xz

Drafts of every sixth document (`--every`) by the embedded model, without memory. In the rail are content
words of the source of which no gloss stands in the draft (`anaphora/dictionary/unrendered.py`); the window
shows them beside drafts that the model doubts. What is in the reference is judged in the same way, so a
synonym of the gloss is not. Hints are nouns among them (`anaphora/drafting/hinted_drafts.py`): of the drafts
that got some, the mean BLEU and chrF2 of a sentence without and with them, for each source of text, and
how often chrF2 rose or fell; and how many drafts are made for a segment.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import sacrebleu

from anaphora.core.expected_quality import is_unsure
from anaphora.dictionary.entries import Dictionary
from anaphora.dictionary.lookup import MOST
from anaphora.dictionary.source_words import source_words
from anaphora.dictionary.unrendered import is_rendered, lemmas_of, unrendered
from anaphora.drafting.hinted_drafts import draft_with_words, lacking_words
from anaphora.engine.translator import Cancel
from anaphora.shipped import default_model, glossary
from anaphora_nmt.api import Translator
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.types import SearchOptions, SourceSegment, SourceTerm, Suggestion

OPTIONS = SearchOptions(memories={"confirmed": False})
Scores = tuple[float, float]
"""BLEU and chrF2 of a sentence."""


class Measurement:
    """Goes through documents and counts.

    Attributes:
        drafts: made altogether.
    """

    def __init__(self, translator: Translator, dictionary: Dictionary) -> None:
        self._translator = translator
        self.restore, self.count_draft = translator.restore, translator.count_draft
        self._dictionary = dictionary
        self.counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        self.hinted: dict[str, list[tuple[Scores, Scores]]] = defaultdict(list)
        self.drafts: list[Suggestion] = []

    def read(self, document: ParallelDocument) -> None:
        """Draft a document's segments."""
        segments = [SourceSegment(str(place), source) for place, (source, _) in enumerate(document.pairs)]
        self._translator.open_document("d", segments)
        for segment, (_, reference) in zip(segments, document.pairs, strict=True):
            self._read(segment, reference, document.source_name)
        self._translator.close_document("d")

    def translate(
        self,
        document: str,
        segment: str,
        options: SearchOptions = OPTIONS,
        cancel: Cancel | None = None,
        terms: Sequence[SourceTerm] = (),
    ) -> Suggestion:
        """The engine's draft, noted."""
        self.drafts.append(self._translator.translate(document, segment, options, cancel, terms))
        return self.drafts[-1]

    def _read(self, segment: SourceSegment, reference: str, kind: str) -> None:
        before = len(self.drafts)
        lacking = partial(lacking_words, segment.text, dictionary=self._dictionary)
        last, hinted = draft_with_words(self, "d", segment.id, OPTIONS, None, (), lacking)
        first = self.drafts[before]
        shown = unrendered(source_words(segment.text, self._dictionary), first.text)[:MOST]
        there = lemmas_of(reference)
        self.counts[is_unsure(first.quality)] += Counter(
            drafts=1,
            with_words=bool(shown),
            words=len(shown),
            in_reference=sum(is_rendered(word.entry, there) for word in shown),
        )
        if hinted:
            self.hinted[kind].append((scores(first.text, reference), scores(last.text, reference)))


def scores(text: str, reference: str) -> Scores:
    """BLEU and chrF2 of a sentence."""
    bleu = sacrebleu.sentence_bleu(text, [reference]).score
    return bleu, sacrebleu.sentence_chrf(text, [reference]).score


def main() -> None:
    """Print for doubted drafts and for the others what is shown, and what hints were given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=6)
    arguments = parser.parse_args()
    path = glossary("zh", "en")
    assert path is not None
    measurement = Measurement(Translator.load(default_model(), "cpu", 1), Dictionary.read(path))
    for corpus in arguments.corpora:
        for document in list(read_documents(corpus))[:: arguments.every]:
            measurement.read(document)
    print("drafts        number   with words   words   in the reference")
    for doubted, count in measurement.counts.items():
        share = count["in_reference"] / max(count["words"], 1)
        name = "doubted" if doubted else "others"
        print(
            f"{name:<12} {count['drafts']:>7} {count['with_words']:>12} {count['words']:>7} "
            f"{count['in_reference']:>8} ({share:.0%})"
        )
    print("\nwords hinted   drafts   BLEU/chrF2 without   with         chrF2 better/worse")
    everything = [pair for pairs in measurement.hinted.values() for pair in pairs]
    for kind, pairs in (*sorted(measurement.hinted.items()), ("all", everything)):
        if pairs:
            report(kind, pairs)
    segments = sum(count["drafts"] for count in measurement.counts.values())
    print(f"drafts made for a segment: {len(measurement.drafts) / max(segments, 1):.2f}")


def report(kind: str, pairs: list[tuple[Scores, Scores]]) -> None:
    """Print the means of a kind of text."""
    means = [sum(pair[side][score] for pair in pairs) / len(pairs) for side in (0, 1) for score in (0, 1)]
    better = sum(after[1] > before[1] for before, after in pairs)
    worse = sum(after[1] < before[1] for before, after in pairs)
    without, given = (f"{bleu:.2f}/{chrf:.2f}" for bleu, chrf in (means[:2], means[2:]))
    print(f"{kind:<12} {len(pairs):>8}   {without:<20} {given:<12} {better}/{worse}")


if __name__ == "__main__":
    main()
