"""A note in the data folder about who has a project open, for the message of a second window.

The lock itself is sqlite's (`files.lock_and_check`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
from datetime import datetime
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.store.locations import data_folder


class LockNote:
    """The note about one project. A note that a crash left behind does no harm: it locks nothing."""

    def __init__(self, project: Path, folder: Path | None = None) -> None:
        key = hashlib.sha256(str(project.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:24]
        self._file = (folder or data_folder()) / "open" / f"{key}.json"

    def put(self) -> None:
        """Note that this process has the project open. A note that cannot be written is left out."""
        note = {
            "process": os.getpid(),
            "computer": platform.node(),
            "since": datetime.now().astimezone().isoformat(timespec="minutes"),
        }
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(note), "utf-8")

    def remove(self) -> None:
        """Take the note away."""
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)

    def describe(self) -> str:
        """A sentence about who has the project open; empty when nothing is known."""
        try:
            note = json.loads(self._file.read_text("utf-8"))
            since = datetime.fromisoformat(note["since"])
            process, computer = int(note["process"]), str(note["computer"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        when = since.strftime("%Y-%m-%d %H:%M")
        if process == os.getpid():
            return Message("It has been open in this window since {when}.", when=when)
        return Message(
            "It was opened on {when} by process {process} on “{computer}”.",
            when=when,
            process=process,
            computer=computer,
        )
