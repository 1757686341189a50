"""Writing translations off the window's thread; what takes long tells how far it is and can be given up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from anaphora.application.background import BackgroundTasks
from anaphora.core.long_work import CancelledError, LongWork, Step
from anaphora.core.project import DocumentInfo
from anaphora.formats.registry import is_converted


class Exports(QObject):
    """What is being written.

    Signals:
        lasting: the name of what is being written, where that takes long; "" once it is over.
        progressed: per mille of it.
    """

    lasting = Signal(str)
    progressed = Signal(int)

    def __init__(self, tasks: BackgroundTasks, refuse: Callable[[Exception], None], parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._refuse = refuse
        self._work: LongWork | None = None

    def write(
        self,
        write: Callable[[Step], Any],
        documents: Sequence[DocumentInfo],
        written: Callable[[Any], None],
    ) -> None:
        """Write translations of documents: only those that are converted take long.

        Args:
            written: gets what `write` returned.
        """
        work = LongWork(self.progressed.emit)
        is_long = any(is_converted(document.name) for document in documents)
        if is_long:
            self._work = work
            self.lasting.emit(documents[0].name)

        def end() -> None:
            if self._work is work:
                self._work = None
                self.lasting.emit("")

        def take(result: Any) -> None:
            end()
            written(result)

        def refuse(error: Exception) -> None:
            end()
            if not isinstance(error, CancelledError):
                self._refuse(error)

        self._tasks.start(lambda: write(work.step), take, refuse, must_finish=True)

    def cancel(self) -> None:
        """Give up what takes long: files that are not whole are not written."""
        if self._work is not None:
            self._work.cancel()
