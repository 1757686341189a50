"""Going to what an undo or redo has changed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence

from anaphora.views.editor.segment_table import SegmentTable

RUN_MS = 120
"""An undo that comes sooner after the last one that was shown belongs to a run, as of a key held down."""
_INPUT = frozenset(
    (
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.InputMethod,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
    )
)
_MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta)


class Visits(QObject):
    """Shows each step of a run of undos or redos only now and then, and the last one.

    Showing a step takes several times as long as the step: its segment becomes current, the panels follow it,
    the table is painted. Whatever else somebody does finds the segment current that was changed last.
    """

    def __init__(
        self,
        table: SegmentTable,
        keys_of: Callable[[str], list[QKeySequence]],
        parent: QObject | None = None,
    ) -> None:
        """
        Args:
            keys_of: the keys of an action, by its name.
        """
        super().__init__(parent)
        self._table = table
        self._keys_of = keys_of
        self._awaited: tuple[str, int] | None = None
        self._shown = ""
        self._run = QTimer(self, singleShot=True, interval=RUN_MS)
        self._run.timeout.connect(self.catch_up)

    def visit(self, segment_id: str, place: int) -> None:
        """Show a change, see `Editing.visited`: at once, or soon in a run of them."""
        if not self._run.isActive() or self._table.editor.segment_id != self._shown:
            self.drop()  # somebody has gone elsewhere meanwhile
            self._show(segment_id, place)
            return
        if self._awaited is None:
            self._table.viewport().setUpdatesEnabled(False)
            if (application := QCoreApplication.instance()) is not None:
                application.installEventFilter(self)
        self._awaited = segment_id, place

    def catch_up(self) -> None:
        """Show the last change, unless it is shown, or somebody has gone elsewhere meanwhile."""
        awaited = self._awaited
        self.drop()
        if awaited is not None and self._table.editor.segment_id == self._shown:
            self._show(*awaited)

    def drop(self) -> None:
        """Show nothing any more: there is another document, or none."""
        if self._awaited is None:
            return
        self._awaited = None
        if (application := QCoreApplication.instance()) is not None:
            application.removeEventFilter(self)
        self._table.viewport().setUpdatesEnabled(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in _INPUT and not self._goes_on(event):
            self.catch_up()
        return False

    def _show(self, segment_id: str, place: int) -> None:
        self._run.start()
        self._table.go_to_change(segment_id, place)
        self._shown = self._table.editor.segment_id

    def _goes_on(self, event: QEvent) -> bool:
        """Whether a key belongs to the run: modifiers alone, and those of undo and redo."""
        if not isinstance(event, QKeyEvent):
            return False
        keys = QKeySequence(event.keyCombination())
        return event.key() in _MODIFIERS or any(keys in self._keys_of(name) for name in ("undo", "redo"))
