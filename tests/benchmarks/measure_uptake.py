"""How often one correction is followed: a source word of 2 to 6 segments that the references render alike.

    python tests/benchmarks/measure_uptake.py DEV.jsonl.xz [--model FOLDER] [--memories confirmed] \
        [--bleu [--first 15 [--documents 40]] | --placebo]

A correction is an English word (three letters or more, no stop word) that stands in the references of all
segments which hold a Chinese word of two characters or more, and in none of their drafts. By the model's
attention it renders that Chinese word in each of them, and at most twice as many references of the document
have it: a word that is everywhere is not evidence. Of each correction the first segment's reference
is confirmed and nothing else; counted are the drafts (greedy) of the later segments that have the word.
Documents of 8 segments or more; 150 segments of each are read. `--bleu` prints in their place BLEU and
chrF2 with each reference confirmed before the next draft, greedy, on six documents: every second one of 60
segments or more, from the first; with `--first` all documents, or so many evenly, and so many segments of
each. `--placebo` prints the scores of the same documents' drafts with nothing of them confirmed, but the
whole of another one in front of each.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderings import renderings, words_of

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.evaluate import memories_in_use
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.evaluation.bleu import corpus_bleu, corpus_chrf
from anaphora_nmt.pipeline.suggesting.corpus import CorpusTranslator
from anaphora_nmt.text.words import words
from anaphora_nmt.types import SearchOptions
from anaphora_text.han import is_han
from anaphora_text.stop_words import STOP_WORDS

FEWEST, MOST = 2, 6
SHORTEST, LONGEST = 8, 150
LONG, SCORED = 60, 6


@dataclass(frozen=True, slots=True)
class Correction:
    """A word that all references of some segments share, and the source words that only those segments hold.

    Attributes:
        document: its number.
        segments: their numbers, in order.
    """

    document: int
    sources: tuple[str, ...]
    target: str
    segments: tuple[int, ...]


def shared_words(number: int, document: ParallelDocument) -> Iterator[Correction]:
    """The possible corrections of drafts without the word."""
    where: dict[str, list[int]] = {}
    for place, (source, _) in enumerate(document.pairs):
        for word in {word for word, _, _ in words(source) if len(word) > 1 and all(map(is_han, word))}:
            where.setdefault(word, []).append(place)
    references = [_content(target) for _, target in document.pairs]
    found: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for word, places in sorted(where.items()):
        if FEWEST <= len(places) <= MOST:
            for target in sorted(set.intersection(*(references[place] for place in places))):
                if sum(target in reference for reference in references) <= 2 * len(places):
                    found.setdefault((target, tuple(places)), []).append(word)
    for (target, segments), sources in found.items():
        yield Correction(number, tuple(sources), target, segments)


def _content(text: str) -> set[str]:
    return {word for word in words_of(text) if len(word) > 2 and word.isalpha() and word not in STOP_WORDS}


def corrections(corpus: CorpusTranslator, documents: Sequence[ParallelDocument]) -> list[Correction]:
    """All corrections of some documents."""
    shared = [one for number, document in enumerate(documents) for one in shared_words(number, document)]
    known: dict[tuple[int, int], dict[str, str]] = {}
    for one in shared:
        for place in one.segments:
            if (one.document, place) not in known:
                pair = documents[one.document].pairs[place]
                known[one.document, place] = renderings(corpus.drafter, *pair)
    aligned = [one for one in shared if _aligned(one, known)]
    needed = [
        {place for one in aligned if one.document == n for place in one.segments}
        for n in range(len(documents))
    ]
    places = [(number, place) for number, some in enumerate(needed) for place in sorted(some)]
    sources = [[documents[number].pairs[place][0]] for number, place in places]
    drafts = corpus.translate(sources, SearchOptions(beam_size=1, memories=memories_in_use("none")))
    drafted = {place: set(words_of(draft)) for place, [draft] in zip(places, drafts, strict=True)}
    return [
        one
        for one in aligned
        if not any(one.target in drafted[one.document, place] for place in one.segments)
    ]


def _aligned(one: Correction, known: Mapping[tuple[int, int], Mapping[str, str]]) -> bool:
    """True if the word renders the same source word in each of the segments."""
    given = [known[one.document, place] for place in one.segments]
    return any(all(one.target in each.get(word, "").split() for each in given) for word in one.sources)


def followed(
    corpus: CorpusTranslator,
    documents: Sequence[ParallelDocument],
    given: Sequence[Correction],
    memories: str,
) -> dict[Correction, list[bool]]:
    """Of each correction, whether the later segments' drafts have its word."""
    cases = sorted({(one.document, one.segments[0], later) for one in given for later in one.segments[1:]})
    pairs = [(documents[d].pairs[first], documents[d].pairs[later]) for d, first, later in cases]
    drafts = corpus.translate(
        [[first[0], later[0]] for first, later in pairs],
        SearchOptions(beam_size=1, memories=memories_in_use(memories)),
        [[first[1], None] for first, _ in pairs],
    )
    drafted = {case: set(words_of(draft[1])) for case, draft in zip(cases, drafts, strict=True)}
    return {
        one: [one.target in drafted[one.document, one.segments[0], later] for later in one.segments[1:]]
        for one in given
    }


def each_confirmed(
    corpus: CorpusTranslator,
    documents: Sequence[ParallelDocument],
    memories: str,
    first: int = 0,
    most: int = 0,
) -> str:
    """Scores of drafts with each reference confirmed before the next one."""
    chosen = first_segments(documents, first, most) if first else _scored(documents)
    references = [[target for _, target in pairs] for pairs in chosen]
    options = SearchOptions(beam_size=1, memories=memories_in_use(memories))
    drafts = corpus.translate([[source for source, _ in pairs] for pairs in chosen], options, references)
    return f"each confirmed: {scores(drafts, references)}"


def first_segments(
    documents: Sequence[ParallelDocument], first: int, most: int
) -> list[tuple[tuple[str, str], ...]]:
    """The pairs that documents begin with, of all of them or of so many evenly."""
    chosen = [one.pairs[:first] for one in documents]
    return chosen[:: max(1, len(chosen) // most)][:most] if most else chosen


def another_confirmed(corpus: CorpusTranslator, documents: Sequence[ParallelDocument], memories: str) -> str:
    """Scores of drafts where nothing but another document is confirmed."""
    chosen = _scored(documents)
    others = [*chosen[1:], chosen[0]]
    confirmed: list[list[str | None]] = [
        [*(target for _, target in other), *(None for _ in pairs)]
        for other, pairs in zip(others, chosen, strict=True)
    ]
    drafts = corpus.translate(
        [[source for source, _ in (*other, *pairs)] for other, pairs in zip(others, chosen, strict=True)],
        SearchOptions(beam_size=1, memories=memories_in_use(memories)),
        confirmed,
    )
    own = [each[len(other) :] for each, other in zip(drafts, others, strict=True)]
    return f"another document confirmed: {scores(own, [[target for _, target in pairs] for pairs in chosen])}"


def _scored(documents: Sequence[ParallelDocument]) -> list[tuple[tuple[str, str], ...]]:
    return [one.pairs for one in documents if len(one.pairs) >= LONG][::2][:SCORED]


def scores(drafts: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> str:
    """BLEU and chrF2 of some documents' drafts, in words."""
    lines, right = ([line for document in each for line in document] for each in (drafts, references))
    bleu, chrf = corpus_bleu(lines, [right]).value, corpus_chrf(lines, [right]).value
    return f"BLEU {bleu:.2f}, chrF2 {chrf:.2f} on {len(lines)} segments"


def long_enough(path: Path) -> list[ParallelDocument]:
    """The documents of a corpus in which something can come again, and no more of each than is read."""
    return [
        ParallelDocument(one.id, one.source_name, one.licence, one.pairs[:LONGEST])
        for one in read_documents(path)
        if len(one.pairs) >= SHORTEST
    ]


def main() -> None:
    """Print how many later occurrences follow."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--memories", default="confirmed")
    parser.add_argument("--bleu", action="store_true", help="score drafts, and count no places")
    parser.add_argument("--first", type=int, default=0, help="of all documents so many segments")
    parser.add_argument("--documents", type=int, default=0, help="so many of these, evenly")
    parser.add_argument("--placebo", action="store_true", help="the same with another document confirmed")
    arguments = parser.parse_args()
    documents = long_enough(arguments.corpus)
    corpus = Translator.load(arguments.model or embedded_model(), threads=1).corpus(24)
    if arguments.bleu:
        scored = arguments.memories, arguments.first, arguments.documents
        print(each_confirmed(corpus, documents, *scored))
        return
    if arguments.placebo:
        print(another_confirmed(corpus, documents, arguments.memories))
        return
    given = corrections(corpus, documents)
    found = followed(corpus, documents, given, arguments.memories)
    hits = [hit for several in found.values() for hit in several]
    where = len({one.document for one in given})
    print(
        f"{len(given)} corrections in {where} documents: {sum(hits)} of {len(hits)} later places follow "
        f"({sum(hits) / max(1, len(hits)):.1%})"
    )


if __name__ == "__main__":
    main()
