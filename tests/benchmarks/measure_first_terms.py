"""Names and terms that are proposed on first sight, beside what was annotated by hand; what drafts gain.

    python tests/benchmarks/measure_first_terms.py [--list] [--no-drafts]
    python tests/benchmarks/measure_first_terms.py --recurring
    python tests/benchmarks/measure_first_terms.py --read CORPUS [--documents N]

A document a line: how many candidates there are; of the names that recur (`tests/golden/first_terms`) and
that a translator would settle first, how many are proposed, and of names and terms together; how many
candidates are nonsense, which is all that is not annotated. Then the drafts of the segments (beam 5, no
memory) without terms and with all right candidates accepted, in a rendering that was offered and is right:
chrF2 where there are references, and in how many segments with a name (or a term) the draft calls it right.

`--recurring` counts what the panel *Terms* lists instead: of what is to be settled first and stands three
times, in two segments, how much is listed, and how much of the list is not annotated.

`--list` prints what was missed and what is nonsense. `--read` prints the candidates of a corpus' first
documents of 20 segments and more, each of another source, for a reader to judge.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import sacrebleu

from anaphora.core.segment import Segment
from anaphora.shipped import default_model, glossary, known_names
from anaphora.term_base.entries import Entry, TargetTerm
from anaphora.term_base.recognition import Recogniser
from anaphora.term_base.usage import occurrences
from anaphora.terms.first_sight import Candidate, WordDraft, propose, with_drafts
from anaphora.terms.recurring import recurring_terms
from anaphora.terms.service import Terms
from anaphora.terms.word_book import WordBook, open_word_book
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import SearchOptions, SourceSegment

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))
from first_terms.annotation import Annotated, annotated, judged, pairs_of

OPTIONS = SearchOptions(memories=memories_in_use("none"))
LEAST = 20


def segments_of(sources: Sequence[str]) -> list[Segment]:
    """Segments with numbers for ids."""
    return [Segment(str(number), source) for number, source in enumerate(sources)]


def drafts_of(translator: Translator, segments: Sequence[Segment], terms: Terms) -> list[str]:
    """A draft of each segment, held to terms."""
    translator.open_document("drafts", [SourceSegment(each.id, each.source) for each in segments])
    return [
        translator.translate("drafts", each.id, OPTIONS, None, terms.for_engine(each)).text
        for each in segments
    ]


def word_drafts(translator: Translator, words: Sequence[str]) -> dict[str, WordDraft]:
    """What the model makes of words by themselves."""
    translator.open_document("words", [SourceSegment(str(n), word) for n, word in enumerate(words)])
    drafts = [translator.translate("words", str(number), OPTIONS) for number in range(len(words))]
    return {
        word: WordDraft(draft.text, draft.quality.expected if draft.quality else 0.0)
        for word, draft in zip(words, drafts, strict=True)
    }


def accepted(candidates: Sequence[Candidate], known: dict[str, Annotated]) -> Terms:
    """The right candidates as terms, in the first rendering that was offered and is right."""
    entries = []
    for each in candidates:
        wanted = {text.casefold() for text in known[each.text].renderings} if each.text in known else set()
        right = [text for text in each.renderings if text.casefold() in wanted]
        if right:
            entries.append(Entry(each.text, (TargetTerm(right[0]),)))
    return Terms({"": tuple(entries)}, Recogniser(entries))


def called_right(
    known: dict[str, Annotated], segments: Sequence[Segment], drafts: Sequence[str], names: bool
) -> tuple[int, int]:
    """Of names, or of terms, in segments, how many the drafts call right, and how many there are."""
    right = total = 0
    for each in known.values():
        if each.is_needed and each.is_name is names:
            for segment, draft in zip(segments, drafts, strict=True):
                if each.text in segment.source:
                    total += 1
                    right += any(occurrences(text, draft) for text in each.renderings)
    return right, total


def measure(options: argparse.Namespace) -> None:
    """Print the table."""
    book = open_word_book(glossary("zh", "en"), known_names("zh", "en"))
    translator = None if options.no_drafts else Translator.load(default_model(), threads=1)
    print(f"{'document':<14}{'proposed':>9}{'names':>8}{'all':>8}{'nonsense':>9}", end="")
    print(f"{'chrF2':>16}{'names right':>16}{'terms right':>16}")
    sums = [0] * 12
    for document, known in annotated().items():
        pairs = pairs_of(document)
        segments = segments_of([source for source, _ in pairs])
        candidates = propose(segments, book)
        found = judged(known, [each.text for each in candidates], "\n".join(source for source, _ in pairs))
        needed = [each for each in known.values() if each.is_needed]
        names = sum(each.is_name for each in needed)
        missed = sum(each.is_name for each in found.missed)
        row = [found.proposed, names - missed, names, len(needed) - len(found.missed), len(needed)]
        row.append(len(found.nonsense))
        chrf = ""
        if translator is not None:
            candidates = with_drafts(candidates, word_drafts(translator, [each.text for each in candidates]))
            plain = drafts_of(translator, segments, Terms({}, Recogniser(())))
            held = drafts_of(translator, segments, accepted(candidates, known))
            if pairs[0][1]:
                references = [[reference for _, reference in pairs]]
                scores = (sacrebleu.corpus_chrf(drafts, references).score for drafts in (plain, held))
                chrf = " → ".join(f"{score:.2f}" for score in scores)
            for kind in (True, False):
                before, total = called_right(known, segments, plain, kind)
                row += [before, called_right(known, segments, held, kind)[0], total]
        show(document, row, chrf)
        sums = [old + new for old, new in zip(sums[: len(row)], row, strict=True)]
        if options.list:
            print("   missed:", *(each.text for each in found.missed))
            print("   nonsense:", *found.nonsense)
    show("all", sums, "")


def measure_recurring() -> None:
    """Print how much of what is annotated the panel of recurring terms lists."""
    book = open_word_book(glossary("zh", "en"), None)
    sums = [0] * 4
    for document, known in annotated().items():
        segments = segments_of([source for source, _ in pairs_of(document)])
        whole = "\n".join(each.source for each in segments)
        listed = [term.text for term in recurring_terms(segments, book)]
        often = {
            text: each
            for text, each in known.items()
            if whole.count(text) > 2 and sum(text in segment.source for segment in segments) > 1
        }
        found = judged(often, listed, whole)
        needed = sum(each.is_needed for each in often.values())
        foreign = sum(text not in known for text in listed) if known else 0
        row = [len(listed), needed - len(found.missed), needed, foreign]
        sums = [old + new for old, new in zip(sums, row, strict=True)]
        print(f"{document:<14}{row[0]:>9}{f'{row[1]}/{needed}':>9}{foreign:>9}")
    print(f"{'all':<14}{sums[0]:>9}{f'{sums[1]}/{sums[2]}':>9}{sums[3]:>9}")


def show(name: str, row: Sequence[int], chrf: str) -> None:
    """Print a line."""
    proposed, names, all_names, every, needed, nonsense, *drafts = row
    print(f"{name:<14}{proposed:>9}{f'{names}/{all_names}':>8}{f'{every}/{needed}':>8}{nonsense:>9}", end="")
    print(f"{chrf:>16}", end="")
    for start in range(0, len(drafts), 3):
        before, after, total = drafts[start : start + 3]
        print(f"{f'{before} → {after}/{total}':>16}", end="")
    print(flush=True)


def read(options: argparse.Namespace) -> None:
    """Print the candidates of a corpus' documents."""
    book: WordBook = open_word_book(glossary("zh", "en"), known_names("zh", "en"))
    seen: set[str] = set()
    for document in read_documents(options.read):
        if document.source_name in seen or len(document.pairs) < LEAST or len(seen) >= options.documents:
            continue
        seen.add(document.source_name)
        begin = time.process_time()
        candidates = propose(segments_of([source for source, _ in document.pairs]), book)
        seconds = time.process_time() - begin
        print(f"\n# {document.id}: {len(document.pairs)} segments, {seconds:.2f} s")
        for each in candidates:
            print(f"{each.text}\t{each.kind}\t{each.count}\t{'; '.join(each.renderings)}")


def main() -> None:
    """Measure, or print for a reader."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--no-drafts", action="store_true")
    parser.add_argument("--recurring", action="store_true")
    parser.add_argument("--read", type=Path)
    parser.add_argument("--documents", type=int, default=5)
    options = parser.parse_args()
    if options.read:
        read(options)
    elif options.recurring:
        measure_recurring()
    else:
        measure(options)


if __name__ == "__main__":
    main()
