"""How far recently opened documents are, read off the window's thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.application.background import BackgroundTasks
from anaphora.reading.external_changes import checksum
from anaphora.store.locations import PROJECT_SUFFIX, autosave_path, autosaved_projects
from anaphora.store.reading import SNAPSHOT
from anaphora.store.summary import read_summary


@dataclass(frozen=True, slots=True)
class RecentDocument:
    """A document that was opened lately.

    Attributes:
        path: what was opened: a document, a folder or a project.
        is_there: whether it still is; a drive may come back.
        confirmed: how many segments are confirmed. segments: how many there are; 0 while nothing is known.
    """

    path: Path
    is_there: bool = True
    confirmed: int = 0
    segments: int = 0


def look_at(path: Path) -> RecentDocument:
    """Count what is confirmed of a document, by its project; one that is open elsewhere is counted, too."""
    project = _project(path)
    found = read_summary(project, SNAPSHOT) if project is not None else None
    if found is None:
        return RecentDocument(path, path.exists())
    return RecentDocument(path, path.exists(), found.confirmed, found.segments)


def _project(path: Path) -> Path | None:
    if path.suffix.lower() == PROJECT_SUFFIX:
        return path if path.exists() else None
    if path.is_dir():
        place = autosave_path(path, str(path))
    else:
        sha256 = checksum(path)
        place = autosave_path(path, sha256)
    if place.exists():
        return place
    earlier = autosaved_projects(path)
    return earlier[0] if earlier and not path.is_dir() else None


class RecentProgress(QObject):
    """Looks at recent documents one after the other.

    Signals:
        found: a RecentDocument.
    """

    found = Signal(object)

    def __init__(self, tasks: BackgroundTasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks

    def ask(self, paths: Sequence[Path]) -> None:
        """Look at documents; `found` follows for each."""
        for path in paths:
            self._tasks.start(partial(look_at, path), self.found.emit, self._ignore)

    def _ignore(self, error: Exception) -> None:
        raise error
