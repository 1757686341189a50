"""Finding originals that other programs have changed, and earlier projects with the same files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import AnaphoraError, Message, ProjectError
from anaphora.core.project import DocumentInfo, title_of
from anaphora.formats.registry import content_of
from anaphora.project.store.own_originals import are_own, own_ids, projects_with, shared_paths
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.summary import read_summary
from anaphora.system.locations import autosave_path

KEPT_SETTING = "outside/kept/{0}"
"""Name of the setting for the checksum of a changed file that the user ignores; {0} is the document's id."""


@dataclass(frozen=True, slots=True)
class ChangedOriginal:
    """A stored document whose file has changed, and the file's current checksum."""

    document: DocumentInfo
    sha256: str


class WorkElsewhereError(ProjectError):
    """Another project already contains work on the files in `paths`, but has read them from other paths."""

    def __init__(self, paths: Sequence[Path], project: Path, original: str) -> None:
        known = {"name": title_of(project), "path": original}
        super().__init__(
            Message(
                "The project “{name}” already contains a file with the same content: {path}.",
                **known,
            ),
            "Open that project to continue, or start a new one. The existing project does not change.",
        )
        self.paths = tuple(paths)


def project_of(path: Path, sha256: str) -> Path | None:
    """The autosaved project of a file, or else another project with work on it; None if neither exists."""
    exact = autosave_path(path, sha256)
    return exact if exact.exists() else earlier_work([path], {path: sha256}, True)


def earlier_work(paths: Sequence[Path], files: Mapping[Path, str], resume: bool | None) -> Path | None:
    """The project with work on at least half of the files, matched by path or contents; None without one.

    Among such projects, the one with the most files is chosen. If several have as many, the one that was
    changed last is chosen. A project that cannot be read, such as an open one, counts as worked on.

    Args:
        files: the checksums of all files at these paths, by path.
        resume: True to continue work on files that were read from other paths, False to ignore all earlier
            work, None to ask the user about work on other paths.
    Raises:
        WorkElsewhereError: the user must be asked.
    """
    candidates = []
    for project, recorded in projects_with(files).items() if resume is not False else ():
        summary = read_summary(project)
        known = summary.files if summary else [each for each in recorded if each[1] in files.values()]
        count = len(common := shared_paths(known, files))
        if (summary.is_worked_on if summary else project.exists()) and 2 * count >= len(files):
            is_same_set = are_own(known) and {path for path, _ in known} <= {*map(str, files)}
            candidates.append((count, project.stat().st_mtime, project, "" if is_same_set else common[0]))
    if not candidates:
        return None
    _, _, project, original = max(candidates)
    if original and resume is None:
        raise WorkElsewhereError(paths, project, original)
    return project


def checksum(path: Path) -> str:
    """The checksum of a file; "" if it is missing, too large, unreadable or an open project."""
    try:
        return hashlib.sha256(content_of(path)).hexdigest()
    except AnaphoraError:
        return ""


def changed_originals(store: ProjectStore, documents: Sequence[DocumentInfo]) -> tuple[ChangedOriginal, ...]:
    """The documents whose files have changed since they were read, except ignored changes (`keep_stored`).

    Missing and unreadable files do not count, because the project contains their bytes. The only files read
    are those that the user has chosen or allowed (`store.own_originals`).
    """
    changed = []
    watched = own_ids(documents)
    for document in documents:
        sha256 = _new_checksum(document) if document.id in watched else ""
        if sha256 and sha256 != store.setting(KEPT_SETTING.format(document.id)):
            changed.append(ChangedOriginal(document, sha256))
    return tuple(changed)


def keep_stored(store: ProjectStore, changed: Iterable[ChangedOriginal]) -> None:
    """Record that the user keeps the stored versions, so that these changes are ignored from now on."""
    for change in changed:
        store.set_setting(KEPT_SETTING.format(change.document.id), change.sha256)


def _new_checksum(document: DocumentInfo) -> str:
    if not document.path:
        return ""
    path = Path(document.path)
    try:
        status = path.stat()
    except (OSError, ValueError):
        return ""
    if status.st_mtime_ns == document.modified and status.st_size == document.size:
        return ""
    sha256 = checksum(path)
    return "" if sha256 == document.sha256 else sha256
