"""The context rail: sections with information about the current segment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from anaphora.core.segment import Segment
from anaphora.editor.widgets.panel import Panel, note
from anaphora.editor.widgets.plain_text import plain_label
from anaphora.editor.widgets.sentence import Lines

MARGIN = 28
"""Pixels that stay visible around a section after scrolling to it."""


@runtime_checkable
class ShowsSegment(Protocol):
    """A panel, or the body of a section, about the current segment."""

    def show_segment(self, segment: Segment | None) -> None:
        """Show the current segment; None for none."""


class RailSection(QWidget):
    """A heading with a body, hidden while the body is empty."""

    filled = Signal(bool)

    def __init__(self, name: str, title: str, body: QWidget, counted: SignalInstance | None = None) -> None:
        """Make a section that is shown while the last value of `counted` is not 0, or on request."""
        super().__init__()
        self.name = name
        self.body = body
        self.is_filled = False
        self._title = plain_label(title, "section")
        self.detail = plain_label()
        self.detail.setProperty("role", "muted")
        self.setAccessibleName(title)
        heading = QHBoxLayout()
        heading.setContentsMargins(14, 12, 14, 2)
        heading.addWidget(self._title, 1)
        heading.addWidget(self.detail)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(heading)
        box.addWidget(body)
        self.setFocusProxy(body)
        self.hide()
        if counted is not None:
            counted.connect(lambda count: self.show_filled(count > 0))

    def show_filled(self, is_filled: bool, detail: str = "") -> None:
        """Show or hide the section; `detail` is a short text beside the heading."""
        self.detail.setText(detail)
        self.is_filled = is_filled
        self.setVisible(is_filled)
        self.filled.emit(is_filled)


class ContextRail(Panel):
    """Sections one below the other, without the empty ones."""

    segment_requested = Signal(str)

    def __init__(self, sections: Iterable[RailSection] = ()) -> None:
        super().__init__()
        self._sections: dict[str, RailSection] = {}
        self._showing: list[ShowsSegment] = []
        self._empty = note(self.tr("Matches, terms and the effect of the memory appear here."))
        inner = QWidget()
        self._box = QVBoxLayout(inner)
        self._box.setContentsMargins(0, 0, 0, 12)
        self._box.setSpacing(0)
        self._box.addWidget(self._empty)
        self._box.addStretch(1)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(inner)
        self.box.addWidget(self._area)
        self.setMinimumWidth(240)
        for section in sections:
            self.add(section)

    def add(self, section: RailSection) -> None:
        self._sections[section.name] = section
        if isinstance(section.body, ShowsSegment):
            self._showing.append(section.body)
        self._box.insertWidget(self._box.count() - 1, section)
        section.filled.connect(lambda _: self._update_empty_note())
        if isinstance(section.body, Lines):
            section.body.segment_requested.connect(self.segment_requested)
        self._update_empty_note()

    def show_segment(self, segment: Segment | None) -> None:
        for body in self._showing:
            body.show_segment(segment)

    def has(self, name: str) -> bool:
        return name in self._sections

    def section(self, name: str) -> RailSection:
        return self._sections[name]

    def reveal(self, name: str) -> None:
        self._area.ensureWidgetVisible(self.section(name), 0, MARGIN)

    def _update_empty_note(self) -> None:
        self._empty.setVisible(not any(section.is_filled for section in self._sections.values()))
