"""The engine beside a project that is killed: it remembers what is confirmed, and forgets what no longer is.

Its memory is in no file. It is built from the project when that is opened, so after any kill, it
must equal the project. Background drafts are left out: they are not operations of a person.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from anaphora.engine.worker import EngineWorker
from anaphora.features.drafting.drafting import DraftingService
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.units.confirmed import is_remembered
from anaphora_nmt.types import SourceSegment

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

SECONDS = 120
"""Until the engine has to have done what it was asked; the machine may be busy."""
_PROBE = "probe"


def load() -> Translator:
    """The model that comes with the app, on one thread: a forked child inherits it."""
    from anaphora_nmt.api import Translator
    from anaphora_nmt.commands.shared.embedded_model import embedded_model

    return Translator.load(embedded_model(), "cpu", threads=1)


class EngineBeside:
    """The engine's worker and the service that sends it edits, as in the window."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._worker = EngineWorker(lambda: translator)
        self._drafting = DraftingService(self._worker, lookahead=0)
        self._opened = ""
        self._worker.opened.connect(self._note)
        self._worker.start()

    def _note(self, document: str) -> None:
        self._opened = document

    def follow(self, session: DocumentSession) -> str:
        """Follow a session; returns the fault of the memory built from it, or ""."""
        self._opened = ""
        self._drafting.open(session)
        self._drafting.cancel()
        return self.wait(session)

    def wait(self, session: DocumentSession, whole: bool = True) -> str:
        """Wait until the engine remembers what is confirmed and nothing else; returns what is wrong, or "".

        Args:
            whole: compare the texts, too, with those of a memory that is made again.
        """
        wanted = {s.id: s.target for s in session.document if is_remembered(s)}
        held: dict[str, list[int]] = {}
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            QCoreApplication.processEvents()
            # Until it is open, the engine works in its own thread.
            held = self._held(session.key) if self._opened == session.key else {}
            is_same = self._opened == session.key and held.keys() == wanted.keys()
            if is_same and (not whole or held == self._made_anew(session, wanted)):
                return ""
            time.sleep(0.005)
        return f"the engine remembers {sorted(held)}, confirmed are {sorted(wanted)}"

    def _held(self, document: str) -> dict[str, list[int]]:
        """The engine's confirmed pieces by segment."""
        opened = self._translator._documents.get(document)
        if opened is None:
            return {}
        try:
            memory = opened.memory
            places = memory.confirmed_places
            found = [(memory.segments[place], memory.contribution(place)) for place in places]
        except (RuntimeError, KeyError):
            return {}  # its thread changed it meanwhile
        return {segment: written.pieces.tolist() for segment, written in found if written is not None}

    def _made_anew(self, session: DocumentSession, wanted: dict[str, str]) -> dict[str, list[int]]:
        segments = [SourceSegment(s.id, s.source) for s in session.document]
        self._translator.open_document(_PROBE, segments)
        self._translator.restore(_PROBE, [(segment, text, True) for segment, text in wanted.items()])
        held = self._held(_PROBE)
        self._translator.close_document(_PROBE)
        return held
