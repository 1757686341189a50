"""Getting models in the window: the list, one download at a time, nothing on the window's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from shiboken6 import isValid

from anaphora.core.installed_model import ChosenModel, InstalledModel
from anaphora.engine.model_files import installed_models, prefer_model, preferred_model
from anaphora.features.downloads.catalogue import OfferedModel, read_list
from anaphora.features.downloads.getting import Step, get_model
from anaphora.features.downloads.transport import Control, Transport
from anaphora.system.background import outcome


@dataclass(frozen=True, slots=True)
class Known:
    """Available models, as far as this computer knows.
    `preferred`: what new projects use; None: the app's own model."""

    offers: tuple[OfferedModel, ...]
    installed: tuple[InstalledModel, ...]
    preferred: ChosenModel | None


class _Caller(QObject):
    """Calls functions on the window's thread for other threads.

    It lives as long as the application: a thread may outlive the window, and must not speak to what is being
    destroyed.
    """

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        self.wanted.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def _call(self, function: Callable[[], None]) -> None:
        function()


class ModelDownloadService(QObject):
    """Requests and downloads, in its own threads: the program can end while a server is silent.

    Nothing connects before `get` is called.

    Signals:
        known: a Known, after `read` and whenever it has changed.
        got: the folder of a model that is installed now.
        ended: a download is over, however it went.
    """

    known = Signal(object)
    stepped = Signal(object)
    got = Signal(Path)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, offered: Path, folder: Path, transport: Transport) -> None:
        """
        Args:
            offered: the list of what is offered.
            folder: of the installed models.
        """
        super().__init__()
        self._offered, self._folder, self._transport = offered, folder, transport
        self._control: Control | None = None
        self._caller = _Caller()

    def read(self) -> None:
        """Report the known models, without a request."""
        self._start(self._read, self.known.emit)

    def get(self, offer: OfferedModel) -> bool:
        """Download and install a model; `got` or `failed`, and `ended` follow.
        Returns whether it has begun: one at a time."""
        if self._control is not None:
            return False
        control = self._control = Control()

        def tell(step: Step) -> None:
            self._call(lambda: self.stepped.emit(step))

        def take(folder: Path) -> None:
            self.got.emit(folder)
            self.read()

        def get() -> Path:
            return get_model(offer, self._folder, self._transport, control, tell)

        self._start(get, take, self._end)
        return True

    def cancel(self) -> None:
        """Cancel the download and remove its files."""
        if self._control is not None:
            self._control.cancel()

    def prefer(self, model: InstalledModel | None) -> None:
        """Let new projects use a model (None: the app's own)."""
        self._start(lambda: prefer_model(self._folder, model), lambda _: self.read())

    def _read(self) -> Known:
        offers = read_list(self._offered)
        return Known(offers, installed_models(self._folder), preferred_model(self._folder))

    def _end(self) -> None:
        self._control = None
        self.ended.emit()

    def _start(
        self, work: Callable[[], Any], take: Callable[[Any], None], end: Callable[[], None] = lambda: None
    ) -> None:
        def run() -> None:
            result, error = outcome(work)
            self._call(lambda: finish(result, error))

        def finish(result: Any, error: Exception | None) -> None:
            end()
            if error is not None:
                self.failed.emit(error)
            else:
                take(result)

        threading.Thread(target=run, name="models", daemon=True).start()

    def _call(self, function: Callable[[], None]) -> None:
        """Call a function on the window's thread, unless the window is gone by then; from any thread."""
        self._caller.wanted.emit(lambda: function() if isValid(self) else None)
