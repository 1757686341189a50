"""Invented words that were looked up once: texts are compared again and again."""

from __future__ import annotations

import logging
import time

from anaphora.checks.quality_document import Inventions
from anaphora.core.segment import Segment
from anaphora.spelling.service import SpellingService
from anaphora.spelling.speller import SpellingError

log = logging.getLogger(__name__)

_BREATH = 0.0003
"""Seconds between two texts whose words are looked up, in which the window's thread has the interpreter."""


class KnownInventions:
    """Remembers which words of a text are invented, until other words are right."""

    def __init__(self, spelling: SpellingService | None) -> None:
        self._spelling = spelling
        self._told: dict[tuple[str, str], tuple[str, ...]] = {}

    def forget(self) -> None:
        self._told = {}

    def teller(self) -> Inventions | None:
        """What tells a segment's invented words, for any thread; None where nothing can."""
        tell, told = self._spelling.inventions() if self._spelling is not None else None, self._told
        if tell is None:
            return None

        def remembered(segment: Segment) -> tuple[str, ...]:
            texts = segment.source, segment.target
            if texts not in told:
                told[texts] = tell(segment)
                time.sleep(_BREATH)
            return told[texts]

        def unless_it_fails(segment: Segment) -> tuple[str, ...]:
            # The spelling of the segment at hand fails, too, and tells the user.
            try:
                return () if failed else remembered(segment)
            except SpellingError as problem:
                failed.append(problem)
                log.error("invented words are not looked for", exc_info=problem)
                return ()

        failed: list[SpellingError] = []
        return unless_it_fails
