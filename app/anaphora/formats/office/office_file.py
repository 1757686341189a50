"""The common base of Office formats; each format finds the texts in the parts of a package."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from anaphora.core.errors import Message
from anaphora.core.notes import Note
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.package import Package
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.office.drawing import LocatedText, TextPlace, blocks_of, fill_translated, located
from anaphora.formats.office.languages import with_languages
from anaphora.formats.office.opc import Part


class OfficeFile:
    """A parsed Office file."""

    def __init__(self, package: Package, words: SourceWords) -> None:
        self.package, self.words = package, words

    def places(self) -> Iterator[TextPlace]:
        """All texts, in reading order."""
        raise NotImplementedError

    def structure_of(self, place: TextPlace) -> tuple[Note, ...]:
        """The role of a text in its document, as a note."""
        return ()

    def notes(self, found: Sequence[LocatedText]) -> tuple[Message, ...]:
        """See `Opened.notes`."""
        raise NotImplementedError

    def fill(self, found: Sequence[LocatedText], fillings: Fillings) -> dict[str, Part]:
        """Fill in the translations; return the parts that changed, by name."""
        return fill_translated(self.package, found, fillings)


@dataclass(slots=True, eq=False)
class OfficeFormat:
    name: str
    label: str
    extensions: tuple[str, ...]
    file: Callable[[Package, SourceWords], OfficeFile]

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        file = self.file(Package(data), SourceWords(options.language))
        found = located(file.places())

        def fill(fillings: Fillings) -> bytes:
            changed = file.fill(found, fillings)
            return file.package.rewrite({name: part.data() for name, part in changed.items()})

        return Opened(lambda: blocks_of(found, file.structure_of), fill, lambda: file.notes(found))

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        return with_languages(data, target)
