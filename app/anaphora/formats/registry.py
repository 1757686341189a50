"""The formats that the app knows, and reading and writing with them."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path

from anaphora.core.collecting import collection_paused
from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.open_files import refuse_open_file
from anaphora.core.segment import SegmentState, Status
from anaphora.core.source import SourceDocument
from anaphora.formats.base.format import BilingualFormat, Format, FormatError, Parsed, UnknownFormatError
from anaphora.formats.base.targets import clean_target
from anaphora.formats.bilingual import po, tmx, xliff
from anaphora.formats.markup import epub, html, odt
from anaphora.formats.office import docx, pptx, xlsx
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER, Segmenter
from anaphora.formats.subtitles import ass, srt
from anaphora.formats.text import markdown, txt

FORMATS: tuple[Format, ...] = (
    txt.FORMAT,
    markdown.FORMAT,
    docx.FORMAT,
    odt.FORMAT,
    pptx.FORMAT,
    xlsx.FORMAT,
    html.FORMAT,
    epub.FORMAT,
    po.FORMAT,
    srt.FORMAT,
    ass.FORMAT,
    xliff.FORMAT,
    tmx.FORMAT,
)
"""A new format is one more line here; see the package's docstring."""
MAX_BYTES = 256 * 2**20
"""Larger files are refused: no document for a person to translate is that large."""


def supported_extensions() -> tuple[str, ...]:
    """Lower-case suffixes with their dots, for drag and drop and file dialogs."""
    return tuple(extension for known in FORMATS for extension in known.extensions)


def bilingual_extensions() -> tuple[str, ...]:
    """The suffixes of those formats whose files hold translations."""
    bilingual = (known for known in FORMATS if isinstance(known, BilingualFormat))
    return tuple(extension for known in bilingual for extension in known.extensions)


def dialog_filters() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(label, suffixes) of each format, for file dialogs."""
    return tuple((known.label, known.extensions) for known in FORMATS)


def read(path: Path, segmenter: Segmenter = DEFAULT_SEGMENTER) -> SourceDocument:
    """Read a document.

    Raises:
        FormatError: missing, a folder, of an unknown kind, not what its name says, damaged, too large or
            not permitted to be read.
        ProjectInUseError: it is a project that is open in this process.
    """
    refuse_open_file(path)
    try:
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
        data = path.read_bytes()
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
    return read_bytes(data, path.name, path, segmenter)


def read_bytes(
    data: bytes, name: str, path: Path | None = None, segmenter: Segmenter = DEFAULT_SEGMENTER
) -> SourceDocument:
    """Read a document whose bytes are at hand; the format follows from the name's suffix.

    Raises:
        FormatError: see `read`.
    """
    suffix = Path(name).suffix.lower()
    known = next((known for known in FORMATS if suffix in known.extensions), None)
    if known is None:
        raise UnknownFormatError(
            Message("“{name}” is of a kind that cannot be opened.", name=name),
            Message("Save it as one of these first: {names}.", names=", ".join(supported_extensions())),
        )
    try:
        parsed = _parsed(known, data, segmenter)
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
        segments=parsed.segments,
        notes=parsed.notes,
        counted=parsed.counted,
        segmentation=segmenter.rules,
        overrides=segmenter.overrides,
    )


def parse(data: bytes, format_name: str, segmenter: Segmenter) -> Parsed:
    """Read bytes of a known format, such as a stored original that is segmented anew.

    Raises:
        FormatError: the format is unknown, or the bytes are damaged.
    """
    return _parsed(_known(format_name), data, segmenter)


@collection_paused()
def render(
    data: bytes,
    format_name: str,
    translations: Mapping[str, str],
    segmenter: Segmenter = DEFAULT_SEGMENTER,
    statuses: Mapping[str, Status] | None = None,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
) -> bytes:
    """The original's bytes with target texts spliced in; ids without a (non-empty) text keep the source.

    What no file may hold is left out of targets (`base.targets`), except of those that the file itself holds.

    Args:
        statuses: of all segments: a bilingual format writes them, too, and empties the targets of
            segments that are named here and have no text; other formats do not look at them.
        pair: the project's languages, see `BilingualFormat.render_states`.
    Raises:
        FormatError: the format is unknown, the bytes are damaged, or an id is not in the original.
    """
    known = _known(format_name)
    wanted = {identifier: text for identifier, text in translations.items() if text.strip()}
    if statuses and isinstance(known, BilingualFormat):
        named = {identifier: SegmentState(text, Status.EDITED) for identifier, text in wanted.items()}
        named |= {key: SegmentState(wanted.get(key, ""), status) for key, status in statuses.items()}
        return known.render_states(data, named, segmenter, pair)
    shown = {identifier: clean_target(text) for identifier, text in wanted.items()}
    return known.render(data, shown, segmenter)


@collection_paused()
def _parsed(known: Format, data: bytes, segmenter: Segmenter) -> Parsed:
    return known.parse(data, segmenter)


def _known(format_name: str) -> Format:
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
