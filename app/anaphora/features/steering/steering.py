"""The user's rules for the memory; undo steps that change the memory, and jumps in the undo history."""

from __future__ import annotations

import itertools
import json
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand

from anaphora.core.drafts import may_be_redrafted
from anaphora.core.edits import Preview, Resegmentation
from anaphora.core.segment import Status
from anaphora.core.untrusted import read_json
from anaphora.engine.jobs import SteerJob
from anaphora.engine.worker import EngineWorker
from anaphora.features.drafting.drafting import DraftingService, renamed_segments
from anaphora.features.explain.inspector import preview
from anaphora.project.document.editing import Editing
from anaphora.project.document.following import OpenProject, ProjectSetting, SaveSetting, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora_nmt.errors import SteeringError
from anaphora_nmt.types import MemoryRule, Suggestion, WhatIf, rules_from_plain, rules_to_plain

log = logging.getLogger(__name__)


class MemoryStep(QUndoCommand):
    """An undo command made of two functions."""

    def __init__(self, text: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(text)
        self._do, self._undo = do, undo

    def redo(self) -> None:
        self._do()

    def undo(self) -> None:
        self._undo()


_MAX_TURN_SECONDS = 0.015
"""Maximum processor time of one turn, in seconds; a turn blocks the window's thread."""


class HistoryJump(QObject):
    """Undoes or redoes steps up to an undo stack index; emits `ended` there or if the user cancels a step."""

    ended = Signal()

    def __init__(self, editing: Editing, parent: QObject) -> None:
        super().__init__(parent)
        self._editing = editing
        self._goal = editing.stack.index()
        self._large_index: int | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._turn)

    @property
    def is_under_way(self) -> bool:
        return self._timer.isActive()

    def begin(self, goal: int) -> None:
        self._goal = goal
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _turn(self) -> None:
        stack, deadline = self._editing.stack, time.thread_time() + _MAX_TURN_SECONDS
        while not self._editing.large.is_under_way:
            index = stack.index()
            # A new step discards the undone steps, so the goal may now lie beyond the last step.
            if index in (min(self._goal, stack.count()), self._large_index):
                self._large_index = None
                self._timer.stop()
                self.ended.emit()
                return
            self._large_index = None
            if time.thread_time() >= deadline:
                return
            (self._editing.undo if index > self._goal else self._editing.redo)()
            if self._editing.large.is_under_way:
                self._large_index = index


RULES_SETTING = "memory/rules"
MAX_DRAFTS = 12
"""Maximum number of drafts that are redone or previewed for a rule; 12 drafts take about a second."""


def read_rules(stored: str) -> Rules | None:
    """The value of `RULES_SETTING` as rules; None if it cannot be read."""
    try:
        return rules_from_plain(read_json(stored)) if stored else ()
    except (ValueError, SteeringError) as problem:
        log.warning("the memory rules of a project cannot be read (%.500s)", problem)
        return None


RULES = ProjectSetting(RULES_SETTING, read_rules)


class SteeringService(SessionFollower):
    """The user's rules for the memory of a session.

    Signals:
        changed: the rules may have changed.
        previewed: (tuple with a Preview for each draft that would change, ticket of the request).
    """

    changed = Signal()
    previewed = Signal(object, int)

    project_settings = (RULES,)

    def __init__(self, worker: EngineWorker, drafting: DraftingService) -> None:
        super().__init__()
        self.rules: Rules = ()
        self._worker = worker
        self._drafting = drafting
        self._current_segment = ""
        self._tickets = itertools.count(1)

    def follow(self, project: OpenProject) -> None:
        self.open(project.session, project.settings.of(RULES), project.save_setting)

    def open(self, session: DocumentSession, stored: Rules | None, save: SaveSetting) -> None:
        """Follow a session, and use its stored rules. If they are None (unreadable), `failed` is emitted."""
        self.close()
        self._attach(session)
        self._save_setting = save
        self.rules = stored or ()
        if stored is None:
            self.failed.emit(
                self.tr("The memory rules of this project cannot be read and are not used. Set them again.")
            )
        if self.rules:
            self._worker.queue.put(SteerJob(session.key, self.rules))
        self.changed.emit()

    def close(self) -> None:
        super().close()
        self.rules = ()
        self._current_segment = ""

    def set_current(self, segment_id: str) -> None:
        self._current_segment = segment_id

    def use_rules(self, rules: Sequence[MemoryRule], about: str = "") -> None:
        """Replace the rules, and redo the affected drafts; for `about`, see `affected_drafts`."""
        if (session := self._session) is not None:
            affected = partial(self.affected_drafts, changed_rules(self.rules, rules), about)
            self._drafting.change_memory(self._store(session, tuple(rules)), affected)
            self.changed.emit()

    def preview_rules(self, rules: Sequence[MemoryRule], about: str = "") -> int:
        """Request a preview of other rules; later emits `previewed`. Returns the ticket of the request."""
        affected = self.affected_drafts(changed_rules(self.rules, rules), about)
        return self.preview_what_if(WhatIf(rules=tuple(rules)), affected)

    def preview_what_if(self, question: WhatIf, segments: Sequence[str]) -> int:
        """Request previews of the first `MAX_DRAFTS` segments with another memory; returns the ticket."""
        ticket = next(self._tickets)
        if (session := self._session) is not None:
            receive = partial(self._preview, ticket)
            self._worker.ask(preview(session.key, segments[:MAX_DRAFTS], question, receive))
        return ticket

    def affected_drafts(self, rules: Iterable[MemoryRule], about: str = "") -> tuple[str, ...]:
        """Ids of at most `MAX_DRAFTS` drafts after the rules' first segment, in document order.

        Drafts whose source contains `about` (the rules' source words) are preferred, then those near the
        current segment.
        """
        session = self._session
        rules = tuple(rules)
        if session is None or not rules:
            return ()
        document = session.document
        start = 1 + min(document.row(each.segment) if document.has(each.segment) else -1 for each in rules)
        current_row = document.row(self._current_segment) if document.has(self._current_segment) else 0
        rows = [row for row in range(start, len(document)) if may_be_redrafted(document.at(row))]

        def rank(row: int) -> tuple[bool, bool, int]:
            return about not in document.at(row).source, row < current_row, abs(row - current_row)

        return tuple(document.at(row).id for row in sorted(sorted(rows, key=rank)[:MAX_DRAFTS]))

    def _preview(self, ticket: int, suggestions: tuple[Suggestion, ...]) -> None:
        session = self._session
        if session is None:
            return
        drafts = ((session.document.find(each.segment), each.text) for each in suggestions)
        previews = [
            Preview(segment.id, segment.target, text, tags=segment.tags)
            for segment, text in drafts
            if segment is not None and segment.status is Status.DRAFT and segment.target != text
        ]
        self.previewed.emit(tuple(previews), ticket)

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        if self._session is not None and self.rules:
            removed_ids = {segment.id for segment in change.before}
            new_ids = renamed_segments(change)
            kept = (rule for rule in self.rules if rule.segment not in removed_ids or rule.segment in new_ids)
            rules = (replace(rule, segment=new_ids.get(rule.segment, rule.segment)) for rule in kept)
            self._worker.queue.put(self._store(self._session, tuple(rules)))
            self.changed.emit()

    def _store(self, session: DocumentSession, rules: Rules) -> SteerJob:
        self.rules = rules
        self._save_setting(RULES_SETTING, json.dumps(rules_to_plain(rules), ensure_ascii=False))
        return SteerJob(session.key, rules)


EFFECT_FACTOR = 4.0
"""“Increase the effect” multiplies the odds of a word by this factor; “Reduce the effect” divides by it."""
_MAX_WEIGHT = EFFECT_FACTOR**3
"""Maximum weight of a word; the minimum is its reciprocal."""

Rules = tuple[MemoryRule, ...]


def rule_for(rules: Iterable[MemoryRule], word: str, segment: str) -> MemoryRule:
    """The last rule for a remembered word of a segment; without one, a new rule that changes nothing."""
    matching = [rule for rule in rules if _key(rule) == (word, segment, False)]
    return matching[-1] if matching else MemoryRule(word, segment)


def with_rule(rules: Sequence[MemoryRule], rule: MemoryRule) -> Rules:
    """The rules, with `rule` in place of any for the same word and segment; a neutral rule is left out."""
    remaining = tuple(each for each in rules if _key(each) != _key(rule))
    return remaining if _is_neutral(rule) else (*remaining, rule)


def with_pin_toggled(rules: Sequence[MemoryRule], word: str, segment: str) -> Rules:
    """The rules after pinning or unpinning a word. A full memory does not drop pinned words."""
    known = rule_for(rules, word, segment)
    return with_rule(rules, replace(known, pinned=not known.pinned))


def with_factor(rules: Sequence[MemoryRule], word: str, segment: str, factor: float) -> Rules:
    """The rules after multiplying a word's weight by `factor`, within limits; weight 0 is treated as 1."""
    known = rule_for(rules, word, segment)
    weight = min(max((known.weight or 1.0) * factor, 1 / _MAX_WEIGHT), _MAX_WEIGHT)
    return with_rule(rules, replace(known, weight=weight))


def with_correction(rules: Sequence[MemoryRule], word: str, segment: str, instead: str) -> Rules:
    """The rules after replacing a remembered word of a segment with `instead`, with weight 1."""
    return with_rule(rules, replace(rule_for(rules, word, segment), instead=instead.strip(), weight=1.0))


def with_zero_weight(rules: Sequence[MemoryRule], word: str = "", segment: str = "") -> Rules:
    """The rules after forgetting a word of a segment; "" stands for all words or for all segments."""
    return with_rule(rules, replace(rule_for(rules, word, segment), weight=0.0))


def changed_rules(before: Iterable[MemoryRule], after: Iterable[MemoryRule]) -> Rules:
    """The rules that are only in `before` or only in `after`."""
    before, after = tuple(before), tuple(after)
    return tuple(rule for rule in (*before, *after) if (rule in before) != (rule in after))


def _key(rule: MemoryRule) -> tuple[str, str, bool]:
    return rule.word, rule.segment, rule.topic


def _is_neutral(rule: MemoryRule) -> bool:
    return rule.weight == 1.0 and not (rule.pinned or rule.instead or rule.topic)
