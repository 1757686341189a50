"""The engine in the kill test: it must remember exactly the confirmed segments.

The memory is not in a file: it is built from the project on opening, so it must match the project after any
kill. Background drafts are turned off, because they are not user operations.
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
"""Time limit of the engine for an operation; the machine may be busy."""
_PROBE = "probe"


def load() -> Translator:
    """Load the embedded model on one thread; forked children inherit it."""
    from anaphora_nmt.api import Translator
    from anaphora_nmt.commands.translate import embedded_model

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
        """Follow a session; return a fault of the memory that was built from it, or ""."""
        self._opened = ""
        self._drafting.open(session)
        self._drafting.set_paused(True)
        return self.wait(session)

    def wait(self, session: DocumentSession, whole: bool = True) -> str:
        """Wait until the engine remembers exactly the confirmed segments; return a fault, or "".

        Args:
            whole: also compare the texts with those of a newly built memory.
        """
        wanted = {s.id: s.target for s in session.document if is_remembered(s)}
        remembered: dict[str, list[int]] = {}
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            QCoreApplication.processEvents()
            # Before the document is open, the engine's thread may be changing it.
            remembered = self._held(session.key) if self._opened == session.key else {}
            is_same = self._opened == session.key and remembered.keys() == wanted.keys()
            if is_same and (not whole or remembered == self._rebuilt(session, wanted)):
                return ""
            time.sleep(0.005)
        return f"the engine remembers {sorted(remembered)}, confirmed are {sorted(wanted)}"

    def _held(self, document: str) -> dict[str, list[int]]:
        """The engine's confirmed pieces by segment."""
        opened = self._translator._documents.get(document)
        if opened is None:
            return {}
        try:
            memory = opened.memory
            places = memory.confirmed_indexes
            found = [(memory.segments[place], memory.contribution(place)) for place in places]
        except (RuntimeError, KeyError):
            return {}  # the engine's thread is changing it
        return {segment: written.pieces.tolist() for segment, written in found if written is not None}

    def _rebuilt(self, session: DocumentSession, wanted: dict[str, str]) -> dict[str, list[int]]:
        segments = [SourceSegment(s.id, s.source) for s in session.document]
        self._translator.open_document(_PROBE, segments)
        self._translator.restore(_PROBE, [(segment, text, True) for segment, text in wanted.items()])
        remembered = self._held(_PROBE)
        self._translator.close_document(_PROBE)
        return remembered
