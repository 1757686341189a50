"""The window's settings, which a separate thread writes, and functions that read choices from settings."""

from __future__ import annotations

import logging
import threading
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from PySide6.QtCore import QSettings, QTimer, Signal

from anaphora.core.errors import ExportError
from anaphora.system.files import locked_file, write_atomically
from anaphora.system.locations import data_folder

Choice = TypeVar("Choice", bound=Enum)
log = logging.getLogger(__name__)
_REMOVED = object()


def window_settings() -> WindowSettings:
    return WindowSettings(data_folder() / "window.ini")


def stored_choice(settings: QSettings, key: str, default: Choice) -> Choice:
    """The stored choice, of the same enum as `default`; `default` if it is missing or unknown."""
    known = {choice.value: choice for choice in type(default)}
    return known.get(str(settings.value(key, "")), default)


def is_on(settings: QSettings, key: str, default: bool = True) -> bool:
    return bool(settings.value(key, default, type=bool))


class WindowSettings(QSettings):
    """Settings in a file. The window never waits while the file is written, because the disk may not respond.

    The file is read once. A change applies at once and is written soon; if writing fails, it is written with
    the next change. Changes by another window appear after this window's next write.

    Signals:
        unwritable: the settings cannot be written; not emitted again until a write has succeeded.
    """

    unwritable = Signal()

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), QSettings.Format.IniFormat)
        self._path, self._lock = path, threading.Lock()
        self._values = {key: super(WindowSettings, self).value(key) for key in self.allKeys()}
        self._changes: dict[str, Any] = {}
        self._thread: threading.Thread | None = None
        self._failure_is_reported = False
        # Changes during the same event are written together.
        self._write_timer = QTimer(self, singleShot=True, interval=0)
        self._write_timer.timeout.connect(self._start_writing)

    def value(self, key: str, default: Any = None, type: Any = None) -> Any:
        stored = self._values.get(key, default)
        if type is not bool:
            return stored
        return stored.lower() not in ("", "0", "false") if isinstance(stored, str) else bool(stored)

    def contains(self, key: str) -> bool:
        return key in self._values

    def setValue(self, key: str, value: Any) -> None:  # noqa: N802
        self._change(key, value)

    def remove(self, key: str) -> None:
        self._change(key, _REMOVED)

    def finish(self, seconds: float) -> bool:
        """Wait until all changes are written or a write has failed; False if time ran out."""
        self._start_writing()
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _change(self, key: str, value: Any) -> None:
        with self._lock:
            self._changes[key] = value
            self._values = _merged(self._values, {key: value})
        self._write_timer.start()

    def _start_writing(self) -> None:
        self._write_timer.stop()
        with self._lock:
            if self._thread is None and self._changes:
                self._thread = threading.Thread(target=self._write, name="anaphora-settings", daemon=True)
                self._thread.start()

    def _write(self) -> None:
        while True:
            with self._lock:
                changes, self._changes = self._changes, {}
                if not changes:
                    self._thread = None
                    return
            values, is_written = self._values, False
            try:
                values, is_written = _rewrite(self._path, changes), True
            except (OSError, ExportError) as error:
                log.warning("the settings cannot be written: %s", error)
            with self._lock:
                if not is_written:
                    self._changes = {**changes, **self._changes}
                    self._thread = None
                self._values = _merged(values, self._changes)
            self._report(is_written)
            if not is_written:
                return

    def _report(self, is_written: bool) -> None:
        is_reported, self._failure_is_reported = self._failure_is_reported, not is_written
        if not is_written and not is_reported:
            try:
                self.unwritable.emit()
            except RuntimeError:
                log.debug("the window is gone; its settings were not written")


def _rewrite(path: Path, changes: dict[str, Any]) -> dict[str, Any]:
    """Write changes to a settings file; returns all of its settings. Qt blocks all Python threads while it
    reads or writes a file, so it gets only a copy in the temporary folder, which responds quickly."""
    with locked_file(path), TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        if path.exists():
            copy.write_bytes(path.read_bytes())
        settings = QSettings(str(copy), QSettings.Format.IniFormat)
        for key, value in changes.items():
            if value is _REMOVED:
                settings.remove(key)
            else:
                settings.setValue(key, value)
        settings.sync()
        write_atomically(copy.read_bytes(), path)
        return {key: settings.value(key) for key in settings.allKeys()}


def _merged(values: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**values, **changes}.items() if value is not _REMOVED}
