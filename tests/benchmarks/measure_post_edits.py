"""Measure how often drafts follow a corrected word, if a translator changes only a term.

    python tests/benchmarks/measure_post_edits.py D/docs-unseen-zh-en/test.jsonl.xz [--confirm 2] [--list]
    python tests/benchmarks/measure_post_edits.py D/docs-unseen-zh-en/test.jsonl.xz --recall [--every 3]

Post-edits are simulated, for source phrases in at least three segments that have the same rendering in all
references, but another one in the drafts. The first draft (with `--confirm 2`, the first two) gets the
references' words, with the inflection of the words that they replace, and is confirmed. Adjacent source words
are one phrase if one text has words for both and the other text for one of them ("packaging tool" and
"bundler"). Later drafts of the phrase are made with the learned corrections, and without. `--list` prints all
changes. Drafts of segments without the phrase must be identical.

`--recall` confirms each reference before the next segment is drafted, and measures recall with corrections
and without: R1 is that of content words that occurred in exactly one earlier segment, R0 that of new words
(Simianer, Wuebker and DeNero, NAACL 2019).
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sacrebleu.metrics import CHRF

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.corrections import Correction
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.pipeline.correcting.aligned_words import SourceWords, TargetWords, read_words
from anaphora_nmt.pipeline.correcting.replaced_words import Replacement, apply_replacements
from anaphora_nmt.pipeline.preparing.lines import prepare_source
from anaphora_nmt.types import SourceSegment
from anaphora_text.function_words import STOP_WORDS
from anaphora_text.han import is_han
from anaphora_text.inflections import (
    PARTICLES,
    forms_like,
    in_singular,
    penn_tags,
    regular_singular,
)
from anaphora_text.word_forms import content_words, lemmas

MAX_SEGMENTS, MIN_SEGMENTS, MAX_LATER = 120, 30, 8
SHORTER_THAN, LONGER_THAN = 120, 4
MIN_SIMILARITY = 0.6
_CHRF = CHRF()
_PREFIX = re.compile(r"\b(re|pre|sub|un) $", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """A phrase with another rendering in the drafts than in the references.

    Attributes:
        first: the numbers and texts of the confirmed segments.
        later: the numbers of further segments with the phrase.
    """

    word: str
    rejected: str
    chosen: str
    first: tuple[tuple[int, str], ...]
    later: tuple[int, ...]


def cases(
    translator: Translator, document: Sequence[tuple[str, str]], drafts: Sequence[str], confirm: int
) -> Iterator[Case]:
    """The cases of a document."""
    places = defaultdict(list)
    for at, ((source, reference), draft) in enumerate(zip(document, drafts, strict=True)):
        for word, span, wanted in _phrases(translator, source, draft, reference):
            places[word].append((at, _in_singular(draft[slice(*span)].casefold()), span, wanted))
    for word, found in sorted(places.items()):
        ((old, often),) = Counter(drafted for _, drafted, _, _ in found).most_common(1)
        ((new, alike),) = Counter(wanted for _, _, _, wanted in found).most_common(1)
        if min(often, len(found)) < 3 or alike < MIN_SIMILARITY * len(found) or not _differ(old, new):
            continue
        clear = ((at, span) for at, drafted, span, wanted in found if (drafted, wanted) == (old, new))
        hits = [(at, span) for at, span in clear if not _has(drafts[at], new)]
        edited = [(at, _edited(drafts[at], span, new)) for at, span in hits[:confirm]]
        if len(hits) > confirm and all(text for _, text in edited):
            last = edited[-1][0]
            later = [at for at, (source, _) in enumerate(document) if word in source and at > last]
            yield Case(word, old, new, tuple(edited), tuple(later[:MAX_LATER]))


def _phrases(
    translator: Translator, source: str, draft: str, reference: str
) -> Iterator[tuple[str, tuple[int, int], str]]:
    """Chinese phrases that occur once in a source, their spans in a draft, their words in a reference."""
    drafter = translator.corpus().drafter
    line = prepare_source(source, drafter.source)
    words = SourceWords.of(line.line.plain)
    drafted, wanted = (read_words(drafter, line, words, text) for text in (draft, reference))
    phrases: list[range] = []
    for word, (start, _) in enumerate(words.spans):
        pair = range(word - 1, word + 1)
        is_next = word > 0 and words.spans[word - 1][1] == start and all(map(words.is_content, pair))
        texts = drafted, wanted
        is_one = _is_one(pair, *texts) or _is_one(pair, *texts[::-1]) or _differ_in_both(pair, *texts)
        if is_next and is_one:
            phrases[-1] = range(phrases[-1].start, word + 1)
        else:
            phrases.append(range(word, word + 1))
    for each in phrases:
        phrase, one, other = words.phrase(each), _rendering(drafted, each), _rendering(wanted, each)
        if len(phrase) > 1 and all(map(is_han, phrase)) and words.text.count(phrase) == 1 and one and other:
            behind = _particle(drafted, one), _particle(wanted, other)
            if behind[0] != behind[1]:
                one, other = [*one, one[-1] + len(behind[0])], [*other, other[-1] + len(behind[1])]
            span, place = _place(drafted, draft, one), _place(wanted, reference, other)
            if span and place:
                yield phrase, span, _in_singular(reference[slice(*place)].casefold())


def _is_one(pair: range, one: TargetWords, other: TargetWords) -> bool:
    """True if one text has adjacent words for both source words of a pair, and the other for only one."""
    both = {one.renders[word] for word in _rendering(one, pair)}
    return both == {*pair} and len(other.sources(other.whole) & {*pair}) == 1


def _differ_in_both(pair: range, drafted: TargetWords, wanted: TargetWords) -> bool:
    """True if two adjacent words became two other ones: "basic layout" and "type area"."""
    if not (_rendering(drafted, pair) and _rendering(wanted, pair)):
        return False
    words = [[_singulars(text, range(word, word + 1)) for text in (drafted, wanted)] for word in pair]
    return all(one and other and not one & other for one, other in words)


def _singulars(text: TargetWords, sources: range) -> set[str]:
    return {_in_singular(text.words[word].casefold()) for word in _rendering(text, sources)}


def _in_singular(text: str) -> str:
    """A text with its last word in the singular: "index" for "indices"."""
    is_noun = penn_tags(text.split()[-1]) & {"NN", "NNS"}
    return in_singular(text, text)[0] if is_noun else regular_singular(text)


def _rendering(text: TargetWords, sources: range) -> list[int]:
    """The words that render some source words; none if other words are between them."""
    found = [word for word in text.content(text.whole) if text.renders[word] in sources]
    return found if found and found[-1] - found[0] < len(found) else []


def _particle(text: TargetWords, found: list[int]) -> tuple[str, ...]:
    """The particle after some words: "to" in "changed to"."""
    return tuple(word for word in text.folded((found[-1] + 1, found[-1] + 2)) if word in PARTICLES)


def _place(words: TargetWords, text: str, found: list[int]) -> tuple[int, int] | None:
    """The span of some words; None for a part of a word, as in "sub-site" or "re scheduling"."""
    start, end = words.raw[found[0]][0], words.raw[found[-1]][1]
    is_part = "-" in (text[start - 1 : start], text[end : end + 1]) or _PREFIX.search(text, 0, start)
    return None if is_part else (start, end)


def _edited(draft: str, span: tuple[int, int], new: str) -> str:
    """A draft with a phrase replaced by another one with the same inflection, capital and article.

    "" if the new phrase has no such form ("grateful" for "appreciate"), or only a past tense where the old
    phrase may be a participle ("took" for "spent").
    """
    old = draft[slice(*span)]
    may_be_participle = "VBN" in penn_tags(old.split()[-1])
    forms = [form for form in forms_like(new, old)[:1] if penn_tags(form) != {"VBD"} or not may_be_participle]
    texts = tuple(form[:1].upper() + form[1:] if old[:1].isupper() else form for form in forms)
    return apply_replacements(draft, [Replacement(*span, texts)])[0] if texts else ""


def _differ(old: str, new: str) -> bool:
    one, other = old.split(), new.split()
    are_words = all(word.isalpha() and word not in STOP_WORDS for word in one + other)
    are_long = are_words and min(len(one[-1]), len(other[-1])) > 3
    forms = [{form for word in words for form in lemmas(word)} for words in (one, other)]
    return are_long and not forms[0] & forms[1] and old[:4] != new[:4]


def _has(text: str, word: str) -> bool:
    return Correction("-", "-", word).chosen_in(text)


@dataclass
class Counts:
    """The outcomes of the cases."""

    learned: int = 0
    others: int = 0
    cases: int = 0
    wrong: int = 0
    followed: int = 0
    alone: int = 0
    withheld: int = 0
    neither: int = 0
    neither_changed: int = 0
    neither_changed_from_other: int = 0
    without: int = 0
    without_changed: int = 0
    seconds: float = 0.0
    seconds_alone: float = 0.0
    better: float = 0.0
    changed: int = 0

    def __str__(self) -> str:
        of = max(1, self.wrong)
        return (
            f"{self.cases} post-edits, {self.learned} learned right, {self.others} others learned\n"
            f"{self.wrong} later drafts with the rejected word: {self.followed} follow "
            f"({100 * self.followed / of:.1f} %), without corrections {self.alone}\n"
            f"{self.neither} later references have neither word: {self.neither_changed} drafts changed, "
            f"{self.neither_changed_from_other} of them from another word than the rejected one\n"
            f"{self.changed} changed drafts: chrF2 {self.better / max(1, self.changed):+.2f}\n"
            f"{self.without} drafts of other segments: {self.without_changed} changed, processor time "
            f"{self.seconds / max(1e-9, self.seconds_alone):.3f} of that without corrections"
        )


def measure(
    translator: Translator, document: ParallelDocument, confirm: int, listed: bool, counts: Counts
) -> None:
    """Count the outcomes of the cases of a document."""
    pairs = [pair for pair in document.pairs if LONGER_THAN < len(pair[0]) < SHORTER_THAN][:MAX_SEGMENTS]
    if len(pairs) < MIN_SEGMENTS:
        return
    sources = [SourceSegment(str(at), source) for at, (source, _) in enumerate(pairs)]
    translator.open_document("d", sources)
    drafts = [translator.translate("d", each.id).text for each in sources]
    for case in cases(translator, pairs, drafts, confirm):
        translator.open_document("d", sources)
        for at, text in case.first:
            translator.remember("d", str(at), text, drafts[at])
        learned = translator.corrections("d")
        counts.cases += 1
        counts.learned += any(each.source == case.word and _has(case.chosen, each.chosen) for each in learned)
        strange = [each for each in learned if each.source != case.word]
        counts.others += len(strange)
        if listed and (strange or not learned):
            print("  learned:", case, learned)
        alike = [
            at
            for at in range(len(pairs))
            if at > case.first[-1][0] and not any(each.source in pairs[at][0] for each in learned)
        ]
        for at in case.later:
            _count(translator, case, pairs, drafts, at, counts, listed)
        for at in alike[:6]:
            corrected, alone, seconds = _both(translator, at)
            counts.without += 1
            counts.without_changed += corrected != alone
            counts.seconds += seconds[0]
            counts.seconds_alone += seconds[1]


def _both(translator: Translator, at: int) -> tuple[str, str, tuple[float, float]]:
    """A draft with the corrections, one without, and the processor times."""
    learned = translator.corrections("d")
    translator.translate("d", str(at))  # warm up
    start = time.process_time()
    corrected = translator.translate("d", str(at)).text
    middle = time.process_time()
    translator.correct("d", learned)
    restart = time.process_time()
    alone = translator.translate("d", str(at)).text
    end = time.process_time()
    translator.correct("d", (), learned)
    return corrected, alone, (middle - start, end - restart)


def _count(
    translator: Translator,
    case: Case,
    pairs: Sequence[tuple[str, str]],
    drafts: Sequence[str],
    at: int,
    counts: Counts,
    listed: bool,
) -> None:
    source, reference = pairs[at]
    corrected, alone, _ = _both(translator, at)
    had_wrong = _has(drafts[at], case.rejected) and not _has(drafts[at], case.chosen)
    if had_wrong:
        counts.wrong += 1
        counts.followed += _has(corrected, case.chosen)
        counts.alone += _has(alone, case.chosen)
    if not _has(reference, case.rejected) and not _has(reference, case.chosen):
        counts.neither += 1
        counts.neither_changed += corrected != alone
        counts.neither_changed_from_other += corrected != alone and not had_wrong
    if corrected != alone:
        counts.changed += 1
        scores = [_CHRF.sentence_score(text, [reference]).score for text in (corrected, alone)]
        counts.better += scores[0] - scores[1]
    if listed and (corrected != alone or had_wrong):
        print(f"{case.word}: {case.rejected} > {case.chosen}\n  {source}")
        print(f"  - {alone}\n  + {corrected}\n  = {reference}")


def recall(translator: Translator, documents: Sequence[ParallelDocument], corrects: bool) -> Counter[str]:
    """Counts of references' words that occurred once or never before, and of those that drafts contain."""
    found: Counter[str] = Counter()
    for document in documents:
        pairs = document.pairs[:MAX_SEGMENTS]
        sources = [SourceSegment(str(at), source) for at, (source, _) in enumerate(pairs)]
        translator.open_document("d", sources)
        met: Counter[str] = Counter()
        for segment, (_, reference) in zip(sources, pairs, strict=True):
            draft = translator.translate("d", segment.id).text
            has, wanted = (set(map(str.casefold, content_words(text))) for text in (draft, reference))
            for word in wanted:
                if met[word] < 2:
                    found[f"R{met[word]}"] += word in has
                    found[f"of R{met[word]}"] += 1
            met.update(wanted)
            translator.remember("d", segment.id, reference)
            if not corrects:
                translator.correct("d", translator.corrections("d"))
    return found


def drawn(documents: Sequence[ParallelDocument], part: int, most: int) -> list[ParallelDocument]:
    """Documents with many suitable pairs: those at `part` and `part + 3` of each shuffled source."""
    by_source = defaultdict(list)
    for each in documents:
        if sum(LONGER_THAN < len(source) < SHORTER_THAN for source, _ in each.pairs) >= 2 * MIN_SEGMENTS:
            by_source[each.source_name].append(each)
    shuffle = random.Random(60).shuffle
    for name in (names := sorted(by_source)):
        shuffle(by_source[name])
    shuffle(names)
    turns = (part, part + 3)
    return [each for turn in turns for name in names for each in by_source[name][turn : turn + 1]][:most]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("documents", type=Path)
    parser.add_argument("--model", type=Path, default=embedded_model())
    parser.add_argument("--confirm", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="take every n-th document")
    parser.add_argument("--part", type=int, nargs=2, help="from 0, and how many documents of it")
    parser.add_argument("--recall", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    translator = Translator.load(options.model, "cpu", threads=1)
    documents = [*read_documents(options.documents)][:: options.every]
    if options.part:
        documents = drawn(documents, *options.part)
    if options.recall:
        for corrects in (True, False):
            found = recall(translator, documents, corrects)
            print("with corrections:" if corrects else "without:")
            for name in ("R1", "R0"):
                met, count = found[f"of {name}"], found[name]
                print(f"  {name} {count} of {met} ({100 * count / max(1, met):.2f} %)")
        return
    counts = Counts()
    for document in documents:
        measure(translator, document, options.confirm, options.list, counts)
    print(counts)


if __name__ == "__main__":
    main()
