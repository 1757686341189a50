"""Names and terms that recur in a document, with what they may be called: proposed before it is drafted.

Only for Chinese documents, and into English: too little is known of other languages to spell their names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from anaphora.core.consistency import normal_form
from anaphora.core.long_work import Step, no_step, within
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.text import URL
from anaphora.term_base.usage import occurrences
from anaphora.terms.names_in_texts import names_in
from anaphora.terms.phrases import Kind, Phrase, PhraseFinder
from anaphora.terms.word_book import WordBook
from anaphora_text.punctuation import AROUND_WORDS

MOST = 60
"""Candidates of one document: a minute's reading."""
MOST_READ = 5_000
"""Segments that are read: what a longer document calls names, its beginning calls them, too."""
_USABLE = 0.5
"""Expected chrF2 below which the model's draft of a word is not worth reading."""
_PAIRS_READ = 30
"""Translated sentences that are asked what a term is called."""

SaidBefore = Callable[[str], Iterable[str]]
"""Translations of sentences that hold a text, confirmed here or in a memory."""


class Source(StrEnum):
    """Where a rendering comes from."""

    MEMORY = "memory"
    NAME = "name"
    AGREED = "dictionary and model"
    DICTIONARY = "dictionary"
    PARTS = "parts"
    MODEL = "model"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class WordDraft:
    """What the model makes of a word by itself.

    Attributes:
        expected: the draft's expected chrF2, in [0, 1].
    """

    text: str
    expected: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name or term that recurs.

    Attributes:
        text: as the source has it.
        kind: what it is.
        count: how often it occurs.
        segments: ids of the segments that hold it, in order.
        renderings: what it may be called, the likeliest first; none where nothing is known.
        source: where the first of them comes from.
    """

    text: str
    kind: Kind
    count: int
    segments: tuple[str, ...]
    renderings: tuple[str, ...]
    source: Source

    @property
    def is_sure(self) -> bool:
        """Whether the first rendering is likely to be right."""
        if self.source is Source.DICTIONARY:
            return len(self.renderings) == 1
        return self.source in (Source.MEMORY, Source.NAME, Source.AGREED)


def propose(
    segments: Sequence[Segment],
    book: WordBook,
    known: Collection[str] = (),
    said: SaidBefore = lambda text: (),
    step: Step = no_step,
) -> tuple[Candidate, ...]:
    """What recurs and is in no term base, what matters most first; at most `MOST`.

    Not for the window's thread: it takes a second for a thousand segments.

    Args:
        known: the source terms of the term bases.
        said: what was said before of a text.
        step: how far it is; what it raises ends it.
    """
    segments = segments[:MOST_READ]
    texts = [URL.sub(" ", MARK.sub(" ", segment.source)) for segment in segments]
    names = names_in(texts, book, within(step, 0.0, 0.5))
    found = PhraseFinder(names, book.is_noun).find(texts, within(step, 0.5, 0.9))
    every = {**found, **_with_all_places(names, texts, found)}
    kept = [phrase for phrase in every.values() if phrase.text not in known]
    kinds = {phrase.text: names.get(phrase.text) or _kind_of(phrase, names) for phrase in kept}
    kept.sort(key=lambda phrase: (-_worth(phrase, kinds[phrase.text]), phrase.holders[0], phrase.text))
    candidates = []
    for number, phrase in enumerate(kept[:MOST]):
        step(0.9 + 0.1 * number / MOST)
        holders = tuple(segments[holder].id for holder in phrase.holders)
        candidate = _rendered(phrase, kinds[phrase.text], holders, book)
        candidates.append(_as_said_before(candidate, said))
    return tuple(candidates)


def _with_all_places(
    names: Mapping[str, Kind], texts: Sequence[str], found: Mapping[str, Phrase]
) -> dict[str, Phrase]:
    """Names wherever they stand, within longer ones too: 吴江区 in 吴江区人民法院."""
    counted: dict[str, Phrase] = {}
    for name in names:
        holders = tuple(number for number, text in enumerate(texts) if name in text)
        words = found[name].words if name in found else (name,)
        counted[name] = Phrase(name, words, sum(text.count(name) for text in texts), holders)
    return counted


def _kind_of(phrase: Phrase, names: Mapping[str, Kind]) -> Kind:
    """What a stretch is that was found by its recurring."""
    first = names.get(phrase.words[0])
    return first if first in (Kind.ORGANISATION, Kind.PRODUCT) else phrase.kind


def _worth(phrase: Phrase, kind: Kind) -> float:
    """How much is gained when it is settled: names are what drafts get wrong."""
    return math.log(phrase.count) + (1.5 if kind is not Kind.TERM else 0.3 * (len(phrase.words) > 1))


def _rendered(phrase: Phrase, kind: Kind, holders: tuple[str, ...], book: WordBook) -> Candidate:
    if kind is Kind.TERM:
        renderings = book.of_term(phrase.text, phrase.words)
        is_known = bool(book.of_term(phrase.text, (phrase.text,)))
        source = Source.DICTIONARY if is_known else Source.PARTS if renderings else Source.NONE
    else:
        renderings, source = _of_name(phrase, kind, book), Source.NAME
    return Candidate(phrase.text, kind, phrase.count, holders, tuple(renderings), source)


def _of_name(phrase: Phrase, kind: Kind, book: WordBook) -> list[str]:
    if kind is Kind.PERSON:
        return book.of_person(phrase.text)
    return (
        book.of_place(phrase.text) if kind is Kind.PLACE else book.of_organisation(phrase.text, phrase.words)
    )


def _as_said_before(candidate: Candidate, said: SaidBefore) -> Candidate:
    """With the rendering first that translated sentences have most."""
    counts: Counter[str] = Counter()
    for number, target in enumerate(said(candidate.text)):
        if number == _PAIRS_READ:
            break
        counts.update(text for text in candidate.renderings if occurrences(text, target))
    if not counts:
        return candidate
    order = sorted(candidate.renderings, key=lambda text: -counts[text])
    return replace(candidate, renderings=tuple(order), source=Source.MEMORY)


def with_drafts(candidates: Iterable[Candidate], drafts: Mapping[str, WordDraft]) -> tuple[Candidate, ...]:
    """Candidates with what the model makes of them: first where the dictionary says so too, else last."""
    return tuple(
        _with_draft(candidate, drafts[candidate.text]) if candidate.text in drafts else candidate
        for candidate in candidates
    )


def _with_draft(candidate: Candidate, draft: WordDraft) -> Candidate:
    text = draft.text.strip(AROUND_WORDS)
    if candidate.kind is not Kind.TERM or not text or candidate.source is Source.MEMORY:
        return candidate
    if text[1:] == text[1:].lower():
        text = text[0].lower() + text[1:]
    form = normal_form(text)
    alike = [each for each in candidate.renderings if normal_form(each) == form]
    if alike:
        rest = (each for each in candidate.renderings if each != alike[0])
        return replace(candidate, renderings=(alike[0], *rest), source=Source.AGREED)
    if draft.expected < _USABLE:
        return candidate
    source = candidate.source if candidate.renderings else Source.MODEL
    return replace(candidate, renderings=(*candidate.renderings, text), source=source)
