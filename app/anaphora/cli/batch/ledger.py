"""The progress of a run, stored in the output folder so that a later run can continue.

In a local folder, a file has a line for each document. Storages cannot append to files, so a folder in a
storage has a file for each document.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from anaphora.cli.batch.plan import Job
from anaphora.cli.outcome import Outcome
from anaphora.cli.storage import Place, Stored
from anaphora.core.errors import ExportError, Message
from anaphora.system.files import write_error

NAME = ".anaphora-run.jsonl"
FOLDER = ".anaphora-run"
_START_FILE = "begun"


class Ledger:
    """A record for each finished document: the digest of its content, the settings, the outcome."""

    def __init__(self, folder: Place, settings: str) -> None:
        """`settings` is a digest of all settings that influence translations."""
        self._path: Place = folder / (NAME if isinstance(folder, Path) else FOLDER)
        self._settings = settings

    @property
    def exists(self) -> bool:
        return self._path.exists()

    def done(self) -> dict[tuple[str, str], Outcome]:
        """The outcomes of documents that were finished with the same settings, by name and digest. Broken
        lines are skipped."""
        if isinstance(self._path, Stored):
            return dict(self._read(self._path.texts()))
        try:
            lines = self._path.read_text("utf-8", "replace").splitlines() if self.exists else []
        except OSError as error:
            raise ExportError(
                Message(
                    "The progress file “{name}” cannot be read: {reason}.",
                    name=self._path,
                    reason=error,
                ),
                "Choose another folder for the translations.",
            ) from error
        return dict(self._read(lines))

    def _read(self, lines: list[str]) -> Iterator[tuple[tuple[str, str], Outcome]]:
        for line in lines:
            try:
                entry = json.loads(line)
                if entry["settings"] == self._settings:
                    yield (entry["outcome"]["name"], entry["digest"]), Outcome.from_plain(entry["outcome"])
            except (ValueError, KeyError, TypeError):
                continue

    def begin(self) -> None:
        """Mark the folder as written by a run; raises ExportError or StorageError on failure."""
        self._append(_START_FILE, "\n")  # ends a line that an interrupted run left incomplete

    def add(self, job: Job, outcome: Outcome) -> None:
        """Record a finished document; raises ExportError or StorageError on failure."""
        entry = {"settings": self._settings, "digest": job.digest, "outcome": asdict(outcome)}
        name = hashlib.sha256(job.name.encode("utf-8", "backslashreplace")).hexdigest() + ".json"
        self._append(name, json.dumps(entry) + "\n")

    def _append(self, name: str, line: str) -> None:
        if isinstance(self._path, Stored):
            (self._path / name).write(line)
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            raise write_error(self._path, error) from error
