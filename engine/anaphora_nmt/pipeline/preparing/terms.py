"""Terms of a segment as search uses them: positions of source pieces, and forms as target pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from anaphora_nmt.pipeline.preparing.lines import PreparedLine, prepare_target
from anaphora_nmt.search.sentence_terms import SentenceTerms, TermPlace
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.tags import Tag
from anaphora_nmt.text.vocabulary import PAD, UNK, Vocabulary
from anaphora_nmt.types import SourceTerm
from anaphora_text.unspaced import is_unspaced

_MAX_PIECES = 16
"""Maximum number of pieces of a form; search does not require longer forms."""


def place_terms(
    source: PreparedLine, terms: Sequence[SourceTerm], source_pieces: Vocabulary, target_pieces: Vocabulary
) -> SentenceTerms:
    """Locate terms among a whole source's pieces with marks; terms with protected strings have no place."""
    _, spans = source_pieces.encode_with_spans(source.line.text)
    places: list[TermPlace] = []
    numbers: dict[tuple[str, ...], int] = {}
    for term in terms:
        columns = _columns(source, term, spans, len(source_pieces.before))
        if columns and term.forms:
            places.append(TermPlace(columns, numbers.setdefault(term.forms, len(numbers))))
    forms = [tuple(_sequences(texts, target_pieces)) for texts in numbers]
    kept = tuple(place for place in places if forms[place.term])
    allowed = {text for texts in numbers for text in texts}
    forbidden = dict.fromkeys(text for term in terms for text in term.forbidden if text not in allowed)
    sequences = _sequences(forbidden, target_pieces)
    clashes = dict.fromkeys(text for term in terms for text in term.clashes)
    sequences += _cut_at_forms(_sequences(clashes, target_pieces), forms)
    return SentenceTerms(kept, tuple(forms), tuple(dict.fromkeys(sequences)))


def _cut_at_forms(
    sequences: Iterable[tuple[int, ...]], forms: Iterable[Iterable[tuple[int, ...]]]
) -> list[tuple[int, ...]]:
    """Cut each sequence after the first piece that begins a form, because search then completes the form.

    Sequences without such a piece are dropped.
    """
    first = {form[0] for each in forms for form in each}
    results = []
    for pieces in sequences:
        ends = (place for place in range(1, len(pieces)) if pieces[place] in first)
        if (end := next(ends, 0)) > 0:
            results.append(pieces[: end + 1])
    return results


def carry_terms(
    terms: SentenceTerms, whole: Sequence[int], parts: Sequence[Sequence[int]], pieces: Vocabulary
) -> list[SentenceTerms]:
    """Carry a source's terms over to the first part that has them, and forbidden texts over to all parts.

    Args:
        whole, parts: pieces with marks; the parts' placeholders are renumbered.
    """
    if [*map(tuple, parts)] == [tuple(whole)] or not (terms.places or terms.forbidden):
        return [terms] * len(parts)
    same = {piece: PAD for ids in pieces.placeholder_ids for piece in ids}
    whole = [same.get(piece, piece) for piece in whole]
    joined = [same.get(piece, piece) for part in parts for piece in part]
    owners = [(number, place) for number, part in enumerate(parts) for place in range(len(part))]
    moved: dict[int, tuple[int, int]] = {}
    for first, second, size in SequenceMatcher(None, whole, joined, autojunk=False).get_matching_blocks():
        moved |= {first + step: owners[second + step] for step in range(size)}
    carried: list[list[TermPlace]] = [[] for _ in parts]
    for place in terms.places:
        targets = [moved[column] for column in place.columns if column in moved]
        for number in sorted({number for number, _ in targets})[:1]:
            columns = tuple(column for owner, column in targets if owner == number)
            carried[number].append(replace(place, columns=columns))
    return [replace(terms, places=tuple(places)) for places in carried]


def _columns(
    source: PreparedLine, term: SourceTerm, spans: Sequence[tuple[int, int]], marks: int
) -> tuple[int, ...]:
    start, end = (_plain_offset(source.line.tags, offset) for offset in (term.start, term.end))
    inside = [index for index, (a, b) in enumerate(source.line.spans) if a < end and start < b]
    if not inside or any(source.line.text[index] in PLACEHOLDERS for index in inside):
        return ()
    first, last = inside[0], inside[-1] + 1
    return tuple(
        number + marks
        for number, (a, b) in enumerate(spans[: len(source.ids)])
        if a < last and first < b and source.line.text[a:b].strip()
    )


def _plain_offset(tags: Sequence[Tag], offset: int) -> int:
    before = 0
    for tag in tags:
        begin = tag.position + before
        if begin >= offset:
            break
        before += min(len(tag.text), offset - begin)
    return offset - before


def _sequences(texts: Iterable[str], pieces: Vocabulary) -> list[tuple[int, ...]]:
    """The pieces of texts in all variants that search can write: with a capital, without a space before."""
    results: dict[tuple[int, ...], None] = {}
    for text in texts:
        for variant in (text, text[:1].upper() + text[1:]):
            ids = prepare_target(variant, (), pieces).ids
            after = prepare_target("(" + variant, (), pieces).ids
            opening = prepare_target("(", (), pieces).ids
            for sequence in (ids, after[len(opening) :] if after[: len(opening)] == opening else ()):
                if len(sequence) > 1 and pieces.piece(sequence[0]) == "▁" and is_unspaced(text[:1]):
                    sequence = sequence[1:]  # without the space
                # Terms that are too long or have letters outside the vocabulary cannot be enforced.
                if 0 < len(sequence) <= _MAX_PIECES and UNK not in sequence:
                    results[sequence] = None
    return list(results)
