"""Checking a translation as one of many: what `anaphora check` says of it, as a report."""

from __future__ import annotations

from pathlib import Path

from anaphora.command_line.check_inputs import input_of
from anaphora.command_line.checked_texts import read_texts
from anaphora.command_line.file_report import FileReport, words_of
from anaphora.command_line.findings import Reference, find
from anaphora.command_line.headless_help import Help
from anaphora.core.language_pair import LanguagePair
from anaphora.shipped import dictionaries, used_words
from anaphora.spelling.speller import Speller
from anaphora.store.locations import own_words_path, shared_terms_path
from anaphora.term_base.base import TermBase
from anaphora.term_base.file import TermFile


def reference_with(given: Help) -> Reference:
    """The user's words and shared terms, and the terms that a run was given."""
    entries = [each for some in given.terms.entries.values() for each in some]
    if shared_terms_path().exists():
        file = TermFile.open(shared_terms_path())
        entries = [*TermBase("", file).entries(), *entries]
        file.close()
    return Reference(Speller(dictionaries(), own_words_path(), used_words()), tuple(entries))


def check_file(source: Path, translation: Path, pair: LanguagePair, reference: Reference) -> FileReport:
    """Check a document's translation, which is only read.

    Raises:
        FormatError: one of them cannot be read, or they do not go together.
        SpellingError: the dictionary cannot be read.
    """
    path, beside = input_of(source, translation)
    texts = read_texts(path, pair, beside)
    found = tuple((each.number, f"{each.kind}: {each.message}") for each in find(texts, reference))
    count = len(texts.segments)
    translated = texts.translated
    return FileReport(count, translated, count - translated, found, (), words=words_of(texts.segments))
