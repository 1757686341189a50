"""Opening documents, folders and projects, off the window's thread."""

from __future__ import annotations

import json
import logging
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from anaphora.core.document import Document, SourceDocument
from anaphora.core.edits import Comment
from anaphora.core.errors import AnaphoraError, Message, ProjectError
from anaphora.core.installed_model import LANGUAGES_SETTING, MODEL_SETTING, languages_of
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, FORWARD, LanguagePair, Pair, pair_of
from anaphora.core.long_work import Step, cancellable, each_of, no_step, substep
from anaphora.core.project import DamagedProjectError, DocumentInfo, ForeignFileError, ProjectExistsError
from anaphora.core.untrusted import read_json
from anaphora.engine.model_files import preferred_model
from anaphora.project.document.following import ProjectSettings
from anaphora.project.importing.collecting import Collected, LeftOut, collect, read_collected, read_document
from anaphora.project.importing.external_changes import (
    ChangedOriginal,
    changed_originals,
    checksum,
    earlier_work,
)
from anaphora.project.restoring import Restoration, restore
from anaphora.project.store.backups import Clock, list_backups
from anaphora.project.store.lock import ProjectLock
from anaphora.project.store.own_originals import own_ids, record_files, remember, undecided
from anaphora.project.store.project import ProjectStore
from anaphora.system.locations import PROJECT_SUFFIX, autosave_path, models_folder, with_home

log = logging.getLogger(__name__)

_READING_SHARE = 0.8
"""Share of the time to open a new document that is spent on reading it."""
NOTES_SETTING = "import/notes"
"""Name of the setting for the notes about imported documents, as JSON."""
ROW_SETTING = "window/row"


@dataclass(frozen=True, slots=True)
class LoadedProject:
    """An opened project with its data.

    Attributes:
        path: the document, folder or project file that the user opened.
        notes: sentences about the import of the documents.
        left_out: files that were not added, with the reasons (`importing.collecting`).
        watched: ids of the documents whose files may be read (`store.own_originals`).
        undecided: documents whose files are not read until the user decides.
        restoration: the outcome if the project was damaged and has been restored from a backup.
    """

    path: Path
    store: ProjectStore
    document: Document
    documents: tuple[DocumentInfo, ...]
    settings: ProjectSettings
    notes: tuple[str, ...] = ()
    left_out: LeftOut = ()
    changed: tuple[ChangedOriginal, ...] = ()
    watched: frozenset[str] = frozenset()
    undecided: tuple[DocumentInfo, ...] = ()
    problem: AnaphoraError | None = None
    restoration: Restoration | None = None
    pair: Pair = FORWARD
    comments: tuple[Comment, ...] = ()

    @property
    def first_row(self) -> int:
        try:
            return self.document.row(self.settings.texts.get(ROW_SETTING, ""))
        except KeyError:
            return 0


def open_paths(paths: Sequence[Path], step: Step = no_step, resume: bool | None = None) -> LoadedProject:
    """Open a project file, a folder, several files as one project, or a document with its earlier work.

    Args:
        step: gets the progress; if it raises an exception, opening ends and leaves no new project.
        resume: see `external_changes.earlier_work`.
    Raises:
        FormatError: the document cannot be read.
        WorkElsewhereError: the user must be asked whether to continue earlier work.
        ProjectError: the project cannot be opened or created, or the folder contains no document.
    """
    paths = [with_home(path).absolute() for path in paths]
    with cancellable(step) as checked_step:
        if len(paths) > 1 or paths[0].is_dir():
            return _open_collection(paths, checked_step, resume)
        return _open_file(paths[0], checked_step, resume)


def _open_file(path: Path, step: Step, resume: bool | None) -> LoadedProject:
    if path.suffix.lower() == PROJECT_SUFFIX:
        return open_project(path)
    # A file that has a project is not parsed again, because the project contains its segments.
    sha256 = checksum(path)
    place = autosave_path(path, sha256)
    opened = open_project(place, path) if place.exists() else None
    if sha256 and opened is None:
        opened = _resume_work(path, {path: sha256}, resume)
    if opened is not None:
        return opened
    source = read_document(path, step=substep(step, 0, _READING_SHARE))
    step(_READING_SHARE)
    remember([source])
    place = autosave_path(path, source.sha256)
    try:
        store = _create(place, [source])
    except ProjectExistsError:
        # Another window has just created it.
        return open_project(place, path)
    return load(path, store, source.notes)


def _resume_work(path: Path | None, files: Mapping[Path, str], resume: bool | None) -> LoadedProject | None:
    """Open a project with earlier work on files, even if they were moved; see `earlier_work`."""
    project = earlier_work([path] if path else [*files], files, resume)
    if project is None:
        return None
    return _store_moves(open_project(project, path), files)


def _store_moves(opened: LoadedProject, files: Mapping[Path, str]) -> LoadedProject:
    """Store the new paths of moved originals (`files`: checksums by path); returns the project with them."""
    try:
        if not (moved := _moved_documents(opened, files)):
            return opened
        remember(moved)
        opened.store.move_documents(moved)
    except BaseException:
        opened.store.close()
        raise
    return replace(load(opened.path, opened.store), restoration=opened.restoration)


def _moved_documents(opened: LoadedProject, files: Mapping[Path, str]) -> list[DocumentInfo]:
    """The documents whose files have been moved, with their new paths; no two get the same path."""
    own_paths = {each.path for each in opened.documents if each.id in opened.watched}
    unused: dict[str, deque[str]] = defaultdict(deque)
    for place, sha256 in files.items():
        if sha256 and str(place) not in own_paths:
            unused[sha256].append(str(place))
    moved = []
    for each in opened.documents:
        path = Path(each.path)
        has_file = each.id in opened.watched and (path in files or checksum(path) == each.sha256)
        if (places := unused[each.sha256]) and not has_file:
            moved.append(replace(each, path=places.popleft()))
    return moved


def open_project(project: Path, path: Path | None = None, clock: Clock = datetime.now) -> LoadedProject:
    """Open a project file; a damaged project is restored from its newest sound backup.

    Args:
        path: what the user opened; by default the project file.
    Raises:
        ProjectError: the project cannot be opened, or it is damaged and has no sound backup.
    """
    with ProjectLock(project) as project_lock:
        try:
            return load(path or project, ProjectStore.open(project, clock, project_lock))
        except (DamagedProjectError, ForeignFileError) as error:
            log.warning("%s is damaged: %s", project, error.__cause__ or error)
            restoration = restore(project)
            if restoration is None:
                if isinstance(error, DamagedProjectError) and not list_backups(project, summarise=False):
                    raise error.without_backups() from error
                raise
        opened = load(path or project, ProjectStore.open(project, clock, project_lock))
        return replace(opened, restoration=restoration)


def load(path: Path, store: ProjectStore, notes: tuple[str, ...] = ()) -> LoadedProject:
    """Load an open project; the store is closed if loading fails.

    Args:
        notes: notes about documents that were just imported, to be stored. If empty, the stored notes are
            loaded.
    Raises:
        ProjectError: the project is damaged.
    """
    try:
        if notes:
            store.set_setting(NOTES_SETTING, json.dumps(notes, ensure_ascii=False))
        else:
            notes = _stored_notes(store)
        documents = store.documents()
        remember(document for document in documents if _is_chosen(document, path))
        record_files({store.path: [(document.path, document.sha256) for document in documents]})
        changed = changed_originals(store, documents)
        document = store.load_document()
        return LoadedProject(
            path,
            store,
            document,
            documents,
            ProjectSettings(store.settings()),
            notes,
            changed=changed,
            watched=own_ids(documents),
            undecided=undecided(documents),
            pair=pair_of(document, project_languages(store)),
            comments=store.comments(),
        )
    except BaseException:
        store.close()
        raise


def _is_chosen(document: DocumentInfo, path: Path) -> bool:
    return bool(document.path) and (document.path == str(path) or path in Path(document.path).parents)


def project_languages(store: ProjectStore) -> LanguagePair:
    return languages_of(store.setting(MODEL_SETTING), store.setting(LANGUAGES_SETTING))


def _open_collection(paths: Sequence[Path], step: Step, resume: bool | None) -> LoadedProject:
    collected = collect(paths, step=step)
    key = "\n".join(sorted(str(path) for path in paths))
    place = autosave_path(paths[0] if len(paths) == 1 else paths[0].with_name(collected.name), key)
    folder = paths[0] if len(paths) == 1 else None
    if place.exists():
        existing = open_project(place, folder)
        old = {document.path for document in existing.documents}
        files = {path: "" if str(path) in old else checksum(path) for path, _ in collected.files}
        opened: LoadedProject | None = _store_moves(existing, files)
    else:
        files = {path: checksum(path) for path, _ in each_of(collected.files)}
        opened = _resume_work(folder, files, resume)
    if opened is not None:
        known = {document.path for document in opened.documents}
        known |= {document.sha256 for document in opened.documents if document.id not in opened.watched}
        collected = collect(paths, pair=opened.pair.languages)
        new = [(path, name) for path, name in collected.files if str(path) not in known]
        left_out = tuple((name, _new_file_note()) for path, name in new if checksum(path) not in known)
        return replace(opened, left_out=left_out)
    sources, left_out = read_collected(collected, step=substep(step, 0, _READING_SHARE))
    step(_READING_SHARE)
    if not sources:
        raise _no_document_error(collected, left_out)
    remember(sources)
    store = _create(place, sources, collected.name)
    notes = tuple(f"{source.name}: {note}" for source in sources for note in source.notes)
    notes += _other_types_note(collected)
    opened = load(folder or store.path, store, notes)
    return replace(opened, left_out=left_out)


def _create(place: Path, sources: Sequence[SourceDocument], name: str = "") -> ProjectStore:
    """Create a project, with the user's preferred model if that translates from Chinese to English."""
    store = ProjectStore.create(place, *sources, name=name)
    preferred = preferred_model(models_folder())
    if preferred is not None and preferred.pair.is_like(CHINESE_TO_ENGLISH):
        store.set_setting(MODEL_SETTING, preferred.to_text())
    return store


def _new_file_note() -> str:
    return QCoreApplication.translate(
        "Import", "This file is new in the folder. To add it to the project, use Document ▸ Add documents…."
    )


def _other_types_note(collected: Collected) -> tuple[str, ...]:
    if not collected.other_count:
        return ()
    text = QCoreApplication.translate("Import", "Files of other types skipped: {0}.")
    return (text.format(collected.other_count),)


def _no_document_error(collected: Collected, left_out: LeftOut) -> ProjectError:
    reasons = " ".join(f"{name}: {reason}" for name, reason in left_out[:5])
    message = Message("“{name}” contains no document that can be opened.", name=collected.name)
    if reasons:
        message = Message("{message} {reasons}", message=message, reasons=reasons)
    return ProjectError(message, "Choose a folder with documents.")


def _stored_notes(store: ProjectStore) -> tuple[str, ...]:
    try:
        return tuple(str(note) for note in read_json(store.setting(NOTES_SETTING, "[]")))
    except (TypeError, ValueError):
        return ()  # unreadable notes must not prevent opening
