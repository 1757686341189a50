"""The file's notes about the current segment, and the meaning of its tags."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel

from anaphora.core.length_limits import is_measured, length_limit
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment
from anaphora.core.shortening import shortened
from anaphora.core.tags import caption_of, closes, labels_of
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.inline_styles import STYLES
from anaphora.editor.widgets.panel import Panel
from anaphora.system.messages import localise_place

MAX_ROWS = 100
"""Maximum number of notes and tags shown."""


class NotesPanel(Panel):
    """Shows context, comments, references, limits and times of a segment, and the meaning of its tags."""

    counted = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._segment: Segment | None = None
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.text.setContentsMargins(14, 4, 14, 4)
        self.text.setAccessibleName(self.tr("Notes and tags of the current segment"))
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFocusProxy(self.text)
        self.box.addWidget(self.text)
        theme.changed.connect(self._show_again)
        self.show_segment(None)

    def show_segment(self, segment: Segment | None) -> None:
        self._segment = segment
        notes = segment.notes if segment else ()
        rows = [self._note(found) for found in notes if found.kind is not NoteKind.STRUCTURE]
        if segment is not None and (limit := length_limit(segment)) is not None:
            rows.insert(0, self._length(limit.length(segment), limit.most))
        tags = labels_of(segment) if segment else {}
        rows += [
            (self._chip(mark), _shown(label or self.tr("formatting")))
            for mark, label in tags.items()
            if not closes(mark) and not _is_visible(mark, label)
        ]
        self.text.setVisible(bool(rows))
        self.text.setText(self._table(rows[:MAX_ROWS]))
        self.counted.emit(len(rows))

    def _show_again(self) -> None:
        self.show_segment(self._segment)

    def follow_target(self, segment: Segment) -> None:
        """Update the length after a change of the target, if there is a limit."""
        if self._segment is not None and segment.id == self._segment.id and length_limit(segment) is not None:
            self.show_segment(segment)

    def _length(self, length: int, most: int) -> tuple[str, str]:
        text = self.tr("{0} of {1}").format(length, most)
        if length > most:
            text = f'<b style="color:{self._theme.colours.warning}">{text}</b>'
        return self.tr("Length"), text

    def _table(self, rows: list[tuple[str, str]]) -> str:
        muted = self._theme.colours.muted
        cells = (
            f'<tr><td style="color:{muted}; padding-right:14px; white-space:nowrap">{label}</td>'
            f'<td style="padding-bottom:4px">{text}</td></tr>'
            for label, text in rows
        )
        return f'<table cellspacing="0" cellpadding="0">{"".join(cells)}</table>' if rows else ""

    def _chip(self, mark: str) -> str:
        colours, number = self._theme.colours, mark.strip("{/}")
        style = f"background-color:{colours.accent_soft}; color:{colours.accent}"
        return f'<span style="{style}">&nbsp;{number}&nbsp;</span>'

    def _note(self, found: Note) -> tuple[str, str]:
        label = self._labels()[found.kind]
        if found.kind is NoteKind.PLURAL_FORM:
            return label.format(*found.details), _shown(found.text)
        if found.kind is NoteKind.PLACE:
            return label, _shown(localise_place(found.text))
        if found.kind is NoteKind.PROPERTY:
            return label, _shown(": ".join((*found.details, found.text)))
        if not is_measured(found):
            label = self.tr("Length limit, not checked")
        details = f" ({_shown(', '.join(found.details))})" if found.details else ""
        return label + details, _shown(found.text)

    def _labels(self) -> dict[NoteKind, str]:
        return {
            NoteKind.PLACE: self.tr("Note"),
            NoteKind.NOTE: self.tr("Note"),
            NoteKind.PROPERTY: self.tr("Note"),
            NoteKind.COMMENT: self.tr("Comment"),
            NoteKind.TRANSLATOR_COMMENT: self.tr("Translator's comment"),
            NoteKind.CONTEXT: self.tr("Context"),
            NoteKind.NAME: self.tr("Name"),
            NoteKind.REFERENCES: self.tr("Location"),
            NoteKind.FLAGS: self.tr("Flags"),
            NoteKind.LENGTH_LIMIT: self.tr("Length limit"),
            NoteKind.PLURAL_FORM: self.tr("Plural form {0} of {1}"),
            NoteKind.SINGULAR: self.tr("Singular"),
            NoteKind.PLURAL: self.tr("Plural"),
            NoteKind.TIME: self.tr("Time"),
            NoteKind.SPEAKER: self.tr("Speaker"),
            NoteKind.STYLE: self.tr("Style"),
        }


def _is_visible(mark: str, label: str) -> bool:
    return set(label.split(", ")) <= STYLES or caption_of(mark, label) != mark.strip("{}/")


def _shown(text: str) -> str:
    return html.escape(shortened(text)).replace("\n", "<br>")
