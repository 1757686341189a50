"""The formats that the app knows, and reading and writing with them."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from anaphora.core.drafts import EMPTY
from anaphora.core.errors import Message
from anaphora.core.gc_pause import gc_paused
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, asking, no_step, within
from anaphora.core.open_files import refuse_open_file
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.segment import Segment, SegmentState, Span
from anaphora.core.source import SourceDocument
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError, Reading, UnknownFormatError
from anaphora.formats.base.own_placeholders import (
    OwnPlaceholders,
    protected,
    with_placeholders,
    without_placeholders,
)
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.protocol import NamesLanguage, Parsed, TextFormat
from anaphora.formats.base.segments import segments_of
from anaphora.formats.base.splicing import Filling, Fillings, check_places
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.base.targets import clean_target
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
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER, Segmenter
from anaphora.formats.subtitles import ass, srt, vtt
from anaphora.formats.subtitles.cues import Subtitles
from anaphora.formats.text import markdown, txt

AnyFormat = TextFormat | UnitFormat | converted.Converted
FORMATS: tuple[AnyFormat, ...] = (
    txt.FORMAT, markdown.FORMAT, markdown.MDX, docx.FORMAT, odt.FORMAT, pptx.FORMAT, xlsx.FORMAT,
    html.FORMAT, epub.FORMAT, po.FORMAT, srt.FORMAT, ass.FORMAT, vtt.FORMAT, xliff.FORMAT, tmx.FORMAT,
    csv_table.FORMAT, json_strings.FORMAT, yaml_strings.FORMAT, properties.FORMAT, resx.FORMAT,
    android.FORMAT, apple.FORMAT, xcstrings.FORMAT, qt.FORMAT, *converted.FORMATS,
)  # fmt: skip
"""A new format is one more entry here; see the package's docstring."""
_FILLED_IN = frozenset(("txt", "docx", "odt", "pptx", "xlsx"))
"""Formats whose programs know no templates, but which are filled in by others: letters, slides, sheets."""
MAX_BYTES = 256 * 2**20
"""Larger files are refused: no document for a person to translate is that large."""
_BYTES_READ, _BLOCKS_FOUND = 0.05, 0.4
"""Shares of reading a document."""
Kept = Callable[[Sequence[Block]], Mapping[str, Sequence[Span]]]
"""The sentences, by address, of those of some blocks that are not to be cut by rules."""


def supported_extensions() -> tuple[str, ...]:
    """Lower-case suffixes with their dots, for drag and drop and file dialogs."""
    return tuple(extension for known in FORMATS for extension in known.extensions)


def is_bilingual(format_name: str) -> bool:
    """Whether files of a format hold sources beside their translations."""
    return isinstance(_inner(_known(format_name)), UnitFormat)


def bilingual_extensions() -> tuple[str, ...]:
    """The suffixes of those formats whose files hold translations."""
    bilingual = (known for known in FORMATS if isinstance(known, UnitFormat))
    return tuple(extension for known in bilingual for extension in known.extensions)


def can_name_language(format_names: Iterable[str]) -> bool:
    """Whether files of one of some formats say which language they are in, see `NamesLanguage`."""
    wanted = frozenset(format_names)
    return any(known.name in wanted and isinstance(_inner(known), NamesLanguage) for known in FORMATS)


def is_converted(name: str) -> bool:
    """Whether another program has to convert a file of some name before it is read."""
    return isinstance(_named(name), converted.Converted)


def read_as(format_name: str) -> str:
    """The name of the format that files of a known one are read as: another where they are converted."""
    return _inner(_known(format_name)).name


def suffixes_converted_to(suffix: str) -> tuple[str, ...]:
    """The suffixes of files that are converted to one with this suffix to be read."""
    converters = (known for known in FORMATS if isinstance(known, converted.Converted))
    found = (known.extensions for known in converters if known.inner.extensions[0] == suffix.lower())
    return tuple(extension for extensions in found for extension in extensions)


def suffixes_written(name: str) -> tuple[str, ...]:
    """The suffixes that a translation of a file of some name may have; its own comes first."""
    known = _named(name)
    own = (Path(name).suffix.lower(),)
    return (*own, known.inner.extensions[0]) if isinstance(known, converted.Converted) else own


def format_of(name: str) -> str:
    """The name of the format that a file's name says it has; "" for none that is known."""
    known = _named(name)
    return known.name if known else ""


def dialog_filters() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(label, suffixes) of each format, for file dialogs."""
    return tuple((known.label, known.extensions) for known in FORMATS)


def read(
    path: Path,
    segmenter: Segmenter = DEFAULT_SEGMENTER,
    encoding: str = "",
    kept: Kept | None = None,
    choices: ReadingChoices = AS_SUGGESTED,
    step: Step = no_step,
) -> SourceDocument:
    """Read a document.

    Args:
        segmenter: cuts its texts into sentences, in its language.
        encoding, choices: see `Reading`.
        kept: chooses the blocks whose sentences stand already, see `segments_of`.
        step: how far it is; what it raises ends it.
    Raises:
        FormatError: missing, a folder, of an unknown kind, not what its name says, damaged, too large or
            not permitted to be read.
        ProjectInUseError: it is a project that is open in this process.
    """
    return read_bytes(content_of(path), path.name, path, segmenter, encoding, kept, choices, step)


def content_of(path: Path) -> bytes:
    """The bytes of a file; raises what `read` does for one that cannot be read."""
    try:
        refuse_open_file(path)
        if path.is_dir():
            raise FormatError(Message("“{path}” is a folder.", path=path), "Choose a document in it.")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            # A pipe would be waited for, and a device read, without end.
            raise FormatError(
                Message("“{path}” is a device or a pipe, no file.", path=path), "Choose a document."
            )
        if found.st_size > MAX_BYTES:
            raise FormatError(
                Message(
                    "“{name}” is too large ({size} MiB; the limit is {limit} MiB).",
                    name=path.name,
                    size=found.st_size // 2**20,
                    limit=MAX_BYTES // 2**20,
                ),
                "Split it into smaller documents.",
            )
        return path.read_bytes()
    except FileNotFoundError as error:
        raise FormatError(
            Message("“{path}” does not exist.", path=path), "It may have been moved or renamed: look for it."
        ) from error
    except PermissionError as error:
        raise FormatError(
            Message("“{path}” may not be read.", path=path), "Ask its owner for permission to read it."
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
    kept: Kept | None = None,
    choices: ReadingChoices = AS_SUGGESTED,
    step: Step = no_step,
) -> SourceDocument:
    """Read a document whose bytes are at hand, see `read`; the format follows from the name's suffix."""
    known = _named(name)
    if known is None:
        raise UnknownFormatError(
            Message("“{name}” is of a kind that cannot be opened.", name=name),
            Message("Save it as one of these first: {names}.", names=", ".join(supported_extensions())),
        )
    try:
        with asking(step) as step:
            step(_BYTES_READ)
            blocks_step = within(step, _BYTES_READ, _BLOCKS_FOUND)
            reading = Reading(segmenter.language, encoding, choices, blocks_step)
            known = _by_content(known, data, reading)
            parsed = find_blocks(data, known.name, reading)
            standing = kept(parsed.blocks) if kept else {}
            segments, shapes = segments_of(parsed.blocks, segmenter, standing, within(step, _BLOCKS_FOUND, 1))
    except FormatError as error:
        raise type(error)(
            Message("“{name}” could not be opened. {reason}", name=name, reason=error.message), error.advice
        ) from error
    return SourceDocument(
        name=name,
        path=path,
        format=known.name,
        encoding=parsed.encoding,
        data=data,
        segments=segments,
        notes=parsed.notes,
        language=segmenter.language,
        shapes=shapes,
        choices=parsed.choices or choices,
    )


@gc_paused()
def find_blocks(data: bytes, format_name: str, reading: Reading) -> Parsed:
    """The texts of a file of a known format, in reading order; FormatError where its bytes are damaged."""
    known = _known(format_name)
    if isinstance(known, converted.Converted):
        data, known = known.convert(data, reading.step), known.inner
    parsed = known.blocks(data, reading)
    blocks = icu_units.split(parsed.blocks)
    if own := _placeholders(known, reading):
        blocks = tuple(each for block in blocks for each in with_placeholders(block, own))
    return replace(parsed, blocks=blocks)


@gc_paused()
def fill(
    data: bytes,
    format_name: str,
    segments: Iterable[Segment],
    reading: Reading = Reading(),
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    names_language: bool = False,
    suffix: str = "",
) -> bytes:
    """The original's bytes with translations in their places; what has no (non-empty) target stays.

    What no file may hold is left out of targets (`base.targets`). A bilingual format writes statuses, too,
    and empties the targets of units that have none. What is only proposed is no target (`as_exported`).

    Args:
        segments: all segments of those blocks of the document that have a translation.
        reading: as it was read.
        pair: the project's languages, see `UnitFormat.fill_units`.
        names_language: whether a translated file is to name the target's language, see `NamesLanguage`.
        suffix: of the file that is written; one of `suffixes_written`, or "" for the original's.
    Raises:
        FormatError: the bytes are damaged; UnknownSegmentsError where a translation has no place in them.
    """
    known = _known(format_name)
    if isinstance(known, converted.Converted):
        inner = known.convert(data, reading.step)
        filled = fill(inner, known.inner.name, segments, reading, pair, names_language)
        if suffix.lower() in known.inner.extensions:
            return filled
        return data if filled == inner else known.convert_back(filled, reading.step)
    own = _placeholders(known, reading)
    listed = list(segments)
    check_places(sum(not each.block and bool(each.target.strip()) for each in listed))
    if isinstance(known, UnitFormat):
        units = [
            each if each.target.strip() else each.with_state(SegmentState("", each.status)) for each in listed
        ]
        placed = [each for each in units if each.block]
        if own or any(map(icu_units.is_part, placed)):
            placed = _as_in_file(placed, known.blocks(data, reading).blocks, own)
        return known.fill_units(data, placed, reading, pair)
    wholes: frozenset[str] = frozenset()
    if any(each.span is None and icu_units.is_part(each) for each in listed):
        listed, wholes = _with_messages(listed, known.blocks(data, reading).blocks, own)
    blocks: dict[str, list[Filling]] = {}
    for each in listed:
        target = each.target if each.target == EMPTY else clean_target(each.target, each.source)
        blocks.setdefault(each.block, []).append(Filling(each.span, each.source, target))
    fillings = Fillings(blocks, partial(protected, own=own), wholes) if own else Fillings(blocks)
    filled = known.fill(data, fillings, reading)
    fillings.check()
    language = TargetLanguage.of(pair) if names_language and filled != data else None
    if language is not None and isinstance(known, NamesLanguage):
        return known.name_language(filled, reading, language)
    return filled


def _with_messages(
    units: list[Segment], blocks: Sequence[Block], own: OwnPlaceholders
) -> tuple[list[Segment], frozenset[str]]:
    """Units, those that are parts of messages as their format knows them, and the addresses of these."""
    messages = {block.address: found for block in blocks if (found := icu_units.split((block,))) != (block,)}
    parts = {part.address for found in messages.values() for part in found}
    wholes = [block for block in blocks if block.address in messages]
    joined = _as_in_file([unit for unit in units if unit.block in parts], wholes, own)
    return [unit for unit in units if unit.block not in parts] + joined, frozenset(messages)


def _as_in_file(units: list[Segment], blocks: Sequence[Block], own: OwnPlaceholders) -> list[Segment]:
    """Units as their format knows them: their own placeholders as text, messages with branches in one."""
    if own:
        wholes = {block.address: block.unit for block in icu_units.split(blocks)}
        found = ((unit, wholes.get(unit.block)) for unit in units)
        units = [unit if whole is None else without_placeholders(unit, whole, own) for unit, whole in found]
    return icu_units.join(blocks, units)


def _placeholders(known: TextFormat | UnitFormat, reading: Reading) -> OwnPlaceholders:
    return OwnPlaceholders(reading.choices.placeholders, known.name in _FILLED_IN)


def _inner(known: AnyFormat) -> TextFormat | UnitFormat:
    return known.inner if isinstance(known, converted.Converted) else known


def _named(name: str) -> AnyFormat | None:
    suffix = Path(name).suffix.lower()
    return next((known for known in FORMATS if suffix in known.extensions), None)


def _by_content(known: AnyFormat, data: bytes, reading: Reading) -> AnyFormat:
    """Subtitles are what they begin like, whatever their file is called."""
    if not isinstance(known, Subtitles):
        return known
    text = decode(data, reading.language, reading.encoding).text
    kinds: tuple[Any, ...] = (known, vtt.FORMAT, ass.FORMAT, srt.FORMAT)
    return next((each for each in kinds if each.begins.match(text)), known)


def _known(format_name: str) -> AnyFormat:
    known = next((known for known in FORMATS if known.name == format_name), None)
    if known is None:
        raise UnknownFormatError(
            Message(
                "This project holds a document of the unknown format “{format_name}”.",
                format_name=format_name,
            ),
            "Open it with a newer version of Anaphora.",
        )
    return known
