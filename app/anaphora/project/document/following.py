"""What a feature is told of the project that is opened: each follows it by itself."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast, runtime_checkable

from PySide6.QtCore import QObject, Signal, SignalInstance

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.untrusted import read_json
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.project import ProjectStore
from anaphora.system.messages import describe_error

log = logging.getLogger(__name__)
Value = TypeVar("Value", covariant=True)
Keep = Callable[[str, str], None]
"""Keeps a value under a name with the open project, durably and in order."""


@dataclass(frozen=True, slots=True)
class KeptSetting(Generic[Value]):
    """A setting that a feature keeps with the project.

    Attributes:
        read: reads what is kept, "" where nothing is; it says itself what cannot be read. Called off the
            window's thread.
    """

    name: str
    read: Callable[[str], Value]


def read_texts(kept: str) -> frozenset[str]:
    """Read a setting that is a list of texts; none where it cannot be read."""
    try:
        texts = read_json(kept or "[]")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValueError("no list of texts")
    except ValueError as problem:
        log.warning("a list that the project keeps cannot be read (%s): %.200s", problem, kept)
        return frozenset()
    return frozenset(texts)


class Kept:
    """What a project kept when it was opened."""

    def __init__(
        self, texts: Mapping[str, str] | None = None, settings: Iterable[KeptSetting[Any]] = ()
    ) -> None:
        """Read settings; the others are kept as texts."""
        self.texts = texts or {}
        self._values = {setting.name: setting.read(self.texts.get(setting.name, "")) for setting in settings}

    def of(self, setting: KeptSetting[Value]) -> Value:
        if setting.name not in self._values:
            return setting.read(self.texts.get(setting.name, ""))
        return cast(Value, self._values[setting.name])


@dataclass(frozen=True, slots=True)
class OpenProject:
    """A project that has just been opened.

    Attributes:
        names: of its documents, by their ids.
    """

    session: DocumentSession
    store: ProjectStore
    kept: Kept
    keep: Keep
    names: Mapping[str, str]
    is_elsewhere: bool = False


class OpenSession(Protocol):
    """What tells which session is open."""

    session: DocumentSession | None

    @property
    def opened(self) -> SignalInstance:
        """Another session is."""


class Follower(Protocol):
    """A feature that follows the open project."""

    @property
    def keeps(self) -> tuple[KeptSetting[Any], ...]:
        """The settings that it keeps with the project."""

    def follow(self, project: OpenProject) -> None:
        """A project has been opened."""

    def close(self) -> None:
        """It is left: what is yet to be written has been begun when this returns (`UsingFile`, `Keep`)."""


@runtime_checkable
class Writing(Protocol):
    """A feature that writes into the project in a thread of its own."""

    @property
    def writing(self) -> bool:
        """Whether something is yet to be written."""


@runtime_checkable
class UsingFile(Protocol):
    """A feature that uses the project's file in threads of its own."""

    def ends_of_use(self) -> Sequence[threading.Event]:
        """Are set once what has been begun until now uses the file no longer."""


class SessionFollower(QObject):
    """A feature that follows one session at a time; see `Follower`.

    Signals:
        failed: a sentence for the user.
    """

    keeps: tuple[KeptSetting[Any], ...] = ()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: DocumentSession | None = None
        self._keep: Keep = _keep_nothing

    def follow(self, project: OpenProject) -> None:
        """A project has been opened."""
        self.close()
        self._keep = project.keep
        self._attach(project.session)

    def close(self) -> None:
        """Stop following."""
        self._detach()

    def _attach(self, session: DocumentSession) -> None:
        """Follow a session; the one before must have been detached."""
        self._session = session
        session.applied.connect(self._follow)
        session.resegmented.connect(self._follow_resegmentation)

    def _detach(self) -> DocumentSession | None:
        session, self._session = self._session, None
        self._keep = _keep_nothing
        if session is not None:
            session.applied.disconnect(self._follow)
            session.resegmented.disconnect(self._follow_resegmentation)
        return session

    def _follow(self, changes: ChangeSet) -> None:
        """Texts have changed; nothing follows from it by default."""

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        """Segments were joined or split; nothing follows from it by default."""

    def _fail(self, error: Exception) -> None:
        self.failed.emit(describe_error(error))


def _keep_nothing(key: str, value: str) -> None:
    """There is no project."""
