"""Write a translated document, all of it or nothing."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from anaphora.core.errors import ExportError, Message
from anaphora.core.segment import Segment, Status
from anaphora.core.source import SourceDocument
from anaphora.formats.registry import read, render
from anaphora.formats.segmentation import make_segmenter
from anaphora.formats.segmenting import DEFAULT_SEGMENTER, Segmenter

_ADVICE = {
    errno.EACCES: Message("Choose a folder that you may write to."),
    errno.EPERM: Message("Choose a folder that you may write to."),
    errno.EROFS: Message("The medium is read-only: choose another folder."),
    errno.ENOSPC: Message("The disk is full: free some space, or choose another disk."),
    errno.EDQUOT: Message("Your quota is used up: free some space, or choose another disk."),
    errno.ENOENT: Message("The folder does not exist: choose another one."),
    errno.ENOTDIR: Message("A part of the path is a file, not a folder: choose another folder."),
    errno.EISDIR: Message("A folder has this name: choose another file name."),
    errno.ENAMETOOLONG: Message("The file name is too long: choose a shorter one."),
}


def translations_of(segments: Iterable[Segment]) -> dict[str, str]:
    """Target texts by segment id (pass a `Document`); segments without a target are left out."""
    return {segment.id: segment.target for segment in segments if segment.target.strip()}


def statuses_of(segments: Iterable[Segment]) -> dict[str, Status]:
    """How far each segment is, by id: what bilingual formats write besides the targets."""
    return {segment.id: segment.status for segment in segments}


def export(
    data: bytes,
    format_name: str,
    translations: Mapping[str, str],
    destination: Path,
    *,
    statuses: Mapping[str, Status] | None = None,
    segmenter: Segmenter = DEFAULT_SEGMENTER,
) -> None:
    """Render a translated document and put it in place atomically.

    Args:
        data: the original's bytes (`SourceDocument.data`, `ProjectStore.original()`).
        format_name: `SourceDocument.format`, `ProjectStore.info.format`.
        translations: target texts by segment id; segments without one keep their source.
        destination: the file to write; an existing file is replaced only when all went well.
        statuses: of all segments, for bilingual formats (see `registry.render`).
        segmenter: what the document was cut with, see `segmentation.make_segmenter`.
    Raises:
        FormatError: the original cannot be read.
        ExportError: no permission, no space, or no such folder.
    """
    write_atomically(render(data, format_name, translations, segmenter, statuses), destination)


def write(original: Path | SourceDocument, translations: Mapping[str, str], target: Path) -> None:
    """Splice translations into an original document and save the result.

    Raises:
        FormatError: the original cannot be read.
        ExportError: the target cannot be written.
    """
    document = original if isinstance(original, SourceDocument) else read(original)
    segmenter = make_segmenter(document.segmentation, document.overrides)
    export(document.data, document.format, translations, target, segmenter=segmenter)


def write_atomically(data: bytes, destination: Path) -> None:
    """Write bytes so that the destination holds either its old content or all of the new.

    Raises:
        ExportError: no permission, no space, or no such folder.
    """
    temporary: Path | None = None
    try:
        mode = destination.stat().st_mode & 0o777 if destination.exists() else None
        if destination.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        unfinished = destination.with_name(f".{destination.name[:40]}.{secrets.token_hex(6)}.part")
        with unfinished.open("xb") as file:
            temporary = unfinished
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        os.replace(temporary, destination)  # noqa: PTH105  (tests break this very call)
        _sync_folder(destination.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExportError(
            Message(
                "“{destination}” could not be written: {reason}.", destination=destination, reason=reason
            ),
            _ADVICE.get(error.errno or 0, Message("Try another folder.")),
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make the new name durable, where the system can (POSIX)."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
