"""Opening a document: its file, its autosaved project, its segments. Runs off the window's thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora.core.document import Document
from anaphora.formats.registry import read
from anaphora.store.locations import autosave_path
from anaphora.store.project import ProjectStore

PROJECT_SUFFIX = ".anaphora"


@dataclass(frozen=True, slots=True)
class OpenedDocument:
    """A document that is ready to be worked on.

    Attributes:
        path: what the user opened.
        original: the file to be translated; may be gone, its bytes stand in the project.
        store: the open project.
        document: the segments as saved last.
        notes: what the reader of the format had to say.
    """

    path: Path
    original: Path
    store: ProjectStore
    document: Document
    notes: tuple[str, ...] = ()


def open_document(path: Path) -> OpenedDocument:
    """Open a document with the work already done on it, or a project file.

    Raises:
        FormatError: the document cannot be read.
        ProjectError: its project cannot be opened or made.
    """
    path = path.expanduser().absolute()
    if path.suffix.lower() == PROJECT_SUFFIX:
        store = ProjectStore.open(path)
        original = Path(store.info.path) if store.info.path else path.with_name(store.info.name)
        return OpenedDocument(path, original, store, store.load_document())
    source = read(path)
    project = autosave_path(path, source.sha256)
    store = ProjectStore.open_or_create(project, source)
    return OpenedDocument(path, path, store, store.load_document(), source.notes)
