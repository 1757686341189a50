"""The panel of suggestions for the current segment, and the lines about its changed draft."""

from __future__ import annotations

import html
import time
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QListWidget, QListWidgetItem

from anaphora.core.differences import merged
from anaphora.core.matching import ADAPTED, EXACT, UNADAPTED, Match
from anaphora.core.segment import Segment
from anaphora.core.structure import MAX_LISTED, shortened, shortened_pair
from anaphora.core.tags import labels_of, readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.changes import compared, is_rewritten
from anaphora.editor.widgets.html_table import HTML_ROLE, HtmlDelegate
from anaphora.editor.widgets.rail import NumberOf, Panel, note
from anaphora.editor.widgets.sentence import Lines, plain_tip
from anaphora.features.drafting.changed_drafts import ChangedDraft
from anaphora.features.tm.memories import SHARED

MAX_SHOWN = 600
"""Maximum number of characters shown of a suggestion."""
INDENT = 3
"""Horizontal margin of the list in pixels."""


@dataclass(frozen=True, slots=True)
class OfferedText:
    """A suggested target.

    Attributes:
        match: the match of a translation memory from which the text comes; None for the model's texts.
        source: the segment's source, to compare with the match's source.
        target: the segment's target, to compare with the model's text.
        newer: True for a draft newer than the current one.
        cause: number (from 1) of the segment whose confirmation or unconfirmation caused a newer draft; 0
            if unknown.
        is_revoked: True if the segment `cause` was unconfirmed.
    """

    text: str
    match: Match | None = None
    source: str = ""
    target: str = ""
    newer: bool = False
    cause: int = 0
    is_revoked: bool = False


class SuggestionsPanel(Panel):
    """A list of targets: matches of the translation memories, then a newer draft and the model's texts.

    Signals:
        chosen: number of a suggestion, from 1; waiting_changed: True if more suggestions may follow.
    """

    chosen = Signal(int)
    shown = Signal()
    waiting_changed = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._offers: tuple[OfferedText, ...] = ()
        self._keys: tuple[str, ...] = ()
        self._about = note()
        self._about.setContentsMargins(14, 4, 14, 4)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Suggestions for the current segment"))
        self.list.setWordWrap(True)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSpacing(2)
        # Aligns the texts with the headings of the rail.
        self.list.setViewportMargins(INDENT, 0, INDENT, 0)
        self._delegate = HtmlDelegate(theme, self.list, self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.itemActivated.connect(self._choose)
        self.list.itemDoubleClicked.connect(self._choose)
        self.box.addWidget(self._about)
        self.box.addWidget(self.list)
        self.setFocusProxy(self.list)
        theme.changed.connect(self._fill)
        self.show_offers((), (), False)

    def show_segment(self, segment: Segment | None) -> None:
        """Set the labels of the current segment's tags."""
        self._delegate.labels = labels_of(segment) if segment is not None else {}

    def show_offers(self, offers: Sequence[OfferedText], keys: Sequence[str], waiting: bool) -> None:
        """Show suggestions, with keys for the first ones; `waiting` is True if more may follow."""
        self._about.setText(self.tr("Looking for suggestions…"))
        self._about.setVisible(waiting and not offers)
        if (tuple(offers), tuple(keys)) != (self._offers, self._keys):
            self._offers, self._keys = tuple(offers), tuple(keys)
            self._fill()
        self.waiting_changed.emit(waiting)

    @property
    def percent(self) -> int:
        """Percentage of the best match of a translation memory; 0 without matches."""
        return max((offer.match.percent for offer in self._offers if offer.match), default=0)

    @property
    def count(self) -> int:
        return len(self._offers)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.list.scheduleDelayedItemsLayout()
        self._fit()

    def _fit(self) -> None:
        """Make the list as high as its items, so that the rail scrolls instead of the list."""
        count = self.list.count()
        self.list.setVisible(count > 0)
        self.box.activate()  # updates the width of a list that was hidden
        heights = (self.list.sizeHintForRow(row) + 2 * self.list.spacing() for row in range(count))
        self.list.setFixedHeight(sum(heights) + 4)

    def _fill(self) -> None:
        # Reuse the items to keep the selection while the user types.
        while self.list.count() > len(self._offers):
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < len(self._offers):
            self.list.addItem(QListWidgetItem())
        for number, offer in enumerate(self._offers, 1):
            key = self._keys[number - 1] if number <= len(self._keys) else ""
            text = readable_tags(shortened(offer.text), self._delegate.labels)
            item = self.list.item(number - 1)
            item.setText(f"{key}\n{text}" if key else text)
            item.setData(HTML_ROLE, self._rich_text(offer, key))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, self._accessible(number, offer, text))
            item.setToolTip(self._tip(offer.match) if offer.match is not None else "")
        self._fit()

    def _accessible(self, number: int, offer: OfferedText, text: str) -> str:
        if offer.match is None:
            described = f"{self._draft_kind(offer)}: {text}" if offer.newer else text
            return self.tr("Suggestion {0}: {1}").format(number, described)
        return self.tr("Suggestion {0}, {1}% match: {2}").format(number, offer.match.percent, text)

    def _rich_text(self, offer: OfferedText, key: str) -> str:
        colours = self._theme.colours
        muted = f'<span style="color:{colours.muted}">'
        if offer.match is None:
            head = f"{muted}{html.escape(key)} · {html.escape(self._draft_kind(offer))}</span>"
            return f"{head}<br>{self._marked(offer)}"
        match = offer.match
        colour = colours.confirmed if match.percent >= ADAPTED else colours.edited
        origin = html.escape(self._origin(match))
        head = f'{muted}{html.escape(key)}</span>&nbsp; <b style="color:{colour}">{match.percent}%</b>'
        head += f"&nbsp; {muted}{origin}</span>"
        source = "" if match.percent >= EXACT else f"{muted}{self._compared(match, offer.source)}</span><br>"
        return f"{head}<br>{source}{html.escape(shortened(offer.text, MAX_SHOWN))}"

    def _draft_kind(self, offer: OfferedText) -> str:
        if not offer.newer:
            return self.tr("machine draft")
        if not offer.cause:
            return self.tr("newer draft")
        if offer.is_revoked:
            return self.tr("newer draft, because segment {0} is no longer confirmed").format(offer.cause)
        return self.tr("newer draft, because you confirmed segment {0}").format(offer.cause)

    def _compared(self, match: Match, source: str) -> str:
        """The match's source as rich text, with differences marked unless the text is long or rewritten."""
        known = match.unit.source
        if len(known) > MAX_LISTED or is_rewritten(known, source, merged(known, source)):
            return html.escape(shortened(known))
        return compared(self._theme, known, source, self._delegate.labels)

    def _marked(self, offer: OfferedText) -> str:
        """The model's text as rich text, with differences from the target marked.

        Words that the text replaces are not shown. Differences are not marked if most of the text differs.
        """
        if not offer.target:
            return html.escape(shortened(offer.text, MAX_SHOWN))
        target, text = shortened_pair(offer.target, offer.text, MAX_SHOWN)
        return compared(self._theme, target, text, self._delegate.labels, is_brief=True)

    def _origin(self, match: Match) -> str:
        unit = match.unit
        shared, own = self.tr("shared translation memory"), self.tr("project's translation memory")
        place = shared if match.memory == SHARED else own
        return " · ".join(part for part in (unit.origin, place) if part)

    def _tip(self, match: Match) -> str:
        unit = match.unit
        date = time.strftime("%Y-%m-%d", time.localtime(unit.changed)) if unit.changed else ""
        author = " · ".join(part for part in (unit.author, date) if part)
        kind = self.tr("Struck-through text is only in the match. Highlighted text is only in this segment.")
        if match.percent > EXACT:
            kind = self.tr("Same text and same neighbouring segments.")
        elif match.percent == EXACT:
            kind = self.tr("Same text.")
        elif match.percent == ADAPTED:
            kind = self.tr("Only tags, numbers, case or character width differ. The translation was adapted.")
        elif match.percent == UNADAPTED:
            kind = self.tr("The translation was not adapted. Check tags, numbers, case and character width.")
        return plain_tip("\n".join(part for part in (kind, author) if part))

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(self.list.row(item) + 1)


class ChangeLines(Lines):
    """The changes in the current segment's draft, and the segment that caused them, if it is known."""

    def __init__(self, theme: Theme, number_of: NumberOf) -> None:
        super().__init__(theme)
        self.set_title(self.tr("Changes in the draft"))
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
                if change.is_revoked
                else self.tr("after you confirmed {0}")
            )
            cause = html.escape(text).format(self.link(change.cause, self.tr("segment {0}").format(number)))
            lines.append(f'<span style="color:{self._theme.colours.muted}">{cause}</span>')
        self.show_lines(lines)
