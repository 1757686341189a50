"""Fixes of the faults that remarks report: one fault at a time, or many in the background."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable
from itertools import islice

from PySide6.QtCore import QObject, Signal

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, Status
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.quality import check_target
from anaphora.features.checks.quality_document import OTHER_TARGET
from anaphora.features.checks.registry import CHECK_BY_MESSAGE
from anaphora.features.checks.segment.check import MAX_FINDINGS, Remark, RemarkKind
from anaphora.features.terms.usage import substitute
from anaphora.system.background import BackgroundTasks

log = logging.getLogger(__name__)


def fix_remark(source: str, target: str, remark: Remark, pair: LanguagePair = CHINESE_TO_ENGLISH) -> str:
    """The target without the fault that a remark reports; "" if there is no safe fix.

    A fix is safe if `check_target` then finds neither this remark nor a new one.
    """
    check = CHECK_BY_MESSAGE.get(remark.template)
    if not target.strip() or check is None:
        return ""
    if check.kind is RemarkKind.TERMS:
        new = substitute(target, tuple(zip(remark.values[2::2], remark.values[3::2], strict=True)))
    elif check.fix is not None:
        new = check.fix(source, target, remark.values[-1] if remark.values else "")
    else:
        return ""
    if new == target or not new.strip():
        return ""
    before, after = ({each.key for each in check_target(source, text, pair=pair)} for text in (target, new))
    is_better = after < before if remark.key in before else after <= before
    return new if is_better and remark.key not in after else ""


def fix_remarks(
    source: str, target: str, remarks: Iterable[Remark], pair: LanguagePair = CHINESE_TO_ENGLISH
) -> str:
    """The target with all safe fixes; "" if no fix is safe.

    Remarks of `OTHER_TARGET` are not fixed, because the fixes of two segments might merely exchange
    their translations. Only the first `MAX_FINDINGS` remarks are tried, because each fix needs two checks.
    """
    text = target
    for remark in islice(dict.fromkeys(remarks), MAX_FINDINGS):
        if remark.template != OTHER_TARGET.message:
            text = fix_remark(source, text, remark, pair) or text
    return text if text != target else ""


class QuickFixes(QObject):
    """Computes fixed targets; `fixed` carries {segment id: (checked target, fixed text)}, {} on failure."""

    fixed = Signal(object)

    def __init__(self, checking: CheckingService, tasks: BackgroundTasks) -> None:
        super().__init__()
        self._checking = checking
        self._tasks = tasks

    def preview(self, segment_id: str, key: str) -> tuple[str, str]:
        """A segment's target and its fixed text; two empty strings if it is locked or has no safe fix."""
        segment, remarks = self._checking.remarks_of(segment_id)
        if segment is None or segment.status is Status.LOCKED:
            return "", ""
        remark = next((each for each in remarks if each.key == key), None)
        if remark is None:
            return "", ""
        text = fix_remark(segment.source, segment.target, remark, self._checking.pair)
        return (segment.target, text) if text else ("", "")

    def fix_all(self, requested: Iterable[tuple[str, str]]) -> None:
        """Fix remarks (segment id, key), except in confirmed or locked segments; emits `fixed` later."""
        found, pair = self._fixable_segments(requested), self._checking.pair

        def work() -> dict[str, tuple[str, str]]:
            texts = ((each, fix_remarks(each.source, each.target, remarks, pair)) for each, remarks in found)
            return {each.id: (each.target, text) for each, text in texts if text}

        def fail(error: Exception) -> None:
            log.error("remarks could not be fixed", exc_info=error)
            self.fixed.emit({})

        self._tasks.start(work, self.fixed.emit, fail)

    def _fixable_segments(self, requested: Iterable[tuple[str, str]]) -> list[tuple[Segment, list[Remark]]]:
        keys: dict[str, set[str]] = defaultdict(set)
        for segment_id, key in requested:
            keys[segment_id].add(key)
        found = []
        for segment_id in keys:
            segment, remarks = self._checking.remarks_of(segment_id)
            if segment is not None and segment.status not in (Status.CONFIRMED, Status.LOCKED):
                found.append((segment, [each for each in remarks if each.key in keys[segment_id]]))
        return found
