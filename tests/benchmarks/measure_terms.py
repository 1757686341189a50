"""Whether drafts call terms what a term base says, and what that costs.

    python tests/benchmarks/measure_terms.py DEV.jsonl.xz [--documents N] [--segments N] [--other] [--list]

The terms of a document are taken from its references: a Chinese noun, or a pair of neighbouring ones, that
stands in two segments or more and whose rendering, by the model's attention, is the same English wording in
all of their references, inflections apart. Drafted are the segments that hold a term,
each alone (no document memory), without and with the terms; counted is each term once a segment. A term is
honoured if the draft holds its wording in any inflection. BLEU and chrF are of these segments. "Case" counts
terms in small letters that have a capital in the midst of a sentence, not beside another one as in a title;
"article" those with an article or another determiner before them that does not go with them ("a archive").

With `--other` terms are called what no model would call them, by the words of a list in turn, and so they are
in the references. Against these are counted drafts without terms, these with the strings replaced, and drafts
with terms; "beside" counts terms whose other word, which the draft without terms has, still stands in the
draft ("tally ledger").
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, pairwise
from pathlib import Path

import sacrebleu

from anaphora.core.segment import Segment
from anaphora.shipped import glossary
from anaphora.term_base.entries import Entry, TargetTerm
from anaphora.term_base.recognition import FoundTerm, Recogniser
from anaphora.term_base.usage import Verdict, check_terms, occurrences
from anaphora.terms.recurring import recurring_terms
from anaphora.terms.word_book import open_word_book
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.pipeline.corpus import CorpusTranslator
from anaphora_nmt.pipeline.renderings import renderings
from anaphora_nmt.types import SearchOptions, SourceTerm
from anaphora_text.determiners import clashes
from anaphora_text.inflections import regular_plural, regular_singular, written_forms

OTHER_WORDS = (
    *("larder", "tally", "hoard", "garland", "kettle", "lantern", "bramble", "pebble"),
    *("orchard", "thimble", "harbour", "meadow", "satchel", "anvil", "trellis", "beacon"),
)


@dataclass(frozen=True, slots=True)
class Case:
    """A segment with the terms in it.

    Attributes:
        words: by source term what its references call it, where the term base calls it otherwise.
    """

    source: str
    reference: str
    found: tuple[FoundTerm, ...]
    words: Mapping[str, str] = field(default_factory=dict)

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

    def renamed(self, text: str) -> str:
        """A text in which the references' words for terms have been replaced."""
        for entry in (term.entries[0] for term in self.found):
            for old, new in zip(_numbers(self.words[entry.source]), _numbers(entry.allowed[0]), strict=True):
                text = re.sub(rf"\b{re.escape(old)}\b", new, text, flags=re.IGNORECASE)
        return text

    def beside(self, plain: str, draft: str) -> int:
        """How many terms a draft holds beside as many of the words that a draft without terms has."""
        count = 0
        for entry in {term.entries[0].source: term.entries[0] for term in self.found}.values():
            old, new = self.words[entry.source], entry.allowed[0]
            stays = 0 < len(occurrences(old, plain)) <= len(occurrences(old, draft))
            count += stays and bool(occurrences(new, draft))
        return count

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
    book = open_word_book(glossary("zh", "en"), None)
    for word in (term.text for term in recurring_terms(segments, book, min_count=2)):
        counts = wordings.get(word, Counter())
        for wording, count in counts.most_common(3):
            holders = [reference for source, reference in pairs if word in source]
            if count >= 2 and len(wording) > 2 and all(occurrences(wording, text) for text in holders):
                yield Entry(word, (TargetTerm(wording),))
                break


def cases_of(
    corpus: CorpusTranslator, document: ParallelDocument, most: int, words: Iterator[str] | None
) -> list[Case]:
    """The segments of a document that hold terms which its references agree on.

    Args:
        words: what terms are called instead.
    """
    pairs = document.pairs[:most]
    entries = list(entries_of(corpus, pairs))
    called = {entry.source: entry.allowed[0] for entry in entries}
    if words is not None:
        entries = [Entry(entry.source, (TargetTerm(next(words)),)) for entry in entries]
    recogniser = Recogniser(entries)
    cases = [Case(source, reference, recogniser.find(source), called) for source, reference in pairs]
    cases = [case for case in cases if case.found]
    return [replace(case, reference=case.renamed(case.reference)) for case in cases] if words else cases


def _numbers(wording: str) -> tuple[str, str]:
    """Plural and singular, whichever a wording is."""
    return regular_plural(regular_singular(wording)), regular_singular(wording)


def main() -> None:
    """Print the share of terms that drafts honour, BLEU and chrF, without and with the terms."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=None, help="only the first ones")
    parser.add_argument("--segments", type=int, default=40, help="that are read of each document")
    parser.add_argument("--other", action="store_true", help="call terms what no model would call them")
    parser.add_argument("--list", action="store_true", help="print each draft that does not honour a term")
    arguments = parser.parse_args()
    documents = list(read_documents(arguments.corpus))[: arguments.documents]
    corpus = Translator.load(embedded_model(), threads=1).corpus(16)
    words = cycle(OTHER_WORDS) if arguments.other else None
    cases = [case for each in documents for case in cases_of(corpus, each, arguments.segments, words)]
    total = sum(len(case.honoured("")) for case in cases)
    print(f"{len(cases)} segments of {len(documents)} documents with {total} terms")
    last = "beside" if arguments.other else "article"
    print(f"{'drafts':10}{'honoured':>18}{'BLEU':>7}{'chrF':>7}{'case':>6}{last:>9}{'CPU s':>7}")
    plain, seconds = drafts_of(corpus, cases, with_terms=False)
    report("without", cases, plain, plain, arguments.other, seconds)
    if arguments.other:
        replaced = [case.renamed(draft) for case, draft in zip(cases, plain, strict=True)]
        report("replaced", cases, replaced, plain, True, 0.0)
    drafts, seconds = drafts_of(corpus, cases, with_terms=True)
    report("with", cases, drafts, plain, arguments.other, seconds)
    if not arguments.other:
        print(f"{'references':42}{oddities(cases, [case.reference for case in cases])}")
    for case, draft in zip(cases, drafts, strict=True) if arguments.list else ():
        if not all(case.honoured(draft)):
            wanted = [(term.entries[0].source, *term.entries[0].allowed) for term in case.found]
            print(case.source, wanted, case.honoured(draft), draft, case.reference, sep="\n  ")


def drafts_of(corpus: CorpusTranslator, cases: Sequence[Case], with_terms: bool) -> tuple[list[str], float]:
    """A draft of each segment alone, and the processor's seconds."""
    options = SearchOptions(memories=memories_in_use("none"))
    terms = [[case.terms] for case in cases] if with_terms else None
    begin = time.process_time()
    found = corpus.translate([[case.source] for case in cases], options, terms=terms)
    return [each[0] for each in found], time.process_time() - begin


def report(
    name: str, cases: Sequence[Case], drafts: Sequence[str], plain: Sequence[str], other: bool, seconds: float
) -> None:
    """Print a line."""
    references = [[case.reference for case in cases]]
    held = [each for case, draft in zip(cases, drafts, strict=True) for each in case.honoured(draft)]
    bleu = sacrebleu.corpus_bleu(drafts, references).score
    chrf = sacrebleu.corpus_chrf(drafts, references).score
    odd = oddities(cases, drafts)
    if other:
        beside = sum(case.beside(*pair) for case, *pair in zip(cases, plain, drafts, strict=True))
        odd = f"{odd[:6]}{beside:9}"
    line = f"{name:10}{sum(held):6} ({sum(held) / len(held):7.1%}){'':2}{bleu:7.2f}{chrf:7.2f}"
    print(f"{line}{odd}{seconds:7.0f}", flush=True)


def oddities(cases: Sequence[Case], texts: Sequence[str]) -> str:
    """How many terms have a wrong case, and a wrong article, in two columns."""
    pairs = list(zip(cases, texts, strict=True))
    wrong_case = sum(case.wrong_case(text) for case, text in pairs)
    return f"{wrong_case:6}{sum(case.wrong_article(text) for case, text in pairs):9}"


if __name__ == "__main__":
    main()
