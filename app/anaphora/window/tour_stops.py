"""The stops of the guided tour, and its beginning on the sample where no document is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from anaphora.window.tour import Tour, TourStep

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


class TourController(QObject):
    """Starts the tour.

    Attributes:
        tour: the one under way, None while there is none.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._waiting = False
        self.tour: Tour | None = None
        window.table.segment_shown.connect(self._begin_when_shown)
        window.controller.closed.connect(self._end)
        window.controller.failed.connect(self._give_up)

    def start(self) -> None:
        """Begin, on the open document or on the sample."""
        if self.tour is not None:
            return
        if self._window.session is None:
            self._waiting = True
            self._window.open_sample()
        else:
            self._begin()

    def _begin_when_shown(self, segment_id: str) -> None:
        if self._waiting and segment_id:
            self._waiting = False
            # The table gives the editor the focus yet.
            QTimer.singleShot(0, self, self._begin)

    def _give_up(self, *_: object) -> None:
        self._waiting = False

    def _begin(self) -> None:
        if self._window.session is None or self.tour is not None:
            return
        self._window.docks.raise_panel("rail", focus=False)
        self.tour = Tour(self._steps(), self._window.services.theme, self._window)
        self.tour.left.connect(self._forget)

    def _end(self, *_: object) -> None:
        if self.tour is not None:
            self.tour.leave()

    def _forget(self) -> None:
        self.tour = None
        self._window.table.editor.setFocus()

    def _steps(self) -> tuple[TourStep, ...]:
        window, key = self._window, self._window.actions_by_name.key_text
        card, strip = window.table.card, window.strip
        sentence = self.tr("The source stands at the left, its draft at the right. Type to change it.")
        confirm = self.tr("{0} confirms and goes on. What you confirm is followed in the drafts after it.")
        rail = self.tr("Other drafts, matches, terms, and what the memory did. {0} takes the first one.")
        shown = self.tr("Show only what is left, has changed or needs a look; {0} filters by text.")
        changed = self.tr("When a confirmation changes other drafts, this strip says so; {0} goes to them.")
        export = self.tr("{0} says what is confirmed and what is not, and writes beside the original.")
        keys = self.tr("{0} lists them all. This tour is in the Help menu.")
        known = self.tr("What is known about this sentence")
        own_format = self.tr("Export in the document's own format")
        return (
            TourStep(lambda: card, self.tr("One sentence at a time"), sentence),
            TourStep(lambda: card.confirm, self.tr("Confirm what is right"), confirm.format(key("confirm"))),
            TourStep(lambda: window.docks.rail, known, rail.format(key("take_1"))),
            TourStep(lambda: strip, self.tr("How far you are"), shown.format(key("filter"))),
            TourStep(
                strip.chips.in_view,
                self.tr("Drafts that change"),
                changed.format(key("next_changed")),
            ),
            TourStep(lambda: window.toolbar, own_format, export.format(key("export"))),
            TourStep(window.menuBar, self.tr("Everything has a key"), keys.format(key("keys"))),
        )
