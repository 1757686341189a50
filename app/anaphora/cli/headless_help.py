"""Help for translating without a window: translation memories, term bases, packs and a dictionary."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.matching import ADAPTED, Query, TaggedText, pairs_to_read
from anaphora.core.segment import Segment
from anaphora.engine.pack_files import SUFFIX, read_pack, write_pack
from anaphora.features.corrections.shared import corrections_of
from anaphora.features.dictionary.entries import Dictionary, open_dictionary
from anaphora.features.dictionary.hinted_drafts import lacking_words
from anaphora.features.terms.exchange import TermImport, import_terms
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.service import ProjectTerms
from anaphora.features.tm.exchange import import_units
from anaphora.project.store.terms.table import TermBase, TermFile
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.locations import PROJECT_SUFFIX
from anaphora_nmt.types import BroughtIn, Correction, Matches, MemoryPack, SourceTerm

_NO_TERMS = ProjectTerms({}, Recogniser(()))
_MEMORY, _TERMS = "memory.sqlite", "terms.sqlite"


@dataclass(frozen=True, slots=True)
class Help:
    """The help for one run, empty by default. The engine reads the packs before it drafts a document."""

    memory: TranslationMemory | None = None
    terms: ProjectTerms = _NO_TERMS
    dictionary: Dictionary | None = None
    packs: tuple[MemoryPack, ...] = ()

    def target(self, segment: Segment) -> str:
        """The memory's translation, adapted to the segment; "" without a match of at least 99 %."""
        matches = self.memory.find(_query(segment), 1, ADAPTED) if self.memory is not None else ()
        return matches[0].target if matches else ""

    def context_for(self, segments: Sequence[Segment]) -> tuple[BroughtIn, ...]:
        """The text that the engine reads first: the best memory matches for the segments, and the packs."""
        if self.memory is None:
            return self.packs
        pairs = pairs_to_read(self.memory.find, map(_query, segments))
        return (Matches(pairs), *self.packs) if pairs else self.packs

    def lacking_terms(
        self, segment: Segment, packs: Sequence[BroughtIn], draft: str, corrections: Sequence[Correction]
    ) -> tuple[SourceTerm, ...]:
        """Dictionary terms for source words that `draft` does not translate, see `lacking_words`."""
        if self.dictionary is None:
            return ()
        known = (pair for pack in packs for pair in pack.pairs)
        return lacking_words(segment.source, draft, self.dictionary, known, corrections)


def _query(segment: Segment) -> Query:
    return Query(TaggedText.of(segment))


@contextmanager
def help_of(
    memories: Sequence[Path],
    terms: Sequence[Path],
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    dictionary: Path | None = None,
    packs: Sequence[Path] = (),
) -> Iterator[Help]:
    """Yield the help in files, imported into a temporary folder; see `import_help` and `open_help`."""
    with tempfile.TemporaryDirectory() as folder:
        import_help(Path(folder), memories, terms, pair, packs)
        with open_help(Path(folder), dictionary) as help_:
            yield help_


def import_help(
    folder: Path,
    memories: Sequence[Path],
    terms: Sequence[Path],
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    packs: Sequence[Path] = (),
) -> list[TermImport]:
    """Read files into a folder that several processes can open with `open_help`.

    Args:
        memories: TMX files, bilingual documents and projects. The corrections in a project become a pack.
        terms: TBX files and tables with terms.
    Returns:
        the result of each file in `terms`.
    Raises:
        FormatError, PackError, ProjectError: a file cannot be read.
    """
    if memories:
        with closing(MemoryFile.open(folder / _MEMORY)) as file:
            memory = TranslationMemory("", file)
            for path in memories:
                import_units(path, memory, pair=pair)
    imported = []
    if terms:
        with closing(TermFile.open(folder / _TERMS)) as term_file:
            base = TermBase("", term_file)
            for path in terms:
                imported.append(import_terms(path, base, pair))
    projects = (path for path in memories if path.suffix == PROJECT_SUFFIX)
    for number, pack in enumerate((*map(read_pack, packs), *map(corrections_of, projects))):
        write_pack(folder / f"{number:04}{SUFFIX}", pack)
    return imported


@cache
def dictionary_at(path: Path) -> Dictionary:
    """The dictionary in a file, opened only once for a process and its forks."""
    return open_dictionary(path)


@contextmanager
def open_help(folder: Path | None, dictionary: Path | None = None) -> Iterator[Help]:
    """Yield the help that `import_help` wrote into a folder; without a folder, only the dictionary.

    Raises:
        DictionaryError: the dictionary cannot be read.
    """
    with ExitStack() as stack:
        memory, terms = None, _NO_TERMS
        if folder is not None and (folder / _MEMORY).exists():
            file = stack.enter_context(closing(MemoryFile.open(folder / _MEMORY)))
            memory = TranslationMemory("", file)
        if folder is not None and (folder / _TERMS).exists():
            base = TermBase("", stack.enter_context(closing(TermFile.open(folder / _TERMS))))
            entries = base.entries()
            terms = ProjectTerms({base.name: entries}, Recogniser(entries))
        packs = sorted(folder.glob(f"*{SUFFIX}")) if folder is not None else []
        words = dictionary_at(dictionary) if dictionary is not None else None
        yield Help(memory, terms, words, tuple(map(read_pack, packs)))
