"""Between the engine and the panel of suggestions: asks for them, and puts one into the target."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.segment import Status
from anaphora.core.text import needs_translation
from anaphora.services.engine_worker import EngineWorker
from anaphora.views.actions.keymap import Keymap
from anaphora.views.controllers.documents import DocumentController
from anaphora.views.panels.suggestions import SuggestionsPanel
from anaphora_nmt.types import Suggestion

TAKE_ACTIONS = tuple(f"take_{number}" for number in range(1, 10))


class Suggester(QObject):
    """Asks only while somebody looks at the panel or presses a key: a search costs as much as a draft.

    Attributes:
        texts: the suggestions for the current segment, the best first.

    Signals:
        announced: a short message for the status bar.
        wanted: the panel should come to the front.
    """

    announced = Signal(str)
    wanted = Signal()

    def __init__(
        self,
        worker: EngineWorker,
        controller: DocumentController,
        panel: SuggestionsPanel,
        keymap: Keymap,
        pause_ms: int = 300,
    ) -> None:
        super().__init__(panel)
        self.texts: tuple[str, ...] = ()
        self._worker = worker
        self._controller = controller
        self._panel = panel
        self._keymap = keymap
        self._segment = ""
        self._ticket = 0
        self._waiting = False
        self._available = True
        self._timer = QTimer(self, singleShot=True, interval=pause_ms)
        self._timer.timeout.connect(self._ask)
        worker.suggested.connect(self._take_answer)
        worker.load_failed.connect(self._give_up)
        worker.failed.connect(lambda _: self._show(self.texts, False))
        panel.shown.connect(self._ask_if_unknown)
        panel.chosen.connect(self.take)
        keymap.changed.connect(lambda: self._show(self.texts, self._waiting))

    def show_segment(self, segment_id: str) -> None:
        """Look at another segment; empty for none."""
        self._segment = segment_id
        self.forget()

    def forget(self) -> None:
        """Drop the suggestions, for instance because the memory has learned."""
        self._ticket += 1
        self._show((), False)
        if self._is_seen():
            self._ask_if_unknown()

    def take(self, number: int) -> None:
        """Replace the target by a suggestion; without suggestions, ask for them and show them."""
        editing = self._controller.editing
        if editing is None or not self._segment:
            return
        if not self._available:
            self.announced.emit(self.tr("There is no translation model to make suggestions."))
        elif editing.session.document.get(self._segment).status is Status.LOCKED:
            self.announced.emit(self.tr("This segment is locked."))
        elif not self.texts:
            self.wanted.emit()
            self._ask_if_unknown()
        elif number > len(self.texts):
            self.announced.emit(self.tr("There are only {0} suggestions.").format(len(self.texts)))
        else:
            text = self.texts[number - 1]
            editing.replace_texts({self._segment: text}, self.tr("taking a suggestion"))

    def _is_seen(self) -> bool:
        """Whether the panel is in front: Qt calls one visible that lies behind other tabs, too."""
        return self._panel.isVisible() and not self._panel.visibleRegion().isEmpty()

    def _ask_if_unknown(self) -> None:
        if self._segment and self._available and not self.texts and not self._waiting:
            self._show((), True)
            self._timer.start()

    def _ask(self) -> None:
        session = self._controller.session
        if session is None or not self._segment or not self._is_seen():
            # The panel was in front for a moment only, while the docks were arranged.
            self._show((), False)
            return
        segment = session.document.get(self._segment)
        if not needs_translation(segment.source):
            self._show((), False)
            return
        confirmed = segment.status in (Status.CONFIRMED, Status.LOCKED)
        self._worker.suggest(session.key, segment.id, segment.target, confirmed, self._ticket)

    def _take_answer(self, suggestion: Suggestion, ticket: int) -> None:
        if ticket == self._ticket:
            texts = dict.fromkeys((suggestion.text, *suggestion.alternatives))
            self._show(tuple(text for text in texts if text.strip())[: len(TAKE_ACTIONS)], False)

    def _give_up(self) -> None:
        self._available = False
        self._show((), False)

    def _show(self, texts: tuple[str, ...], waiting: bool) -> None:
        self.texts = texts
        self._waiting = waiting
        if not waiting:
            self._timer.stop()
        self._panel.show_texts(texts, [self._keymap.shown(name) for name in TAKE_ACTIONS], waiting)
