"""Originals that were changed, moved or copied outside: detecting it, and finding their projects."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import AnaphoraError, Message, ProjectError
from anaphora.core.project import DocumentInfo, title_of
from anaphora.formats.registry import content_of
from anaphora.project.store.own_originals import are_own, own, projects_with, shared
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.summary import read_summary
from anaphora.system.locations import autosave_path

KEPT_SETTING = "outside/kept/{0}"
"""Checksum of a changed file that the user decided not to take over."""


@dataclass(frozen=True, slots=True)
class ChangedOriginal:
    """A stored document whose file is not what the project holds, and the file's checksum now."""

    document: DocumentInfo
    sha256: str


class WorkElsewhereError(ProjectError):
    """Files (`paths`) that are opened as new were worked on in a project, which read them elsewhere."""

    def __init__(self, paths: Sequence[Path], project: Path, original: str) -> None:
        known = {"name": title_of(project), "path": original}
        super().__init__(
            Message("“{name}” contains a translation of the same text, read from {path}.", **known),
            "Open that project to continue its work, or start again without changing it.",
        )
        self.paths = tuple(paths)


def project_of(path: Path, sha256: str) -> Path | None:
    """The autosaved project of a file with a checksum, or one that holds work on it: see `earlier_work`."""
    exact = autosave_path(path, sha256)
    return exact if exact.exists() else earlier_work([path], {path: sha256}, True)


def earlier_work(paths: Sequence[Path], files: Mapping[Path, str], goes_on: bool | None) -> Path | None:
    """The project that was worked on and holds most of some files, by their paths or contents.

    The state of an open project is unknown.

    Args:
        paths: what the user opens.
        files: the checksums of the files in it.
        goes_on: whether to go on with work on files that lie elsewhere, too; None to be asked.
    Raises:
        WorkElsewhereError: the user is to be asked.
    """
    found = []
    for project, held in projects_with(files).items() if goes_on is not False else ():
        summary = read_summary(project)
        known = summary.files if summary else [each for each in held if each[1] in files.values()]
        count = len(elsewhere := shared(known, files))
        if (summary.worked_on if summary else project.exists()) and 2 * count >= len(files):
            is_theirs = are_own(known) and {path for path, _ in known} <= {*map(str, files)}
            found.append((count, project.stat().st_mtime, project, "" if is_theirs else elsewhere[0]))
    if not found:
        return None
    _, _, project, original = max(found)
    if original and goes_on is None:
        raise WorkElsewhereError(paths, project, original)
    return project


def checksum(path: Path) -> str:
    """The checksum of a file; empty for one that is gone, too large, an open project, or cannot be read."""
    try:
        return hashlib.sha256(content_of(path)).hexdigest()
    except AnaphoraError:
        return ""


def changed_originals(store: ProjectStore, documents: Sequence[DocumentInfo]) -> tuple[ChangedOriginal, ...]:
    """The documents whose files changed since they were read, without changes the user decided to ignore.

    Files that are gone or cannot be read do not count: the project holds their bytes. Nor do those that
    the user has not given to the app (`own_originals`): nothing of them is touched.
    """
    found = []
    looked_at = own(documents)
    for document in documents:
        sha256 = _new_checksum(document) if document.id in looked_at else ""
        if sha256 and sha256 != store.setting(KEPT_SETTING.format(document.id)):
            found.append(ChangedOriginal(document, sha256))
    return tuple(found)


def keep_stored(store: ProjectStore, changed: Iterable[ChangedOriginal]) -> None:
    """Remember that the user goes on with the stored versions: these changes are not asked about again."""
    for change in changed:
        store.set_setting(KEPT_SETTING.format(change.document.id), change.sha256)


def _new_checksum(document: DocumentInfo) -> str:
    """The checksum of a document's file if it has changed, else an empty text."""
    if not document.path:
        return ""
    path = Path(document.path)
    try:
        found = path.stat()
    except (OSError, ValueError):
        return ""
    if found.st_mtime_ns == document.modified and found.st_size == document.size:
        return ""
    sha256 = checksum(path)
    return "" if sha256 == document.sha256 else sha256
