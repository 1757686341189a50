"""What the memories hold of the segments before the current one."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from anaphora.core.remembered import Place, place, remembered_words
from anaphora.core.segment import Status
from anaphora.views.appearance.icons import pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.panels.memory_view import MemoryViewPanel
from anaphora.views.widgets.bars import BAR_ROLE, LABEL_ROLE
from anaphora.views.widgets.panel import NumberOf, effect_colour, effect_text, effect_tip, note, tree
from anaphora.views.widgets.plain_text import plain_tip
from anaphora_nmt.types import MemoryEntry, MemoryUse

WORD, SEGMENT, LAST_USE, STRENGTH, EFFECT = range(5)
SLOT_ROLE = Qt.ItemDataRole.UserRole + 1


class MemoryPanel(MemoryViewPanel):
    """Remembered words: the segment of each, its last use, and its strength for the selected output word.

    Signals:
        segment_requested: id of the segment whose word was activated.
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
    def slots(self) -> tuple[MemoryEntry, ...]:
        """The entries that are shown, most recently used first."""
        sections = self._view.sections if self._view else ()
        return tuple(entry for section in sections if section.of_segments for entry in section.entries)

    def _uses(self) -> dict[Place, MemoryUse]:
        """By word and segment what the selected word took from it, the stronger way of reading."""
        if self._explanation is None or self._word < 0:
            return {}
        found = remembered_words(self._explanation.tokens[self._word])
        return {place(use): use for use in sorted(found, key=lambda use: use.strength)}

    def _fill(self) -> None:
        self._slots.clear()
        slots, uses = self.slots, self._uses()
        self._about.setText(self._say(slots, uses))
        strongest = max((use.strength for use in uses.values()), default=0.0) or 1.0
        rows = [(slot, uses.get((slot.label, slot.segment))) for slot in slots]
        kept = {(slot.label, slot.segment) for slot in slots}
        # Confirmed text is remembered for longer than the slots hold it.
        rows += [
            (MemoryEntry(use.label, use.segment, confirmed=use.confirmed), use)
            for where, use in uses.items()
            if where not in kept
        ]
        rows.sort(key=lambda row: -row[1].strength if row[1] else 0.0)
        items = [self._item(slot, use, strongest) for slot, use in rows]
        self._slots.addTopLevelItems(items)

    def _say(self, slots: tuple[MemoryEntry, ...], uses: Mapping[Place, MemoryUse]) -> str:
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

    def _item(self, slot: MemoryEntry, use: MemoryUse | None, strongest: float) -> QTreeWidgetItem:
        number = self._number_of(slot.segment)
        ago = self.tr("now") if slot.last_use == 0 else self.tr("{0} ago").format(slot.last_use)
        ago = "" if slot.last_use is None else ago
        item = QTreeWidgetItem([slot.label, f"{number}" if number else "", ago, "", ""])
        item.setData(WORD, SLOT_ROLE, slot.segment)
        item.setTextAlignment(EFFECT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setForeground(SEGMENT, QColor(self._theme.colours.muted))
        item.setForeground(LAST_USE, QColor(self._theme.colours.muted))
        tip = self.tr("“{0}” was written by segment {1}. Click to go there.").format(slot.label, number)
        if slot.confirmed:
            colour = self._theme.colours.status(Status.CONFIRMED).name()
            item.setIcon(WORD, QIcon(pixmap("status-confirmed", colour, 14)))
            tip += " " + self.tr("You confirmed it.")
        else:
            item.setIcon(WORD, QIcon(pixmap("blank", self._theme.colours.text, 14)))
        if use is not None:
            item.setData(STRENGTH, BAR_ROLE, use.strength / strongest)
            item.setData(STRENGTH, LABEL_ROLE, f"{use.strength:.0%}")
            item.setText(EFFECT, effect_text(use.influence))
            item.setForeground(EFFECT, effect_colour(use.influence, self._theme))
            tip += "\n" + effect_tip(use.influence)
        for column in range(5):
            item.setToolTip(column, plain_tip(tip))
        return item

    def _request(self, item: QTreeWidgetItem) -> None:
        self.segment_requested.emit(item.data(WORD, SLOT_ROLE))
