"""The continuous cache as it stands before the current segment."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from anaphora.core.remembered import RememberedWord, remembered_words
from anaphora.core.segment import Status
from anaphora.views.appearance.icons import pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.panels.memory_view import MemoryViewPanel
from anaphora.views.widgets.bars import BAR_ROLE, LABEL_ROLE
from anaphora.views.widgets.panel import NumberOf, effect_colour, effect_text, effect_tip, note, tree
from anaphora.views.widgets.plain_text import plain_tip
from anaphora_nmt.types import SlotView

WORD, SEGMENT, LAST_USE, STRENGTH, EFFECT = range(5)
OLDER = -1
"""In place of a slot's last use: what is remembered beyond the slots."""
SLOT_ROLE = Qt.ItemDataRole.UserRole + 1


class MemoryPanel(MemoryViewPanel):
    """Slots: word, segment that wrote it, last use, and strength for the selected output word.

    Signals:
        segment_requested: id of the segment whose slot was activated.
    """

    segment_requested = Signal(str)

    def __init__(self, theme: Theme, number_of: NumberOf, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._number_of = number_of
        self._about = note()
        self._slots = tree(
            theme,
            [self.tr("Word"), self.tr("From"), self.tr("Used"), self.tr("Match"), self.tr("Effect")],
            WORD,
            {SEGMENT: 48, LAST_USE: 54, STRENGTH: 78, EFFECT: 58},
            self.tr("Memory slots"),
        )
        self.setMinimumWidth(300)
        self._slots.itemClicked.connect(self._request)
        self._slots.itemActivated.connect(self._request)
        self.box.addWidget(self._about)
        self.box.addWidget(self._slots)
        self._fill()

    @property
    def slots(self) -> tuple[SlotView, ...]:
        """The slots that are shown, in document order of their use."""
        return self._view.slots if self._view else ()

    def _uses(self) -> dict[tuple[str, str], RememberedWord]:
        """By word and segment what the selected word took from it, the stronger way of reading."""
        if self._explanation is None or self._word < 0:
            return {}
        found = remembered_words(self._explanation.tokens[self._word], self._explanation.view)
        return {one.place: one for one in sorted(found, key=lambda one: one.share)}

    def _fill(self) -> None:
        self._slots.clear()
        slots, uses = self.slots, self._uses()
        self._about.setText(self._say(slots, uses))
        strongest = max((use.share for use in uses.values()), default=0.0) or 1.0
        rows = [(slot, uses.get((slot.word, slot.segment))) for slot in slots]
        kept = {(slot.word, slot.segment) for slot in slots}
        # Confirmed text is remembered for longer than the slots hold it.
        rows += [
            (SlotView(use.word, use.segment, OLDER, use.confirmed), use)
            for place, use in uses.items()
            if place not in kept
        ]
        rows.sort(key=lambda row: -row[1].share if row[1] else 0.0)
        items = [self._item(slot, use, strongest) for slot, use in rows]
        self._slots.addTopLevelItems(items)

    def _say(self, slots: tuple[SlotView, ...], uses: Mapping[tuple[str, str], RememberedWord]) -> str:
        if not self._has_engine:
            return self.tr("Without a translation model nothing is remembered.")
        if self._view is None:
            return self.tr("Working it out…")
        if not slots:
            return self.tr("Nothing is remembered before this segment yet.")
        if uses and self._explanation is not None:
            token = self._explanation.tokens[self._word]
            return self.tr(
                "How well each word matched “{0}”, and what it did for its log-probability."
            ).format(token.word)
        return self.tr("{0} words remembered before this segment. Select an output word.").format(len(slots))

    def _item(self, slot: SlotView, use: RememberedWord | None, strongest: float) -> QTreeWidgetItem:
        number = self._number_of(slot.segment)
        ago = self.tr("now") if slot.last_use == 0 else self.tr("{0} ago").format(slot.last_use)
        ago = "" if slot.last_use == OLDER else ago
        item = QTreeWidgetItem([slot.word, f"{number}" if number else "", ago, "", ""])
        item.setData(WORD, SLOT_ROLE, slot.segment)
        item.setTextAlignment(EFFECT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setForeground(SEGMENT, QColor(self._theme.colours.muted))
        item.setForeground(LAST_USE, QColor(self._theme.colours.muted))
        tip = self.tr("“{0}” was written by segment {1}. Click to go there.").format(slot.word, number)
        if slot.confirmed:
            colour = self._theme.colours.status(Status.CONFIRMED).name()
            item.setIcon(WORD, QIcon(pixmap("status-confirmed", colour, 14)))
            tip += " " + self.tr("You confirmed it.")
        else:
            item.setIcon(WORD, QIcon(pixmap("blank", self._theme.colours.text, 14)))
        if use is not None:
            item.setData(STRENGTH, BAR_ROLE, use.share / strongest)
            item.setData(STRENGTH, LABEL_ROLE, f"{use.share:.0%}")
            item.setText(EFFECT, effect_text(use.influence))
            item.setForeground(EFFECT, effect_colour(use.influence, self._theme))
            tip += "\n" + effect_tip(use.influence)
        for column in range(5):
            item.setToolTip(column, plain_tip(tip))
        return item

    def _request(self, item: QTreeWidgetItem) -> None:
        self.segment_requested.emit(item.data(WORD, SLOT_ROLE))
