"""The state of the engine and the progress of drafts in the status line."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QObject
from PySide6.QtWidgets import QProgressBar

from anaphora.core.language_pair import LanguagePair, Pair
from anaphora.editor.appearance.theme import language_name, pair_name
from anaphora.editor.widgets.sentence import plain_label, plain_tip
from anaphora.features.drafting.drafting import DraftProgress
from anaphora.system.interface_language import duration
from anaphora_nmt.types import EngineInfo


class EngineStatus(QObject):
    def __init__(self) -> None:
        super().__init__()
        self._drafting = DraftProgress(0, 0)
        self._pair = Pair()
        self._info: EngineInfo | None = None
        self.engine = plain_label(self.tr("Loading the model…"))
        self.progress = plain_label()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(150)
        self.bar.setAccessibleName(self.tr("Drafting"))
        self.bar.hide()

    def show_engine(self, info: EngineInfo) -> None:
        self._info = info
        pair = LanguagePair(info.source_language, info.target_language)
        offline = self.tr("Offline model, {0}").format(pair_name(pair))
        unsupported = self.tr("{0}: not supported by the model").format(pair_name(self._pair.of_texts))
        self.engine.setText(unsupported if self._pair.is_reversed else offline)
        self.engine.setToolTip(plain_tip(f"{info.model} · {info.device}"))

    def show_pair(self, pair: Pair) -> None:
        self._pair = pair
        self.show_progress(self._drafting)
        if self._info is not None:
            self.show_engine(self._info)

    def show_no_engine(self, reason: str) -> None:
        self.engine.setText(self.tr("No model"))
        self.engine.setToolTip(plain_tip(reason))

    def show_restoring(self, done: int, total: int) -> None:
        if done >= total:
            self.show_progress(self._drafting)
            return
        self.progress.setText(self.tr("Rebuilding the memory: {0} of {1}").format(*_numbers(done, total)))
        self._show_bar(done, total, True)

    def show_progress(self, progress: DraftProgress) -> None:
        self._drafting = progress
        if not progress.total:
            self.progress.clear()
            self.bar.hide()
            return
        planned = progress.total - progress.left_out
        is_complete = progress.done >= planned
        parts = [self.tr("Drafting: {0} of {1}").format(*_numbers(progress.done, planned))]
        if is_complete:
            has_drafts = bool(planned) and not self._pair.is_reversed
            parts = [self.tr("All drafts are ready")] if has_drafts else []
        if progress.proposed:
            parts.append(self.tr("{0} tentative").format(*_numbers(progress.proposed)))
        source = language_name(self._pair.languages.source)
        if progress.left_out == 1:
            parts.append(self.tr("1 segment contains no {0}: translate it yourself").format(source))
        elif progress.left_out:
            text = self.tr("{0} segments contain no {1}: translate them yourself")
            parts.append(text.format(*_numbers(progress.left_out), source))
        if progress.paused and not is_complete:
            parts.append(self.tr("paused"))
        elif progress.active and is_complete:
            parts.append(self.tr("updating drafts"))
        elif progress.active and progress.seconds_left is not None:
            parts.append(self.tr("{0} left").format(duration(progress.seconds_left)))
        self.progress.setText(" · ".join(parts))
        is_running = progress.active or progress.paused
        self._show_bar(progress.done, planned, is_running and not is_complete)

    def clear(self) -> None:
        self.show_progress(DraftProgress(0, 0))

    def _show_bar(self, done: int, total: int, is_visible: bool) -> None:
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        self.bar.setVisible(is_visible)


def _numbers(*numbers: int) -> map[str]:
    return map(QLocale().toString, numbers)
