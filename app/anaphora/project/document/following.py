"""The data of the open project, and the interface for features that follow it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast, runtime_checkable

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import ChangeSet, Comment, Resegmentation
from anaphora.core.language_pair import Pair
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import document_id
from anaphora.core.untrusted import read_json
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.project import ProjectStore
from anaphora.system.locations import project_name
from anaphora.system.messages import describe_error

if TYPE_CHECKING:  # the command line reads settings without loading the window
    from anaphora.project.document.autosave import Autosave
    from anaphora.project.document.editing import Editing
    from anaphora.project.document.repetitions import Repetitions

log = logging.getLogger(__name__)
Value = TypeVar("Value", covariant=True)
SaveSetting = Callable[[str, str], None]
"""A function (name, value) that stores a setting in the open project, in the order of the calls."""


@dataclass(frozen=True, slots=True)
class ProjectSetting(Generic[Value]):
    """A setting that a feature stores in the project.

    Attributes:
        read: parses the stored text ("" if nothing is stored), off the window's thread. If the text is
            invalid, it returns a default.
    """

    name: str
    read: Callable[[str], Value]


def read_texts(stored: str) -> frozenset[str]:
    """Parse a setting that is a JSON list of texts; an invalid setting is logged and counts as empty."""
    try:
        texts = read_json(stored or "[]")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValueError("not a list of texts")
    except ValueError as problem:
        log.warning("a list in the project's settings cannot be read (%s): %.200s", problem, stored)
        return frozenset()
    return frozenset(texts)


class ProjectSettings:
    def __init__(self, texts: Mapping[str, str], settings: Iterable[ProjectSetting[Any]] = ()) -> None:
        self.texts = texts
        self._values = {setting.name: setting.read(self.texts.get(setting.name, "")) for setting in settings}

    def of(self, setting: ProjectSetting[Value]) -> Value:
        return cast(Value, self._values[setting.name])


@dataclass(slots=True, eq=False)
class OpenProject:
    """Data of the open project.

    Attributes:
        path: the document, folder or project file that the user opened.
        session: the session with the segments of all documents; every change goes through the session.
        pair: the languages of the project, and the direction of its texts.
        watched: ids of documents whose files may be read (`store.own_originals`).
        undecided: documents whose files are not watched until the user decides.
        settings, comments: the settings and comments at the time when the project was opened.
    """

    path: Path
    store: ProjectStore
    session: DocumentSession
    editing: Editing
    repetitions: Repetitions
    autosave: Autosave
    documents: tuple[DocumentInfo, ...]
    pair: Pair
    watched: frozenset[str]
    undecided: tuple[DocumentInfo, ...]
    settings: ProjectSettings
    comments: tuple[Comment, ...]

    @property
    def save_setting(self) -> SaveSetting:
        return self.autosave.save_setting

    @property
    def names(self) -> Mapping[str, str]:
        return {document.id: document.name for document in self.documents}

    @property
    def title(self) -> str:
        name, project = self.session.document.name, project_name(self.store.path)
        return f"{name} · {project}" if project and project not in (name, Path(name).stem) else name

    def document_of(self, segment_id: str) -> DocumentInfo:
        """The document of the segment with this id; the first document for an unknown id."""
        wanted = document_id(segment_id)
        return next((each for each in self.documents if each.id == wanted), self.documents[0])


class Follower(Protocol):
    """A feature that follows the open project."""

    @property
    def project_settings(self) -> tuple[ProjectSetting[Any], ...]:
        """The settings that the feature stores in the project."""

    def follow(self, project: OpenProject) -> None:
        """Follow a project that has been opened."""

    def close(self) -> None:
        """Begin all pending writes, and stop following, because the project is being closed."""


@runtime_checkable
class Writing(Protocol):
    """A feature that writes into the project in its own thread."""

    @property
    def writing(self) -> bool:
        """True if changes wait to be written."""


@runtime_checkable
class UsingFile(Protocol):
    """A feature that uses the project's file in its own threads."""

    def release_events(self) -> Sequence[threading.Event]:
        """Events that are set once the work that was begun before this call no longer uses the file."""


class SessionFollower(QObject):
    """A feature that follows one session at a time; see `Follower`.

    Signals:
        failed: a sentence for the user.
    """

    project_settings: tuple[ProjectSetting[Any], ...] = ()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: DocumentSession | None = None
        self._save_setting: SaveSetting = _save_nothing

    def follow(self, project: OpenProject) -> None:
        self.close()
        self._save_setting = project.save_setting
        self._attach(project.session)

    def close(self) -> None:
        self._detach()

    def _attach(self, session: DocumentSession) -> None:
        """Follow a session; an earlier one must have been detached."""
        self._session = session
        session.applied.connect(self._follow)
        session.resegmented.connect(self._follow_resegmentation)

    def _detach(self) -> DocumentSession | None:
        session, self._session = self._session, None
        self._save_setting = _save_nothing
        if session is not None:
            session.applied.disconnect(self._follow)
            session.resegmented.disconnect(self._follow_resegmentation)
        return session

    def _follow(self, changes: ChangeSet) -> None:
        """Follow changes to segments; by default, do nothing."""

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        """Follow a join or split; by default, do nothing."""

    def _fail(self, error: Exception) -> None:
        self.failed.emit(describe_error(error))


def _save_nothing(key: str, value: str) -> None:
    """Store no setting, because no project is open."""
