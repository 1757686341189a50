"""A file of any format: its texts as blocks, and the file with translations filled in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial

from anaphora.core.drafts import EMPTY
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.opened import Format, NamesLanguage
from anaphora.formats.base.own_placeholders import (
    OwnPlaceholders,
    protected,
    with_placeholders,
    without_placeholders,
)
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.splicing import Filling, Fillings, check_places
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.base.targets import clean_target
from anaphora.formats.bilingual import icu_units
from anaphora.formats.bilingual.unit_format import UnitFormat
from anaphora.formats.office.converted import Converted
from anaphora.system.garbage import gc_paused

_FILLED_IN = frozenset(("txt", "docx", "odt", "pptx", "xlsx"))
"""Formats of letters, slides and sheets, in which only other programs fill in templates."""


class OpenFile:
    """A file of a known format, parsed once.

    Attributes:
        opened: the file as parsed by its format, or by the format to which it was converted.
    """

    @gc_paused()
    def __init__(self, known: Format | Converted, data: bytes, options: ReadOptions) -> None:
        """Parse a file; FormatError if it is damaged."""
        self._original, self._options = data, options
        self._converted = known if isinstance(known, Converted) else None
        self._format = known.inner if isinstance(known, Converted) else known
        self._data = known.convert(data, options.step) if isinstance(known, Converted) else data
        self._own = OwnPlaceholders(options.choices.placeholders, self._format.name in _FILLED_IN)
        self.opened = self._format.open(self._data, options)

    @cached_property
    @gc_paused()
    def blocks(self) -> tuple[Block, ...]:
        """Its texts, with user-defined placeholders as tags and each branch of a message as a unit."""
        blocks = icu_units.split(self.opened.blocks())
        if not self._own:
            return blocks
        return tuple(each for block in blocks for each in with_placeholders(block, self._own))

    @gc_paused()
    def filled(
        self,
        segments: Iterable[Segment],
        pair: LanguagePair = CHINESE_TO_ENGLISH,
        names_language: bool = False,
        suffix: str = "",
    ) -> bytes:
        """The file's bytes with translations filled in, see `registry.fill`. Call it once."""
        filled = self._filled(list(segments), pair)
        language = TargetLanguage.of(pair) if names_language and filled != self._data else None
        if language is not None and isinstance(self._format, NamesLanguage):
            filled = self._format.name_language(filled, self._options, language)
        if self._converted is None or suffix.lower() in self._format.extensions:
            return filled
        if filled == self._data:
            return self._original
        return self._converted.convert_back(filled, self._options.step)

    def _filled(self, segments: list[Segment], pair: LanguagePair) -> bytes:
        check_places(sum(not each.block and bool(each.target.strip()) for each in segments))
        if isinstance(self._format, UnitFormat):
            segments = [each for each in segments if each.block]
            if self._own or any(map(icu_units.is_part, segments)):
                segments = self._as_in_file(segments, self.opened.blocks())
            return self.opened.fill(Fillings({}, units=segments, pair=pair))
        wholes: frozenset[str] = frozenset()
        if any(each.span is None and icu_units.is_part(each) for each in segments):
            segments, wholes = self._with_messages(segments)
        blocks: dict[str, list[Filling]] = {}
        for each in segments:
            target = each.target if each.target == EMPTY else clean_target(each.target, each.source)
            blocks.setdefault(each.block, []).append(Filling(each.span, each.source, target))
        fillings = Fillings(blocks, partial(protected, own=self._own) if self._own else tuple, wholes)
        filled = self.opened.fill(fillings) if fillings else self._data
        fillings.check()
        return filled

    def _with_messages(self, units: list[Segment]) -> tuple[list[Segment], frozenset[str]]:
        """Join the parts of messages; return the units and the addresses of the messages."""
        blocks = self.opened.blocks()
        messages = {each.address: found for each in blocks if (found := icu_units.split((each,))) != (each,)}
        parts = {part.address for found in messages.values() for part in found}
        wholes = [block for block in blocks if block.address in messages]
        joined = self._as_in_file([unit for unit in units if unit.block in parts], wholes)
        return [unit for unit in units if unit.block not in parts] + joined, frozenset(messages)

    def _as_in_file(self, units: list[Segment], blocks: Sequence[Block]) -> list[Segment]:
        """Units as their format reads them: placeholders as text, each message in one unit."""
        if self._own:
            wholes = {block.address: block.unit for block in icu_units.split(blocks)}
            found = ((unit, wholes.get(unit.block)) for unit in units)
            units = [
                unit if whole is None else without_placeholders(unit, whole, self._own)
                for unit, whole in found
            ]
        return icu_units.join(blocks, units)
