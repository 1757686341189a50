"""Finds issues in translations: the same ones that the window shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.cli.checked_texts import CheckedTexts
from anaphora.cli.headless_help import Help
from anaphora.core.segment import Segment, Status
from anaphora.core.term_entries import TermEntry
from anaphora.features.checks.quality import Localise, check_others, check_terms_of, remarks_on
from anaphora.features.checks.quality_document import Inventions
from anaphora.features.checks.registry import check_name
from anaphora.features.checks.segment.check import Remark
from anaphora.features.spelling.speller import Speller, dictionaries_of, inventions_by, words_of
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.service import ProjectTerms
from anaphora.project.store.terms.table import TermBase, TermFile
from anaphora.system.locations import dictionaries, own_words_path, shared_terms_path, training_words


@dataclass(frozen=True, slots=True)
class Finding:
    """An issue that a check has found.

    Attributes:
        segment, number: the segment's id, and its number in the window, from 1.
        kind: one of `registry.CHECK_NAMES`.
    """

    path: Path
    document: str
    segment: str
    number: int
    kind: str
    message: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Words and terms for checking translations.

    Attributes:
        speller: finds invented words; if None, invented words are not checked.
        entries: term base entries that are used in addition to those of a project.
    """

    speller: Speller | None = None
    entries: tuple[TermEntry, ...] = ()


def find(
    texts: CheckedTexts,
    reference: Reference = Reference(),
    localise: Localise = str,
) -> Iterator[Finding]:
    """Yield the findings that are not dismissed, in the order of the segments.

    Args:
        localise: translates messages into the user's language.
    Raises:
        SpellingError: the dictionary cannot be read.
    """
    entries = (*texts.entries, *reference.entries)
    terms = ProjectTerms({"": entries}, Recogniser(entries))
    inventions = _inventions(reference.speller, texts, entries)
    document_remarks = check_others(texts.segments, localise, inventions=inventions, pair=texts.pair)
    for number, segment in enumerate(texts.segments, 1):
        term_remarks = _term_remarks(segment, terms, localise)
        dismissed = texts.dismissed.get(segment.id, ())
        remarks = document_remarks.get(segment.id, ())
        for remark in remarks_on(segment, remarks, term_remarks, localise, texts.pair):
            if remark.key not in dismissed:
                yield Finding(
                    texts.path,
                    texts.names.get(segment.document, texts.path.name),
                    segment.id,
                    number,
                    check_name(remark),
                    str(remark),
                    segment.source,
                    segment.target,
                )


def _term_remarks(segment: Segment, terms: ProjectTerms, localise: Localise) -> tuple[Remark, ...]:
    if segment.status is Status.NOT_STARTED or not segment.target.strip():
        return ()
    return check_terms_of(segment, terms.uses(segment), localise)


def _inventions(
    speller: Speller | None, texts: CheckedTexts, entries: Sequence[TermEntry]
) -> Inventions | None:
    known = words_of(text for entry in entries for text in entry.allowed) | texts.ignored
    return inventions_by(speller, dictionaries_of(texts.pair.target), known) if speller is not None else None


def reference_with(help_: Help) -> Reference:
    """A reference with the dictionaries, the user's words, the shared terms and the terms of `help_`."""
    entries = [each for base in help_.terms.entries.values() for each in base]
    if shared_terms_path().exists():
        file = TermFile.open(shared_terms_path())
        entries = [*TermBase("", file).entries(), *entries]
        file.close()
    return Reference(Speller(dictionaries(), own_words_path(), training_words()), tuple(entries))
