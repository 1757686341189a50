"""The list of all formats, and functions that read documents and write their translations."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from anaphora.core.document import SourceDocument
from anaphora.core.drafts import EMPTY
from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, cancellable, no_step, substep
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.segment import Segment, Span
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError, ReadOptions, UnknownFormatError
from anaphora.formats.base.opened import Format, NamesLanguage
from anaphora.formats.base.own_placeholders import (
    OwnPlaceholders,
    tag_placeholders,
    with_placeholders,
    without_placeholders,
)
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.segments import segments_of
from anaphora.formats.base.splicing import Filling, Fillings, check_places
from anaphora.formats.base.target_language import TargetLanguage, clean_target
from anaphora.formats.bilingual import csv_table, icu_units, po, tmx, xliff
from anaphora.formats.bilingual.unit_format import UnitFormat
from anaphora.formats.localisation import (
    android,
    apple,
    json_strings,
    properties,
    qt,
    resx,
    xcstrings,
    yaml_strings,
)
from anaphora.formats.markup import epub, html, odt
from anaphora.formats.office import converted, docx, pptx, xlsx
from anaphora.formats.office.converted import Converted
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER, Segmenter
from anaphora.formats.subtitles import ass, srt, vtt
from anaphora.formats.subtitles.cues import Subtitles
from anaphora.formats.text import markdown, txt
from anaphora.system.files import refuse_open_file
from anaphora.system.garbage import gc_paused

_TEMPLATE_FORMATS = frozenset(("txt", "docx", "odt", "pptx", "xlsx"))
"""Formats in which template syntax, such as {{name}}, becomes placeholders."""


class OpenFile:
    """A file of a known format, parsed once.

    Attributes:
        opened: the parsed file; a converted file is parsed by the format to which it was converted.
    """

    @gc_paused()
    def __init__(self, file_format: Format | Converted, data: bytes, options: ReadOptions) -> None:
        """Parse a file; FormatError if it is damaged."""
        self._original, self._options = data, options
        self._converted = file_format if isinstance(file_format, Converted) else None
        self._format = file_format.inner if isinstance(file_format, Converted) else file_format
        self._data = file_format.convert(data, options.step) if isinstance(file_format, Converted) else data
        self._patterns = OwnPlaceholders(options.choices.placeholders, self._format.name in _TEMPLATE_FORMATS)
        self.opened = self._format.open(self._data, options)

    @cached_property
    @gc_paused()
    def blocks(self) -> tuple[Block, ...]:
        """The file's texts; user-defined placeholders are tags, and ICU messages are split into branches."""
        blocks = icu_units.split(self.opened.blocks())
        if not self._patterns:
            return blocks
        return tuple(each for block in blocks for each in with_placeholders(block, self._patterns))

    @gc_paused()
    def fill(
        self,
        segments: Iterable[Segment],
        pair: LanguagePair = CHINESE_TO_ENGLISH,
        names_language: bool = False,
        suffix: str = "",
    ) -> bytes:
        """The file's bytes with translations filled in, see the function `fill`. Can be called only once."""
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
            if self._patterns or any(map(icu_units.is_part, segments)):
                segments = self._as_in_file(segments, self.opened.blocks())
            return self.opened.fill(Fillings({}, units=segments, pair=pair))
        messages: frozenset[str] = frozenset()
        if any(each.span is None and icu_units.is_part(each) for each in segments):
            segments, messages = self._with_messages(segments)
        blocks: dict[str, list[Filling]] = {}
        for each in segments:
            target = each.target if each.target == EMPTY else clean_target(each.target, each.source)
            blocks.setdefault(each.block, []).append(Filling(each.span, each.source, target))
        protect = partial(tag_placeholders, placeholders=self._patterns) if self._patterns else tuple
        fillings = Fillings(blocks, protect, messages)
        filled = self.opened.fill(fillings) if fillings else self._data
        fillings.check()
        return filled

    def _with_messages(self, units: list[Segment]) -> tuple[list[Segment], frozenset[str]]:
        blocks = self.opened.blocks()
        messages = {each.address: split for each in blocks if (split := icu_units.split((each,))) != (each,)}
        parts = {part.address for split in messages.values() for part in split}
        message_blocks = [block for block in blocks if block.address in messages]
        joined = self._as_in_file([unit for unit in units if unit.block in parts], message_blocks)
        return [unit for unit in units if unit.block not in parts] + joined, frozenset(messages)

    def _as_in_file(self, units: list[Segment], blocks: Sequence[Block]) -> list[Segment]:
        if self._patterns:
            originals = {block.address: block.unit for block in icu_units.split(blocks)}
            pairs = ((unit, originals.get(unit.block)) for unit in units)
            units = [
                unit if original is None else without_placeholders(unit, original, self._patterns)
                for unit, original in pairs
            ]
        return icu_units.join(blocks, units)


AnyFormat = Format | converted.Converted
FORMATS: tuple[AnyFormat, ...] = (
    txt.FORMAT, markdown.FORMAT, markdown.MDX, docx.FORMAT, odt.FORMAT, pptx.FORMAT, xlsx.FORMAT,
    html.FORMAT, epub.FORMAT, po.FORMAT, srt.FORMAT, ass.FORMAT, vtt.FORMAT, xliff.FORMAT, tmx.FORMAT,
    csv_table.FORMAT, json_strings.FORMAT, yaml_strings.FORMAT, properties.FORMAT, resx.FORMAT,
    android.FORMAT, apple.FORMAT, xcstrings.FORMAT, qt.FORMAT, *converted.FORMATS,
)  # fmt: skip
"""To add a format, see the package's docstring."""
MAX_BYTES = 256 * 2**20
"""Maximum size of a file; real documents for translation are smaller."""
_BYTES_READ, _BLOCKS_FOUND = 0.05, 0.4
"""The progress after reading a document's bytes, and after finding its blocks."""
FindExisting = Callable[[Sequence[Block]], Mapping[str, Sequence[Span]]]
"""Returns, by block address, spans of sentences from an earlier reading; rules split the other blocks."""


def supported_extensions() -> tuple[str, ...]:
    """The lower-case suffixes, with dots, of all formats, for drag and drop and file dialogs."""
    return tuple(extension for each in FORMATS for extension in each.extensions)


def is_bilingual(format_name: str, choices: ReadingChoices) -> bool:
    """True if files of a format, read with `choices`, contain translations beside their sources."""
    has_targets = choices.columns is None or max(choices.columns.targets) >= 0
    return has_targets and isinstance(_own_format(_format_by_name(format_name)), UnitFormat)


def bilingual_extensions() -> tuple[str, ...]:
    bilingual = (each for each in FORMATS if isinstance(each, UnitFormat))
    return tuple(extension for each in bilingual for extension in each.extensions)


def can_name_language(format_names: Iterable[str]) -> bool:
    """True if files of at least one of the formats declare their language, see `NamesLanguage`."""
    names = frozenset(format_names)
    return any(each.name in names and isinstance(_own_format(each), NamesLanguage) for each in FORMATS)


def needs_conversion(name: str) -> bool:
    """True if another program must convert a file with this name before it is read."""
    return isinstance(_format_of_file(name), converted.Converted)


def suffixes_converted_to(suffix: str) -> tuple[str, ...]:
    """The suffixes of files that are converted to the format whose first suffix is `suffix`."""
    converters = (each for each in FORMATS if isinstance(each, converted.Converted))
    suffixes = (each.extensions for each in converters if each.inner.extensions[0] == suffix.lower())
    return tuple(extension for extensions in suffixes for extension in extensions)


def output_suffixes(name: str) -> tuple[str, ...]:
    """The suffixes for a file's translation: its own and, if it is converted, that of its new format."""
    file_format, suffix = _format_of_file(name), Path(name).suffix.lower()
    return (suffix, file_format.inner.extensions[0]) if isinstance(file_format, Converted) else (suffix,)


def format_name_of(name: str) -> str:
    """The name of the format of a file with this name, by its suffix; "" if the suffix is unknown."""
    file_format = _format_of_file(name)
    return file_format.name if file_format else ""


def dialog_filters() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(label, suffixes) of each format, for file dialogs."""
    return tuple((each.label, each.extensions) for each in FORMATS)


def read(
    path: Path,
    segmenter: Segmenter = DEFAULT_SEGMENTER,
    encoding: str = "",
    find_existing: FindExisting | None = None,
    choices: ReadingChoices = AS_SUGGESTED,
    step: Step = no_step,
) -> SourceDocument:
    """Read a document.

    Args:
        segmenter: splits the texts into sentences; its `language` is the document's language.
        encoding, choices: see `ReadOptions`.
        find_existing: see `FindExisting`; None if the document was not read before.
        step: receives the progress; an exception that it raises stops the reading.
    Raises:
        FormatError: the file does not exist, is a folder, has an unknown or wrong type, is damaged or too
            large, or cannot be read.
        SegmentationError: the sentence rules take too long.
        ProjectInUseError: the file is a project that is open in this process.
    """
    return read_bytes(content_of(path), path.name, path, segmenter, encoding, find_existing, choices, step)


def content_of(path: Path) -> bytes:
    """The bytes of a file; raises FormatError or ProjectInUseError as `read` does."""
    try:
        refuse_open_file(path)
        if path.is_dir():
            raise FormatError(Message("“{path}” is a folder.", path=path), "Choose a document in the folder.")
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):
            # Reading a pipe or a device might never end.
            raise FormatError(Message("“{path}” is not an ordinary file.", path=path), "Choose a document.")
        if info.st_size > MAX_BYTES:
            raise FormatError(
                Message(
                    "“{name}” is too large ({size} MiB; the limit is {limit} MiB).",
                    name=path.name,
                    size=info.st_size // 2**20,
                    limit=MAX_BYTES // 2**20,
                ),
                "Split it into smaller documents.",
            )
        return path.read_bytes()
    except FileNotFoundError as error:
        raise FormatError(
            Message("“{path}” does not exist.", path=path),
            "It may have been moved or renamed.",
        ) from error
    except PermissionError as error:
        raise FormatError(
            Message("You do not have permission to read “{path}”.", path=path),
            "Ask its owner for permission to read it.",
        ) from error
    except (OSError, ValueError) as error:
        raise FormatError(
            Message("“{path}” could not be read: {error}.", path=path, error=error),
            "Check the drive or the network.",
        ) from error


def read_bytes(
    data: bytes,
    name: str,
    path: Path | None = None,
    segmenter: Segmenter = DEFAULT_SEGMENTER,
    encoding: str = "",
    find_existing: FindExisting | None = None,
    choices: ReadingChoices = AS_SUGGESTED,
    step: Step = no_step,
) -> SourceDocument:
    """Read a document from its bytes, see `read`; `name` and `_format_by_content` determine the format."""
    file_format = _format_of_file(name)
    if file_format is None:
        raise UnknownFormatError(
            Message("“{name}” cannot be opened: Anaphora does not support files of this type.", name=name),
            Message("Save it in one of these formats: {names}.", names=", ".join(supported_extensions())),
        )
    try:
        with cancellable(step) as step:
            step(_BYTES_READ)
            blocks_step = substep(step, _BYTES_READ, _BLOCKS_FOUND)
            options = ReadOptions(segmenter.language, encoding, choices, blocks_step)
            file_format = _format_by_content(file_format, data, options)
            file = OpenFile(file_format, data, options)
            existing = find_existing(file.blocks) if find_existing else {}
            segments, shapes = segments_of(file.blocks, segmenter, existing, substep(step, _BLOCKS_FOUND, 1))
    except FormatError as error:
        raise type(error)(
            Message("“{name}” could not be opened. {reason}", name=name, reason=error.message), error.advice
        ) from error
    return SourceDocument(
        name=name,
        path=path,
        format=file_format.name,
        encoding=file.opened.encoding,
        data=data,
        segments=segments,
        notes=file.opened.notes(),
        language=segmenter.language,
        shapes=shapes,
        choices=file.opened.choices or choices,
    )


def open_bytes(data: bytes, format_name: str, options: ReadOptions) -> OpenFile:
    """Parse a file; FormatError if it is damaged, or no format has this name."""
    return OpenFile(_format_by_name(format_name), data, options)


def fill(
    data: bytes,
    format_name: str,
    segments: Iterable[Segment],
    options: ReadOptions = ReadOptions(),
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    names_language: bool = False,
    suffix: str = "",
) -> bytes:
    """The original's bytes with translations filled in; texts without a translation stay.

    Characters that files cannot store are removed from targets (`clean_target`). A bilingual format also
    writes statuses, and empties the targets of units without a translation. The caller must leave out
    proposals: drafts that were not good enough to become targets (`core.draft_report`).

    Args:
        segments: all segments of each block in which at least one segment has a translation.
        options: the options with which the file was read.
        pair: the project's languages, for bilingual files without their own.
        names_language: True to declare the target's language in the file, see `NamesLanguage`.
        suffix: the suffix of the translated file, one of `output_suffixes`; "" for the original's.
    Raises:
        FormatError: the bytes are damaged, or no format has this name.
        UnknownSegmentsError: a translation has no place in the original.
    """
    return open_bytes(data, format_name, options).fill(segments, pair, names_language, suffix)


def _own_format(file_format: AnyFormat) -> Format:
    return file_format.inner if isinstance(file_format, converted.Converted) else file_format


def _format_of_file(name: str) -> AnyFormat | None:
    suffix = Path(name).suffix.lower()
    return next((each for each in FORMATS if suffix in each.extensions), None)


def _format_by_content(file_format: AnyFormat, data: bytes, options: ReadOptions) -> AnyFormat:
    """The format of a file: for subtitles, the first one whose header fits; otherwise `file_format`."""
    if not isinstance(file_format, Subtitles):
        return file_format
    text = decode(data, options.language, options.encoding).text
    kinds: tuple[Any, ...] = (file_format, vtt.FORMAT, ass.FORMAT, srt.FORMAT)
    return next((each for each in kinds if each.header.match(text)), file_format)


def _format_by_name(format_name: str) -> AnyFormat:
    known = next((known for known in FORMATS if known.name == format_name), None)
    if known is None:
        raise UnknownFormatError(
            Message(
                "This project contains a document of the unknown format “{format_name}”.",
                format_name=format_name,
            ),
            "Open it with a newer version of Anaphora.",
        )
    return known
