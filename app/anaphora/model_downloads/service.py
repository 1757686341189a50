"""Getting models in the window: lists, one download at a time, nothing on the window's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from shiboken6 import isValid

from anaphora.application.background import outcome
from anaphora.core.installed_model import ChosenModel, InstalledModel
from anaphora.model_downloads.catalogue import Offer
from anaphora.model_downloads.control import Control, Stage, Step
from anaphora.model_downloads.getting import Got, Install, ModelGetter
from anaphora.model_downloads.snapshot import KnownOffers, Lists
from anaphora.model_downloads.sources.source import Source
from anaphora.model_downloads.transport import Transport
from anaphora.models.files import installed_models, prefer_model, preferred_model


@dataclass(frozen=True, slots=True)
class Known:
    """What there is, as far as this computer knows.

    Attributes:
        preferred: what new projects use; None: the app's own model.
    """

    offered: KnownOffers
    sources: tuple[Source, ...]
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
    """Asks and downloads, in threads of its own: at the end of the program nobody waits for a silent server.

    Nothing connects before `refresh`, `complete` or `get` is called.

    Signals:
        known: a Known, after `read` and whenever it has changed.
        completed: an Offer, of which all is known now.
        stepped: a Step.
        got: a Got: the model is installed.
        failed: what went wrong, an exception.
        ended: a download is over, however it went.
        waiting: whether a source is being asked.
    """

    known = Signal(object)
    completed = Signal(object)
    stepped = Signal(object)
    got = Signal(object)
    failed = Signal(object)
    ended = Signal()
    waiting = Signal(bool)

    def __init__(
        self,
        lists: Lists,
        folder: Path,
        transport: Transport,
        install: Install | None = None,
        parent: QObject | None = None,
    ) -> None:
        """With the installed models in a folder.

        Args:
            install: instead of the engine's.
        """
        super().__init__(parent)
        self._lists, self._folder, self._transport = lists, folder, transport
        self._getter = ModelGetter(folder, transport, install or _install)
        self._control: Control | None = None
        self._caller = _Caller()

    @property
    def active(self) -> bool:
        """Whether a download goes on."""
        return self._control is not None

    def read(self) -> None:
        """Say what is known; nothing is asked for."""
        self._start(self._read, self.known.emit)

    def refresh(self) -> None:
        """Ask all sources what they offer; those that do not answer are named, the others count."""

        def work() -> Known:
            failed: Exception | None = None
            for source in self._lists.sources:
                try:
                    self._lists.refresh(source, self._transport.read_json)
                except Exception as error:  # said below, when the others have been asked
                    failed = error
            if (problem := failed) is not None:
                self._call(lambda: self.failed.emit(problem))
            return self._read()

        self._ask(work, self.known.emit)

    def complete(self, offer: Offer) -> None:
        """Ask for what is missing of an offer; `completed` follows."""

        def take(found: Offer) -> None:
            self.read()
            self.completed.emit(found)

        self._ask(lambda: self._lists.complete(offer, self._transport.read_json), take)

    def get(self, offer: Offer, source: str = "", target: str = "") -> bool:
        """Download and install a model; `got` or `failed`, and `ended` follow.

        Returns:
            whether it has begun: one at a time.
        """
        if self._control is not None:
            return False
        control = self._control = Control()
        self.stepped.emit(Step(Stage.ASKING, 0, offer.size or 0))

        def tell(step: Step) -> None:
            self._call(lambda: self.stepped.emit(step))

        def work() -> Got:
            return self._getter.get(offer, control, tell, source, target)

        def take(got: Got) -> None:
            self.got.emit(got)
            self.read()

        self._start(work, take, self._end)
        return True

    def forget(self, offer: Offer) -> None:
        """Remove what has come of a model."""
        self._start(lambda: self._getter.forget(offer), lambda _: self.read())

    def cancel(self) -> None:
        """Give the download up; nothing of it is left."""
        if self._control is not None:
            self._control.cancel()

    def prefer(self, model: InstalledModel | None) -> None:
        """Let new projects use a model (None: the app's own)."""
        self._start(lambda: prefer_model(self._folder, model), lambda _: self.read())

    def finish(self) -> None:
        """The program ends: a download is given up."""
        if self._control is not None:
            self._control.cancel()

    def _read(self) -> Known:
        return Known(
            self._lists.read(),
            self._lists.sources,
            installed_models(self._folder),
            preferred_model(self._folder),
        )

    def _ask(self, work: Callable[[], Any], take: Callable[[Any], None]) -> None:
        self.waiting.emit(True)
        self._start(work, take, lambda: self.waiting.emit(False))

    def _end(self) -> None:
        self._control = None
        self.ended.emit()

    def _start(
        self, work: Callable[[], Any], take: Callable[[Any], None], end: Callable[[], None] = lambda: None
    ) -> None:
        def run() -> None:
            result, error = outcome(work)
            self._call(lambda: self._take(take, end, result, error))

        threading.Thread(target=run, name="models", daemon=True).start()

    def _call(self, function: Callable[[], None]) -> None:
        """Call a function on the window's thread, unless the window is gone by then; from any thread."""

        def call() -> None:
            if isValid(self):
                function()

        self._caller.wanted.emit(call)

    def _take(
        self, take: Callable[[Any], None], end: Callable[[], None], result: Any, error: Exception | None
    ) -> None:
        end()
        if error is not None:
            self.failed.emit(error)
        else:
            take(result)


def _install(wanted: Any, progress: Callable[[int], None]) -> Any:
    from anaphora_nmt.api import install_model

    return install_model(wanted, progress)
