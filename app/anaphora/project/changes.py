"""Changing a project's documents, and copying or renaming project files, off the window's thread."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from anaphora.core.document import SourceDocument
from anaphora.core.errors import AnaphoraError, Message, ProjectError
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.matching import Unit
from anaphora.core.project import DocumentInfo, ReadOnlyProjectError
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.segment import Segment, Span, id_in_project
from anaphora.core.tags import marks_of
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.segments import shape_of
from anaphora.formats.registry import format_name_of
from anaphora.project.document.autosave import Unwritten
from anaphora.project.importing.collecting import LeftOut, Rereading, collect, read_collected, read_document
from anaphora.project.importing.external_changes import ChangedOriginal
from anaphora.project.opening import LoadedProject, load, project_languages
from anaphora.project.restoring import place_for_damaged
from anaphora.project.store.files import copy_with_log, disk_error, has_log, log_of
from anaphora.project.store.lock import ProjectLock
from anaphora.project.store.own_originals import remember
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.transfer import Transfer, transfer_translations
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.files import refuse_open_file
from anaphora.system.locations import PROJECT_SUFFIX, project_path


@dataclass(frozen=True, slots=True)
class Additions:
    """Documents that were read and can be added; for the notes, see `opening.LoadedProject`."""

    sources: tuple[SourceDocument, ...]
    notes: tuple[str, ...]
    left_out: LeftOut


def read_additions(
    paths: Sequence[Path], documents: Iterable[DocumentInfo], pair: LanguagePair = CHINESE_TO_ENGLISH
) -> Additions:
    """Read files and folders that will be added to a project.

    Args:
        documents: the project's documents. Their files are left out with a reason, and new files are read
            with the placeholders that these documents share (`_choices_like`).
    """
    listed = list(documents)
    known = {document.path for document in listed}
    collected = collect(paths, [document.name for document in listed], pair)
    in_project = [name for path, name in collected.files if str(path) in known]
    collected = replace(collected, files=tuple(file for file in collected.files if str(file[0]) not in known))
    sources, left_out = read_collected(collected, pair.source, pair, choices=partial(_choices_like, listed))
    notes = tuple(f"{source.name}: {note}" for source in sources for note in source.notes)
    reason = QCoreApplication.translate("Import", "This file is already in the project.")
    return Additions(tuple(sources), notes, tuple((name, reason) for name in in_project) + left_out)


Change = Callable[[ProjectStore], Additions | None]
"""A function that changes the documents of an open project, all or none, and returns any added documents."""


def add_documents(paths: Sequence[Path], store: ProjectStore) -> Additions:
    """Read files and folders, and add them to a project; raises ProjectError if none is read or left out."""
    additions = read_additions(paths, store.documents(), project_languages(store))
    if additions.sources:
        remember(additions.sources)
        store.add_documents(additions.sources)
    elif not additions.left_out:
        raise ProjectError(
            Message("“{name}” contains no document that can be opened.", name=paths[0].name),
            "Choose a folder with documents.",
        )
    return additions


def _choices_like(documents: Sequence[DocumentInfo], name: str) -> ReadingChoices:
    """Choices for a new file, with the placeholders that all documents in its format have in common. If there
    are no such documents, all documents count."""
    alike = [each for each in documents if each.format == format_name_of(name)] or documents
    shared = {each.choices.placeholders for each in alike}
    return ReadingChoices(placeholders=shared.pop()) if len(shared) == 1 else AS_SUGGESTED


def remove_document(document: str, store: ProjectStore) -> None:
    store.back_up()
    store.remove_document(document)


def update_from_files(changed: Sequence[ChangedOriginal], store: ProjectStore) -> None:
    """Store new versions of files after a backup, with the translations of segments with the same source."""
    old = segments_by_document(store.load_document())
    newer = []
    for each in changed:
        stored = old.get(each.document.id, [])
        transfer = transfer_translations(stored, _read_again(store, each.document, stored))
        newer.append((each.document.id, transfer))
    store.back_up()
    remember(transfer.document for _, transfer in newer)
    replace_documents(newer, store)


def replace_documents(newer: Sequence[tuple[str, Transfer]], store: ProjectStore) -> None:
    """Store new versions of documents; a person's lost translations are kept in the project's memory."""
    store.replace_documents(newer)
    memory = TranslationMemory("project", store)
    lost = [(id_in_project(document, each.id), each) for document, new in newer for each in new.lost]
    memory.update((), [key for key, _ in lost])  # Units with these ids would follow new segments.
    memory.add([Unit(each.source, each.target, marks_of(each)) for _, each in lost])


def _read_again(store: ProjectStore, document: DocumentInfo, old: Sequence[Segment]) -> SourceDocument:
    find_existing = partial(_earlier_sentences, store.shapes(document.id), old)
    earlier = Rereading(document.encoding, find_existing, document.choices)
    return read_document(Path(document.path), document.name, document.language, earlier)


def _earlier_sentences(
    shapes: Mapping[str, str], old: Iterable[Segment], blocks: Sequence[Block]
) -> dict[str, list[Span]]:
    """The spans of earlier sentences for new blocks, by address; blocks of the same shape match in order."""
    spans = spans_by_block(old)
    addresses: dict[str, deque[str]] = defaultdict(deque)
    for address in spans:
        addresses[shapes.get(address, "")].append(address)
    sentences = {}
    for block in blocks:
        if equal := addresses.get(shape_of(block.pieces)):
            sentences[block.address] = spans[equal.popleft()]
    return sentences


def spans_by_block(segments: Iterable[Segment]) -> dict[str, list[Span]]:
    spans: dict[str, list[Span]] = {}
    for segment in segments:
        if segment.span is not None:
            spans.setdefault(segment.block, []).append(segment.span)
    return spans


def change_project(project: Path, path: Path, change: Change) -> LoadedProject:
    """Open a project, change its documents and load it; if the change fails, the result has the `problem`.

    Args:
        path: what the user opened, see `opening.LoadedProject`.
    Raises:
        ProjectError: the project cannot be opened or loaded.
    """
    store = ProjectStore.open(project)
    problem: AnaphoraError | None = None
    added: Additions | None = None
    try:
        added = change(store)
    except AnaphoraError as error:
        problem = error
    except BaseException:
        store.close()
        raise
    opened = load(path, store, added.notes if added else ())
    return replace(opened, left_out=added.left_out if added else (), problem=problem)


def save_as(
    store: ProjectStore,
    destination: Path,
    paused: AbstractContextManager[Unwritten] = nullcontext(((), {})),
) -> tuple[Path, Unwritten]:
    """Copy an open project to another file, together with its unwritten changes.

    Args:
        store: the open project, even if its file has been deleted or moved since it was opened.
        destination: the suffix of projects is added if missing. An existing sound project is replaced.
        paused: the context `Autosave.paused()`, which yields the unwritten changes to `store`.
    Returns:
        the path of the copy, and the unwritten changes that the copy contains.
    Raises:
        ProjectError: the destination cannot be written, is open elsewhere, or is not a sound project.
    """
    if destination.suffix.lower() != PROJECT_SUFFIX:
        destination = destination.with_name(destination.name + PROJECT_SUFFIX)
    with ProjectLock(destination) as project_lock:
        if destination.exists():
            ProjectStore.open(destination, project_lock=project_lock).close()
        with paused as unwritten:
            store.copy_to(destination)
        copy = ProjectStore.open(destination, project_lock=project_lock)
    changes, settings = unwritten
    try:
        if changes:
            copy.save(*changes)
        copy.set_settings(settings)
    finally:
        copy.close()
    return destination, unwritten


def copy_to_data_folder(project: Path, name: str) -> Path:
    """Copy a read-only project, or a backup, to the data folder; returns the path of the copy.

    Raises:
        ProjectError: the project is open elsewhere, or the copy cannot be written.
    """
    copy = project_path(name)
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk_error(copy, error) from error
    with ExitStack() as stack:
        stack.enter_context(ProjectLock(copy))
        # A read-only folder cannot hold a lock, so assume that the project is not open elsewhere.
        with suppress(ReadOnlyProjectError):
            stack.enter_context(ProjectLock(project, works=False))
        refuse_open_file(project)
        try:
            copy_with_log(project, copy)
        except OSError as error:
            raise disk_error(copy, error) from error
    return copy


def set_aside(project: Path) -> Path:
    """Rename a damaged project and its log to free its path; returns the new path. Raises ProjectError."""
    with ProjectLock(project):
        place = place_for_damaged(project)
        try:
            project.rename(place)
            if has_log(project):
                log_of(project).rename(log_of(place))
        except OSError as error:
            raise disk_error(project, error) from error
        return place


def segments_by_document(segments: Iterable[Segment]) -> dict[str, list[Segment]]:
    """The segments by document id, each with its id in the file instead of its id in the project."""
    by_document: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        by_document[segment.document].append(replace(segment, id=segment.id.partition("/")[2]))
    return dict(by_document)
