"""Checking destinations and writing translated documents to them, off the window's thread."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.drafts import Proposals, as_exported, match_of, proposal_of
from anaphora.core.errors import AnaphoraError, ExportError, Message
from anaphora.core.installed_model import LANGUAGES_SETTING, MODEL_SETTING, languages_of
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.registry import fill, is_bilingual
from anaphora.project.store.own_originals import own_ids
from anaphora.project.store.project import ProjectStore
from anaphora.system.files import file_identity, write_atomically
from anaphora.system.locations import PROJECT_SUFFIX, data_folder, safe_path
from anaphora.system.messages import describe_error


def check_destination(store: ProjectStore, destination: Path) -> None:
    """Refuse to replace an original, a project, a file of this project, or a file in the data folder.

    Existing files that may be read are compared by identity, so that a link to an original counts as the
    original. Other files are compared by path.

    Raises:
        ExportError: the destination is one of these files.
    """
    documents = store.documents()
    watched = own_ids(documents)
    for info in documents:
        if info.path and _is_original(Path(info.path), destination, info.id in watched):
            raise ExportError(
                Message("“{name}” is the original. The translation would replace it.", name=destination.name),
                "Choose another name or folder.",
            )
    if _is_own_file(store.path, destination):
        raise ExportError(
            Message("“{name}” was not replaced because Anaphora needs this file.", name=destination.name),
            "Choose another name or folder.",
        )


def _is_original(original: Path, destination: Path, is_watched: bool) -> bool:
    """True if both paths lead to the same file; the file of an unwatched original is not read."""
    if _comparable(original) in (_comparable(destination), os.path.normcase(os.path.realpath(destination))):
        return True
    try:
        return is_watched and original.samefile(destination)
    except (OSError, ValueError):
        return False


def _comparable(path: Path) -> str:
    """An absolute, normalised path for comparison, made without reading the disk."""
    return os.path.normcase(os.path.abspath(path))  # noqa: PTH100  (`Path.absolute` keeps "..")


def _is_own_file(project: Path, destination: Path) -> bool:
    folder = os.path.realpath(data_folder())
    if Path(os.path.realpath(destination)).is_relative_to(folder):
        return True
    identity = file_identity(destination)
    if identity is None:
        return destination.name.startswith(project.name) and _comparable(destination.parent) == _comparable(
            project.parent
        )
    if destination.suffix.lower() == PROJECT_SUFFIX or identity in map(file_identity, _files_of(project)):
        return True
    # Only a file with several hard links can be in the data folder and in another one.
    return destination.stat().st_nlink > 1 and identity in map(file_identity, Path(folder).rglob("*"))


def _files_of(project: Path) -> Iterator[Path]:
    """The files whose names begin with a project's file name, or with "." and that name, such as the lock."""
    for prefix in ("", "."):
        yield from project.parent.glob(f"{prefix}{glob.escape(project.name)}*")


Snapshot = Mapping[str, Sequence[Segment]]


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """Numbers of segments that an export would contain, by status.

    Attributes:
        drafts: segments with a machine draft, or with a target from the file.
        untranslated: segments without a target and without a proposal, of any status.
        proposals: segments with a proposal (see `Proposals`).
        matches: segments that the translation memory filled in, not confirmed.
    """

    confirmed: int
    edited: int
    drafts: int
    locked: int
    untranslated: int
    proposals: int = 0
    matches: int = 0


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The result of exporting all documents; `failed` has pairs (name of the document, message)."""

    folder: Path
    written: tuple[Path, ...]
    failed: tuple[tuple[str, str], ...]


def summarise(segments: Iterable[Segment]) -> ExportSummary:
    counts: Counter[Status] = Counter()
    untranslated = proposals = matches = 0
    for segment in segments:
        if proposal_of(segment.state):
            proposals += 1
        elif match_of(segment.state):
            matches += 1
        elif segment.target.strip():
            counts[segment.status] += 1
        else:
            untranslated += 1
    # In a segment that is not started, a target comes from the file.
    drafts = counts[Status.DRAFT] + counts[Status.NOT_STARTED]
    confirmed, edited, locked = (counts[each] for each in (Status.CONFIRMED, Status.EDITED, Status.LOCKED))
    return ExportSummary(confirmed, edited, drafts, locked, untranslated, proposals, matches)


def snapshot(segments: Iterable[Segment]) -> Snapshot:
    """The current segments by document, for `write_export` while the user changes the `Document`."""
    by_document: dict[str, list[Segment]] = {}
    for segment in segments:
        by_document.setdefault(segment.document, []).append(segment)
    return by_document


def write_export(
    store: ProjectStore,
    document: DocumentInfo,
    segments: Snapshot,
    destination: Path,
    names_language: bool = True,
    proposals: Proposals = Proposals.SOURCE,
) -> Path:
    """Write a translated document; returns `destination`.

    Args:
        destination: its suffix selects the original format, or the format to which the original is converted.
        names_language: True to write the target language into the file.
    Raises:
        FormatError: the original in the project cannot be read, or cannot contain any translation.
        ExportError: the destination is not allowed (`check_destination`), or cannot be written.
    """
    check_destination(store, destination)
    keeps_source = is_bilingual(document.format, document.choices)
    filled = fill(
        store.original(document.id),
        document.format,
        [as_exported(each, proposals, keeps_source) for each in segments.get(document.id, ())],
        ReadOptions(document.language, document.encoding, document.choices),
        languages_of(store.setting(MODEL_SETTING), store.setting(LANGUAGES_SETTING)),
        names_language,
        destination.suffix,
    )
    write_atomically(filled, destination)
    return destination


def export_all(
    store: ProjectStore,
    documents: Sequence[DocumentInfo],
    segments: Snapshot,
    folder: Path,
    names_language: bool = True,
    proposals: Proposals = Proposals.SOURCE,
) -> ExportReport:
    """Write documents of a project into a folder, each under its name and in its subfolder.

    A document that cannot be written leaves an existing file unchanged, and the others are still written.
    """
    written: list[Path] = []
    failed: list[tuple[str, str]] = []
    for document in documents:
        destination = folder / safe_path(document.name)
        try:
            _make_folder(destination.parent)
            if any(_is_same_file(path, destination) for path in written):
                raise ExportError(
                    Message("Another document was just written to “{name}”.", name=destination.name),
                    "Export it separately under another name.",
                )
            write_export(store, document, segments, destination, names_language, proposals)
            written.append(destination)
        except AnaphoraError as problem:
            failed.append((document.name, describe_error(problem)))
    return ExportReport(folder, tuple(written), tuple(failed))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExportError(
            Message("The folder “{folder}” could not be created: {reason}.", folder=folder, reason=reason),
            "Choose another folder.",
        ) from error


def _is_same_file(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except (OSError, ValueError):
        return False
