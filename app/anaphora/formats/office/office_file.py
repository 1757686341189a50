"""The common base of Office formats; each format finds the texts in the parts of a package."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anaphora.core.errors import Message
from anaphora.core.notes import Note
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.opened import FORMULAS, Opened, counted
from anaphora.formats.base.package import Package
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.base.xml import Tree
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


_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FORMATTED = re.compile(r"(?:^|/)(?:styles|charts/chart[^/]*)\.xml$", re.IGNORECASE)
_FORMAT = re.compile(r"""formatCode(?:="([^"<]*)"|>([^<]*)<)""")
_FORMATS = Message("Words in number and date formats are not translated: {count}.")


def left_out(
    package: Package, words: SourceWords, trees: Iterable[Tree], counts: Mapping[Message, int]
) -> tuple[Message, ...]:
    """Notes on untranslated texts for `Opened.notes`, beginning with `counts`.

    Args:
        trees: the trees of parts that may contain formulas.
    """
    formulas = sum(words.in_code(text.text or "") for tree in trees for text in tree.iter(_MATH + "t"))
    formats = {
        html.unescape(match[1] or match[2] or "")
        for name in package.names
        if _FORMATTED.search(name)
        for match in _FORMAT.finditer(package.read(name).decode("utf-8", "replace"))
    }
    found = {**counts, FORMULAS: formulas, _FORMATS: sum(map(words.in_strings, formats))}
    return counted(found.items())
