"""What the rail says of its own about the sentence: what changed in its draft, and its terms."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from anaphora.core.consistency import TermReport
from anaphora.core.segment import Segment
from anaphora.core.text import has_han
from anaphora.drafting.changed_drafts import ChangedDraft
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.breaking_label import BreakingLabel
from anaphora.views.widgets.compared import compared
from anaphora.views.widgets.panel import NumberOf

WORD_JOINER = "\u2060"
MOST = 8
"""More lines than this are not read."""


def rich_label() -> QLabel:
    """Wrapped rich text with links that the keyboard reaches."""
    label = BreakingLabel()
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setContentsMargins(14, 4, 14, 4)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        | Qt.TextInteractionFlag.TextSelectableByMouse
    )
    return label


def describe(label: QLabel, lines: Sequence[str]) -> None:
    """Have a screen reader say what a label shows, after its name.

    Args:
        lines: its rich text, line by line.
    """
    plain = (QTextDocumentFragment.fromHtml(line).toPlainText() for line in lines)
    label.setAccessibleDescription("\n".join(plain))


class Lines(QWidget):
    """A block of rich text whose links are ids of segments.

    Signals:
        segment_requested: id of a segment whose link was followed.
        changed: how many lines are shown.
    """

    segment_requested = Signal(str)
    changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.text = rich_label()
        self.text.linkActivated.connect(self.segment_requested)
        self.setFocusProxy(self.text)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.text)

    def set_title(self, title: str) -> None:
        """Say what a screen reader calls the block; the texts follow."""
        self.text.setAccessibleName(title)

    def show_lines(self, lines: list[str]) -> None:
        """Show lines of rich text."""
        describe(self.text, lines)
        self.text.setText("".join(f'<p style="margin:0 0 5px 0">{line}</p>' for line in lines))
        self.changed.emit(len(lines))

    def link(self, segment: str, text: str) -> str:
        """A link to a segment."""
        style = f"color:{self._theme.colours.accent};text-decoration:none"
        if has_han(text):
            # A line is not broken inside it: between Chinese characters it would be.
            text = WORD_JOINER.join(text)
        return f'<a style="{style}" href="{html.escape(segment)}">{html.escape(text)}</a>'

    def muted(self, text: str) -> str:
        """A text that steps back."""
        return f'<span style="color:{self._theme.colours.muted}">{html.escape(text)}</span>'


class ChangeLines(Lines):
    """What another draft changed in the sentence, and which confirmation brought it about."""

    def __init__(self, theme: Theme, number_of: NumberOf, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.set_title(self.tr("What changed in the draft"))
        self._number_of = number_of

    def show_change(self, segment: Segment | None, change: ChangedDraft | None) -> None:
        """Show a segment's change; nothing where there is none."""
        if segment is None or change is None:
            self.show_lines([])
            return
        lines = [compared(self._theme, change.before, segment.target, dict(segment.tags))]
        number = self._number_of(change.cause)
        if number:
            said = (
                self.tr("since {0} is no longer confirmed")
                if change.taken_back
                else self.tr("after you confirmed {0}")
            )
            cause = html.escape(said).format(self.link(change.cause, self.tr("segment {0}").format(number)))
            lines.append(f'<span style="color:{self._theme.colours.muted}">{cause}</span>')
        self.show_lines(lines)


class TermLines(Lines):
    """The sentence's terms that this document renders in more than one way, and which way is used here."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.set_title(self.tr("Terms of the current segment"))
        self._reports: tuple[TermReport, ...] = ()
        self._segment = ""
        theme.changed.connect(self._fill)

    def show_reports(self, reports: tuple[TermReport, ...]) -> None:
        """Take the terms of the document."""
        self._reports = reports
        self._fill()

    def show_segment(self, segment_id: str) -> None:
        """Look at another segment; empty for none."""
        self._segment = segment_id
        self._fill()

    def _fill(self) -> None:
        here = [
            report
            for report in self._reports
            if len(report.renderings) > 1
            and any(self._segment in rendering.segments for rendering in report.renderings)
        ]
        self.show_lines([self._line(report) for report in here[:MOST]])

    def _line(self, report: TermReport) -> str:
        parts = []
        for rendering in report.renderings[:4]:
            count = len(rendering.segments)
            text = html.escape(f"{rendering.text} ×{count}" if count > 1 else rendering.text)
            used = self._segment in rendering.segments
            parts.append(f"<b>{text}</b>" if used else self._other(text, rendering.segments[0]))
        return f"{html.escape(report.term)} → {', '.join(parts)}"

    def _other(self, text: str, segment: str) -> str:
        style = f"color:{self._theme.colours.muted};text-decoration:none"
        return f'<a style="{style}" href="{html.escape(segment)}">{text}</a>'
