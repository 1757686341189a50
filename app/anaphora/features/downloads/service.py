"""Lists and downloads models in background threads, one download at a time."""

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
class KnownModels:
    """The offered and the installed models. `preferred` is for new projects; None for the app's own model."""

    offers: tuple[OfferedModel, ...]
    installed: tuple[InstalledModel, ...]
    preferred: ChosenModel | None


class _Caller(QObject):
    """Calls functions in the window's thread. The application owns it: a thread may outlive the window."""

    call_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        self.call_requested.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def _call(self, function: Callable[[], None]) -> None:
        function()


class ModelDownloadService(QObject):
    """Lists and downloads models in daemon threads, so that the program can end during a request.

    Only `get` opens a connection.

    Signals:
        known: the KnownModels, after `read`, an installation or `prefer`.
        stepped: the Step of the download.
        installed: the folder of a newly installed model.
        failed: the exception of a failed download, list or choice.
        ended: a download has succeeded, failed or been cancelled.
    """

    known = Signal(object)
    stepped = Signal(object)
    installed = Signal(Path)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, offered: Path, folder: Path, transport: Transport) -> None:
        """`offered` is the file with the list of models, `folder` the folder of the installed models."""
        super().__init__()
        self._offered, self._folder, self._transport = offered, folder, transport
        self._control: Control | None = None
        self._caller = _Caller()

    def read(self) -> None:
        """Emit `known` with the listed and the installed models, or `failed`. Opens no connection."""
        self._start(self._read, self.known.emit)

    def get(self, offer: OfferedModel) -> bool:
        """Start to download and install a model. Emits `stepped`, `ended`, then `installed` or `failed`.
        Returns False if another download is running."""
        if self._control is not None:
            return False
        control = self._control = Control()

        def report(step: Step) -> None:
            self._call(lambda: self.stepped.emit(step))

        def receive(folder: Path) -> None:
            self.installed.emit(folder)
            self.read()

        def get() -> Path:
            return get_model(offer, self._folder, self._transport, control, report)

        self._start(get, receive, self._end)
        return True

    def cancel(self) -> None:
        """Cancel the download, which then removes its files and emits `failed` with `Cancelled`."""
        if self._control is not None:
            self._control.cancel()

    def prefer(self, model: InstalledModel | None) -> None:
        """Use a model for new projects; None stands for the app's own model."""
        self._start(lambda: prefer_model(self._folder, model), lambda _: self.read())

    def _read(self) -> KnownModels:
        offers = read_list(self._offered)
        return KnownModels(offers, installed_models(self._folder), preferred_model(self._folder))

    def _end(self) -> None:
        self._control = None
        self.ended.emit()

    def _start(
        self, work: Callable[[], Any], receive: Callable[[Any], None], end: Callable[[], None] = lambda: None
    ) -> None:
        def run() -> None:
            result, error = outcome(work)
            self._call(lambda: finish(result, error))

        def finish(result: Any, error: Exception | None) -> None:
            end()
            if error is not None:
                self.failed.emit(error)
            else:
                receive(result)

        threading.Thread(target=run, name="models", daemon=True).start()

    def _call(self, function: Callable[[], None]) -> None:
        """From any thread, call a function in the window's thread, unless this object is deleted first."""
        self._caller.call_requested.emit(lambda: function() if isValid(self) else None)
