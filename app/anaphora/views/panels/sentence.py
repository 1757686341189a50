"""What the rail says of its own about the sentence: the chosen word, the terms, the memory."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from anaphora.core.consistency import TermReport
from anaphora.core.function_words import FUNCTION_WORDS
from anaphora.core.influence import influence_marks, is_brought
from anaphora.core.remembered import (
    Acting,
    Effect,
    Place,
    acting,
    acting_on,
    place,
    proposes_another_word,
    source_spans,
)
from anaphora.core.segment import Segment
from anaphora.core.tags import readable_tags
from anaphora.services.changed_drafts import ChangedDraft
from anaphora.services.packs import FROM_MEMORY
from anaphora.views.appearance.theme import Theme
from anaphora.views.panels.effects import effect_sentence
from anaphora.views.widgets.compared import compared
from anaphora.views.widgets.panel import NumberOf, place_text
from anaphora_nmt.types import Explanation

MOST = 8
"""More lines than this are not read."""
_USE, _STEER = "use:", "steer:"
FOLLOWED = (Effect.DECISIVE, Effect.SUPPORTING)


def rich_label() -> QLabel:
    """Wrapped rich text with links that the keyboard reaches."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
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
    """A block of rich text whose links are ids of segments, or ask for the details.

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
        return f'<a style="{style}" href="{html.escape(segment)}">{html.escape(text)}</a>'

    def muted(self, text: str) -> str:
        """A text that steps back."""
        return f'<span style="color:{self._theme.colours.muted}">{html.escape(text)}</span>'


class WordLines(Lines):
    """The chosen output word, the source words behind it, and what of the memory acted on it.

    Signals:
        details_requested: the numbers are wanted.
    """

    details_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.set_title(self.tr("Where the chosen word comes from"))
        self._explanation: Explanation | None = None
        self._word = -1
        self.text.linkActivated.disconnect(self.segment_requested)
        self.text.linkActivated.connect(lambda _: self.details_requested.emit())

    def show_explanation(self, explanation: Explanation | None) -> None:
        """Take the explanation of a segment; a word is chosen next."""
        self._explanation = explanation
        self.select_word(-1)

    def show_comparison(self, explanation: Explanation) -> None:
        """Take the same explanation with the draft without memory."""
        self._explanation = explanation
        self.select_word(self._word)

    def select_word(self, word: int) -> None:
        """Show an output word; -1 for none."""
        self._word = word
        explanation = self._explanation
        if explanation is None or not 0 <= word < len(explanation.tokens):
            self.show_lines([])
            return
        token = explanation.tokens[word]
        sources = " ".join(readable_tags(part) for part in source_words(explanation, word))
        lines = [f"<b>{html.escape(readable_tags(token.word))}</b> ← {html.escape(sources)}"]
        if token.without_memory:
            other = self.tr("After the same words, the model alone would go on with “{0}”.")
            lines.append(html.escape(other.format(readable_tags(token.without_memory))))
            if is_brought(explanation, token) is False:
                lines.append(html.escape(self.tr("A whole draft without the memory has this word, too.")))
        else:
            lines += [html.escape(effect_sentence(use, token.word)) for use in acting(token)[:2]]
        self.show_lines([*lines, self.link("details", self.tr("Details →"))])


def source_words(explanation: Explanation, word: int) -> list[str]:
    """The source words that an output word attends to most, in their order."""
    texts = {each.start: each.word for each in explanation.source_words}
    return [
        "".join(text for place, text in sorted(texts.items()) if start <= place < end)
        for start, end in source_spans(explanation, word)
    ]


class MemoryLines(Lines):
    """What of the memory the draft followed, and what it did not; what had no effect is left out.

    Signals:
        use_requested: (word, id of its segment): a confirmed word is to be used.
        steering_requested: the MemoryUse about which the user has something to say.
    """

    use_requested = Signal(str, str)
    steering_requested = Signal(object)

    def __init__(self, theme: Theme, number_of: NumberOf, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.set_title(self.tr("What the draft took from the memory"))
        self._number_of = number_of
        self._found: tuple[Acting, ...] = ()
        self._usable: frozenset[Place] = frozenset()
        self._repeats = ""
        self._text = ""
        self._plain: str | None = None
        self._labels: Mapping[str, str] = {}
        self.text.linkActivated.disconnect(self.segment_requested)
        self.text.linkActivated.connect(self._follow_link)
        theme.changed.connect(self._fill)

    def show_tags(self, labels: Mapping[str, str]) -> None:
        """Say what the tags of the current segment stand for; the explanation follows."""
        self._labels = labels

    def show_explanation(self, explanation: Explanation | None) -> None:
        """Show what acted on a segment's words; nothing while that is not known."""
        found = acting_on(explanation.tokens) if explanation is not None else ()
        self._found = tuple(one for one in found if _is_worth_saying(one))[:MOST]
        marks = influence_marks(explanation) if explanation is not None else ()
        self._usable = frozenset((mark.word, mark.segment) for mark in marks if not mark.followed)
        self._repeats = explanation.repeats if explanation is not None else ""
        self._text = explanation.text if explanation is not None else ""
        self._plain = explanation.draft_without_memory if explanation is not None else None
        self._fill()

    def _fill(self) -> None:
        lines = [self._line(number, one) for number, one in enumerate(self._found)]
        if self._plain is not None:
            lines.append(self._without_memory(self._plain))
        self.show_lines([self._whole(), *lines] if self._repeats else lines)

    def _without_memory(self, plain: str) -> str:
        """How the whole draft reads without the memory, since words hang together."""
        if plain == self._text:
            return self.muted(self.tr("Without the memory, the draft would read the same."))
        said = html.escape(self.tr("Without the memory: {0}"))
        return said.format(compared(self._theme, self._text, plain, self._labels))

    def _whole(self) -> str:
        """That the whole text was confirmed before."""
        link = self.link(self._repeats, self.tr("segment {0}").format(self._number_of(self._repeats)))
        said = html.escape(self.tr("All of it: you confirmed it for the same source"))
        return f'<span style="color:{self._theme.colours.confirmed}">✓</span> {said} {self.muted("·")} {link}'

    def _follow_link(self, target: str) -> None:
        if target.startswith(_USE):
            use = self._found[int(target.removeprefix(_USE))].use
            self.use_requested.emit(use.label, use.segment)
        elif target.startswith(_STEER):
            self.steering_requested.emit(self._found[int(target.removeprefix(_STEER))].use)
        else:
            self.segment_requested.emit(target)

    def _line(self, place_in_list: int, one: Acting) -> str:
        colours, followed = self._theme.colours, one.effect in FOLLOWED
        colour, sign = (colours.confirmed, "✓") if followed else (colours.warning, "✗")
        label = html.escape(readable_tags(one.use.label))
        number = self._number_of(one.use.segment)
        link = self.link(one.use.segment, self.tr("segment {0}").format(number)) if number else ""
        origin = self.tr("you confirmed it") if one.use.confirmed else self.tr("drafted")
        if place_text(one.use.segment, self._number_of) == FROM_MEMORY:
            origin = self.tr("from the translation memory")
        text = f'<span style="color:{colour}">{sign}</span> <b>{label}</b>'
        if not followed:
            stands = self.tr("not followed: {0} stands here").format(
                ", ".join(readable_tags(word) for word in one.words)
            )
            text += f" {html.escape(stands)}"
        text = f"{text} {self.muted('· ' + origin + (' · ' if link else ''))}{link}"
        if place(one.use) in self._usable:
            text += f" {self.muted('·')} {self.link(f'{_USE}{place_in_list}', self.tr('Use it here'))}"
        return f"{text} {self.muted('·')} {self.link(f'{_STEER}{place_in_list}', self.tr('Change…'))}"


def _is_worth_saying(one: Acting) -> bool:
    """An article or a preposition that only became likelier tells nobody anything; the details list it."""
    if one.effect is Effect.SUPPORTING:
        return one.use.label.casefold() not in FUNCTION_WORDS
    return one.effect is Effect.DECISIVE or proposes_another_word(one.use)


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
            cause = html.escape(self.tr("after you confirmed {0}")).format(
                self.link(change.cause, self.tr("segment {0}").format(number))
            )
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
