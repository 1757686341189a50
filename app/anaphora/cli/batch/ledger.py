"""The progress of a run, stored in the output folder so that a later run can continue.

In a local folder, the file `FILE_NAME` has a line for each finished document. In a storage, where text
cannot be appended to files, the folder `FOLDER_NAME` has a file for each finished document.
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

FILE_NAME = ".anaphora-run.jsonl"
FOLDER_NAME = ".anaphora-run"
_START_FILE = "begun"


class Ledger:
    """A record for each finished document: digests of its content and of the settings, and the outcome."""

    def __init__(self, folder: Place, settings_digest: str) -> None:
        """`settings_digest` is `Settings.digest`."""
        self._path: Place = folder / (FILE_NAME if isinstance(folder, Path) else FOLDER_NAME)
        self._settings_digest = settings_digest

    @property
    def exists(self) -> bool:
        return self._path.exists()

    def outcomes(self) -> dict[tuple[str, str], Outcome]:
        """The outcomes of documents that were finished with the same settings, by name and digest.

        Damaged lines are skipped. Raises ExportError or StorageError if the records cannot be read.
        """
        if isinstance(self._path, Stored):
            return dict(self._read(self._path.texts()))
        try:
            lines = self._path.read_text("utf-8", "replace").splitlines() if self.exists else []
        except OSError as error:
            raise ExportError(
                Message(
                    "The file with the run's progress, “{name}”, cannot be read: {reason}.",
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
                if entry["settings"] == self._settings_digest:
                    yield (entry["outcome"]["name"], entry["digest"]), Outcome.from_plain(entry["outcome"])
            except (ValueError, KeyError, TypeError):
                continue

    def begin(self) -> None:
        """Mark the folder as written by a run; raises ExportError or StorageError on failure."""
        self._append(_START_FILE, "\n")  # ends a line that an interrupted run left incomplete

    def add(self, job: Job, outcome: Outcome) -> None:
        """Store the outcome of a finished document; raises ExportError or StorageError on failure."""
        entry = {"settings": self._settings_digest, "digest": job.digest, "outcome": asdict(outcome)}
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
