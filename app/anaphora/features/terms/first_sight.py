"""Recurring names and terms of a document with possible renderings, proposed before it is drafted.

Only from Chinese into English: the data about the spelling of names cover no other language pair.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from anaphora.core.consistency import normal_form
from anaphora.core.long_work import Step, cancellable, no_step
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.text import URL
from anaphora.features.terms.names_in_texts import names_in
from anaphora.features.terms.phrases import Phrase, PhraseFinder, PhraseKind
from anaphora.features.terms.word_book import WordBook
from anaphora_text.punctuation import AROUND_WORDS

MAX_CANDIDATES = 60
"""Maximum number of candidates of a document, which the user can read in about a minute."""
MAX_SEGMENTS = 5_000
"""Number of segments searched: most names of a longer document occur in its beginning."""
_USABLE = 0.5
"""Expected chrF2 below which the model's draft of a word is not worth reading."""


class FoundIn(StrEnum):
    NAME = "name"
    AGREED = "dictionary and model"
    DICTIONARY = "dictionary"
    MODEL = "model"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class WordDraft:
    """The model's translation of a single word, with its expected chrF2, in [0, 1]."""

    text: str
    expected: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A recurring name or term.

    Attributes:
        count: number of occurrences.
        segment: id of the first segment that contains it.
        example: that segment's source.
        renderings: possible renderings, the likeliest first; may be empty.
        source: origin of the first rendering.
    """

    text: str
    kind: PhraseKind
    count: int
    segment: str
    example: str
    renderings: tuple[str, ...]
    source: FoundIn

    @property
    def is_sure(self) -> bool:
        if self.source is FoundIn.DICTIONARY:
            return len(self.renderings) == 1
        return self.source in (FoundIn.NAME, FoundIn.AGREED)


def propose(
    segments: Sequence[Segment], book: WordBook, known: Collection[str] = (), step: Step = no_step
) -> tuple[Candidate, ...]:
    """At most `MAX_CANDIDATES` recurring names and terms that are not `known`, the most important first.

    Not for the window's thread: takes a second per thousand segments. `step` may raise to cancel it.
    """
    segments = segments[:MAX_SEGMENTS]
    texts = [URL.sub(" ", MARK.sub(" ", segment.source)) for segment in segments]
    with cancellable(step):
        step(0.0)
        names = names_in(texts, book)
        found = PhraseFinder(names, book.is_noun).find(texts)
    every = {**found, **_with_all_occurrences(names, texts, found)}
    kept = [phrase for phrase in every.values() if phrase.text not in known]
    kinds = {phrase.text: names.get(phrase.text) or _kind_of(phrase, names) for phrase in kept}
    kept.sort(key=lambda phrase: (-_worth(phrase, kinds[phrase.text]), phrase.holders[0], phrase.text))
    return tuple(
        _rendered(each, kinds[each.text], segments[each.holders[0]], book) for each in kept[:MAX_CANDIDATES]
    )


def _with_all_occurrences(
    names: Mapping[str, PhraseKind], texts: Sequence[str], found: Mapping[str, Phrase]
) -> dict[str, Phrase]:
    """Names with all their occurrences, also within longer names: 吴江区 in 吴江区人民法院."""
    counted: dict[str, Phrase] = {}
    for name in names:
        holders = tuple(number for number, text in enumerate(texts) if name in text)
        words = found[name].words if name in found else (name,)
        counted[name] = Phrase(name, words, sum(text.count(name) for text in texts), holders)
    return counted


def _kind_of(phrase: Phrase, names: Mapping[str, PhraseKind]) -> PhraseKind:
    first = names.get(phrase.words[0])
    return first if first in (PhraseKind.ORGANISATION, PhraseKind.PRODUCT) else phrase.kind


def _worth(phrase: Phrase, kind: PhraseKind) -> float:
    """Benefit of a decision on the phrase; higher for names, which drafts often get wrong."""
    return math.log(phrase.count) + (1.5 if kind is not PhraseKind.TERM else 0.3 * (len(phrase.words) > 1))


def _rendered(phrase: Phrase, kind: PhraseKind, segment: Segment, book: WordBook) -> Candidate:
    source = FoundIn.NAME
    if kind is PhraseKind.TERM:
        renderings = book.of_term(phrase.text)
        source = FoundIn.DICTIONARY if renderings else FoundIn.NONE
    elif kind is PhraseKind.PERSON:
        renderings = book.of_person(phrase.text)
    elif kind is PhraseKind.PLACE:
        renderings = book.of_place(phrase.text)
    else:
        renderings = book.of_organisation(phrase.text, phrase.words)
    return Candidate(phrase.text, kind, phrase.count, segment.id, segment.source, tuple(renderings), source)


def with_drafts(candidates: Iterable[Candidate], drafts: Mapping[str, WordDraft]) -> tuple[Candidate, ...]:
    """Candidates with the model's renderings: first if the dictionary agrees, else last."""
    return tuple(
        _with_draft(candidate, drafts[candidate.text]) if candidate.text in drafts else candidate
        for candidate in candidates
    )


def _with_draft(candidate: Candidate, draft: WordDraft) -> Candidate:
    text = draft.text.strip(AROUND_WORDS)
    if candidate.kind is not PhraseKind.TERM or not text:
        return candidate
    if text[1:] == text[1:].lower():
        text = text[0].lower() + text[1:]
    form = normal_form(text)
    alike = [each for each in candidate.renderings if normal_form(each) == form]
    if alike:
        rest = (each for each in candidate.renderings if each != alike[0])
        return replace(candidate, renderings=(alike[0], *rest), source=FoundIn.AGREED)
    if draft.expected < _USABLE:
        return candidate
    source = candidate.source if candidate.renderings else FoundIn.MODEL
    return replace(candidate, renderings=(*candidate.renderings, text), source=source)
