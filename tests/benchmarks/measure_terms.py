"""Whether drafts call terms what a term base says, and what that costs.

    python tests/benchmarks/measure_terms.py DEV.jsonl.xz [--documents N] [--segments N] [--list]

The terms of a document are taken from its references: a Chinese noun, or a pair of neighbouring ones, that
stands in two segments or more and whose rendering, by the model's attention, is the same English wording in
all of their references, inflections apart. Drafted are the segments that hold a term,
each alone (no document memory), without and with the terms; counted is each term once a segment. A term is
honoured if the draft holds its wording in any inflection. BLEU and chrF are of these segments. "Case" counts
terms in small letters that have a capital in the midst of a sentence, not beside another one as in a title;
"article" those with an article or another determiner before them that does not go with them ("a archive").
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import sacrebleu

from anaphora.core.segment import Segment
from anaphora.services.terms import recurring_terms
from anaphora.term_base.determiners import clashes
from anaphora.term_base.entries import Entry, TargetTerm
from anaphora.term_base.inflections import written_forms
from anaphora.term_base.recognition import FoundTerm, Recogniser
from anaphora.term_base.usage import Verdict, check_terms, occurrences
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.pipeline.corpus import CorpusTranslator
from anaphora_nmt.pipeline.renderings import renderings
from anaphora_nmt.types import SearchOptions, SourceTerm


@dataclass(frozen=True, slots=True)
class Case:
    """A segment with the terms in it."""

    source: str
    reference: str
    found: tuple[FoundTerm, ...]

    @property
    def terms(self) -> list[SourceTerm]:
        """What the engine is told."""
        told = []
        for term in self.found:
            allowed = (text for entry in term.entries for text in entry.allowed)
            forms = tuple(form for text in allowed for form in written_forms(text))
            told.append(SourceTerm(term.start, term.end, forms, clashes=clashes(forms)))
        return told

    def wrong_case(self, draft: str) -> int:
        """How many terms have a capital that they should not have."""
        small = {form for term in self.terms for form in term.forms if form[:1].islower()}
        capitals = "|".join(re.escape(form[:1].upper() + form[1:]) for form in small)
        found = re.findall(rf"(?:^|(\S+) )(?:{capitals})\b(?! [A-Z])", draft) if small else []
        return sum(bool(re.fullmatch(r"[a-z][\w,;]*", before)) for before in found)

    def wrong_article(self, draft: str) -> int:
        """How many terms have something before them that does not go with them."""
        said = {clash for term in self.terms for clash in term.clashes}
        return sum(len(re.findall(rf"\b{re.escape(each)}\b", draft, re.IGNORECASE)) for each in said)

    def honoured(self, draft: str) -> list[bool]:
        """Of each term whether a draft holds it."""
        return [use.verdict is Verdict.USED for use in check_terms(self.found, draft)]


def entries_of(corpus: CorpusTranslator, pairs: Sequence[tuple[str, str]]) -> Iterator[Entry]:
    """The terms that a document's references agree on."""
    wordings: dict[str, Counter[str]] = {}
    for source, reference in pairs:
        words = renderings(corpus.drafter, source, reference)
        joined = {
            left + right: f"{words[left]} {words[right]}"
            for left, right in pairwise(words)
            if left + right in source
        }
        for word, wording in (words | joined).items():
            wordings.setdefault(word, Counter())[wording] += 1
    segments = [Segment(str(number), source) for number, (source, _) in enumerate(pairs)]
    for word in (term.text for term in recurring_terms(segments, 2, 2)):
        counts = wordings.get(word, Counter())
        for wording, count in counts.most_common(3):
            holders = [reference for source, reference in pairs if word in source]
            if count >= 2 and len(wording) > 2 and all(occurrences(wording, text) for text in holders):
                yield Entry(word, (TargetTerm(wording),))
                break


def cases_of(corpus: CorpusTranslator, document: ParallelDocument, most: int) -> list[Case]:
    """The segments of a document that hold terms which its references agree on."""
    pairs = document.pairs[:most]
    recogniser = Recogniser(entries_of(corpus, pairs))
    cases = (Case(source, reference, recogniser.find(source)) for source, reference in pairs)
    return [case for case in cases if case.found]


def main() -> None:
    """Print the share of terms that drafts honour, BLEU and chrF, without and with the terms."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=None, help="only the first ones")
    parser.add_argument("--segments", type=int, default=40, help="that are read of each document")
    parser.add_argument("--list", action="store_true", help="print each draft that does not honour a term")
    arguments = parser.parse_args()
    documents = list(read_documents(arguments.corpus))[: arguments.documents]
    corpus = Translator.load(embedded_model(), threads=1).corpus(16)
    cases = [case for document in documents for case in cases_of(corpus, document, arguments.segments)]
    total = sum(len(case.honoured("")) for case in cases)
    print(f"{len(cases)} segments of {len(documents)} documents with {total} terms")
    print(f"{'drafts':10}{'honoured':>18}{'BLEU':>7}{'chrF':>7}{'case':>6}{'article':>9}{'CPU s':>7}")
    references = [case.reference for case in cases]
    options = SearchOptions(memories=memories_in_use("none"))
    for name, terms in (("without", None), ("with", [[case.terms] for case in cases])):
        begin = time.process_time()
        drafts = [
            each[0] for each in corpus.translate([[case.source] for case in cases], options, terms=terms)
        ]
        seconds = time.process_time() - begin
        held = [case.honoured(draft) for case, draft in zip(cases, drafts, strict=True)]
        count = sum(map(sum, held))
        bleu = sacrebleu.corpus_bleu(drafts, [references]).score
        chrf = sacrebleu.corpus_chrf(drafts, [references]).score
        line = f"{name:10}{count:6} ({count / total:7.1%}){'':2}{bleu:7.2f}{chrf:7.2f}"
        print(f"{line}{oddities(cases, drafts)}{seconds:7.0f}")
        for case, draft, each in zip(cases, drafts, held, strict=True) if arguments.list and terms else ():
            if not all(each):
                wanted = [term.entries[0] for term in case.found]
                print(
                    case.source,
                    [(e.source, *e.allowed) for e in wanted],
                    each,
                    draft,
                    case.reference,
                    sep="\n  ",
                )
    print(f"{'references':42}{oddities(cases, references)}")


def oddities(cases: Sequence[Case], texts: Sequence[str]) -> str:
    """How many terms have a wrong case, and a wrong article, in two columns."""
    pairs = list(zip(cases, texts, strict=True))
    wrong_case = sum(case.wrong_case(text) for case, text in pairs)
    return f"{wrong_case:6}{sum(case.wrong_article(text) for case, text in pairs):9}"


if __name__ == "__main__":
    main()
