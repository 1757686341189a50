"""The rail's section about a changed draft."""

from __future__ import annotations

import html

from anaphora.core.segment import Segment
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.compared import compared
from anaphora.editor.widgets.panel import NumberOf
from anaphora.editor.widgets.sentence import Lines
from anaphora.features.drafting.changed_drafts import ChangedDraft


class ChangeLines(Lines):
    """The changes in the current segment's draft, and the confirmation that caused them."""

    def __init__(self, theme: Theme, number_of: NumberOf) -> None:
        super().__init__(theme)
        self.set_title(self.tr("What changed in the draft"))
        self._number_of = number_of

    def show_change(self, segment: Segment | None, change: ChangedDraft | None) -> None:
        if segment is None or change is None:
            self.show_lines([])
            return
        lines = [compared(self._theme, change.before, segment.target, dict(segment.tags))]
        number = self._number_of(change.cause)
        if number:
            text = (
                self.tr("because {0} is no longer confirmed")
                if change.taken_back
                else self.tr("after you confirmed {0}")
            )
            cause = html.escape(text).format(self.link(change.cause, self.tr("segment {0}").format(number)))
            lines.append(f'<span style="color:{self._theme.colours.muted}">{cause}</span>')
        self.show_lines(lines)
