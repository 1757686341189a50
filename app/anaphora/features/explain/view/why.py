"""The panel *Details* (`WhyPanel`) with the effects on a word, and the section *Why* (`ReasonLines`)."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QTabWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from anaphora.core.segment import Segment, Status
from anaphora.core.tags import labels_of, readable_tags
from anaphora.editor.appearance.theme import Theme, pixmap
from anaphora.editor.widgets.changes import compared
from anaphora.editor.widgets.dialogs import wrapped
from anaphora.editor.widgets.rail import USE_ROLE, NumberOf, Panel, tree
from anaphora.editor.widgets.sentence import Lines, plain_tip
from anaphora.features.explain.marking import (
    Effect,
    Reason,
    effect_of,
    effective_uses,
    is_drafted,
    is_from_memory,
    reasons,
)
from anaphora.features.explain.rendered import source_text
from anaphora.features.explain.view.effects import (
    effect_colour,
    effect_sentence,
    effect_word,
    origin_text,
    place_text,
)
from anaphora.system.messages import localise_message
from anaphora_nmt.types import Correction, Explanation, MemoryUse, TokenTrace, match_number

WORD, FROM, EFFECT = range(3)


class WhyPanel(Panel):
    """Shows the effects of remembered words on the selected output word. Other features add tabs.

    Signals:
        segment_requested: id of the segment of a remembered word.
    """

    segment_requested = Signal(str)

    def __init__(self, theme: Theme, number_of: NumberOf) -> None:
        super().__init__()
        self._theme = theme
        self._number_of = number_of
        self._explanation: Explanation | None = None
        self._word = -1
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._make_word_page(), self.tr("Word"))
        self.box.addWidget(self.tabs)
        theme.changed.connect(self._show_chosen)
        self.show_explanation(None)

    def show_explanation(self, explanation: Explanation | None) -> None:
        self._explanation = explanation
        self._word = -1
        self._show_word(None)

    def select_word(self, word: int) -> None:
        if word != self._word:
            self._word = word
            self._show_chosen()

    def _show_chosen(self) -> None:
        tokens = self._explanation.tokens if self._explanation is not None else ()
        self._show_word(tokens[self._word] if 0 <= self._word < len(tokens) else None)

    def show_waiting(self, waiting: bool) -> None:
        if self._explanation is None:
            self._title.setText(self.tr("Calculating…") if waiting else self._invitation())

    def _make_word_page(self) -> QWidget:
        self._title = wrapped()
        headers = [self.tr("Memory"), self.tr("From"), self.tr("Effect")]
        self.words = tree(headers, WORD, {FROM: 96, EFFECT: 96}, headers[0])
        self.words.setRootIsDecorated(True)
        self.words.itemActivated.connect(self._request_segment)
        self.words.itemClicked.connect(self._request_segment)
        self._no_effect = wrapped(self.tr("The document memory did not affect this word."), "muted")
        self._no_effect.setAlignment(Qt.AlignmentFlag.AlignTop)
        page = QWidget()
        self._word_column = column = QVBoxLayout(page)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self.words, 1)
        column.addWidget(self._no_effect, 1)
        column.addStretch()
        return page

    def _invitation(self) -> str:
        return self.tr("Click a word in the translation, or press Alt+→, to see where it comes from.")

    def _show_word(self, token: TokenTrace | None) -> None:
        self.words.clear()
        if token is None:
            self._title.setText(self._invitation())
            self.words.hide()
            self._no_effect.hide()
            # Otherwise the layout would reserve the height of the hidden parts, and the window would grow.
            self._word_column.invalidate()
            self._word_column.activate()
            return
        self._title.setText(readable_tags(token.word))
        uses = effective_uses(token)
        self.words.addTopLevelItems([self._item(use, token.word) for use in uses])
        self.words.setVisible(bool(uses))
        self._no_effect.setVisible(not uses)

    def _section_title(self, use: MemoryUse) -> str:
        view = self._explanation.view if self._explanation is not None else None
        return localise_message(view.section(use.memory, use.section).title) if view is not None else ""

    def _item(self, use: MemoryUse, word: str) -> QTreeWidgetItem:
        place = place_text(use.segment, self._number_of) if use.segment else self._section_title(use)
        effect, where = effect_of(use), self.tr("{0}, draft") if is_drafted(use) else "{0}"
        item = QTreeWidgetItem([use.label, where.format(place), effect_word(effect)])
        item.setForeground(FROM, QColor(self._theme.colours.muted))
        item.setForeground(EFFECT, effect_colour(effect, self._theme, use.confirmed))
        item.setData(WORD, Qt.ItemDataRole.UserRole, use.segment)
        item.setData(WORD, USE_ROLE, use)
        tip = effect_sentence(use, word)
        origin = origin_text(use.segment, self._number_of) if use.segment else place
        if use.confirmed:
            colour = self._theme.colours.status(Status.CONFIRMED).name()
            item.setIcon(WORD, QIcon(pixmap("status-confirmed", colour, 14)))
            tip += " " + self.tr("The remembered word is confirmed in {0}.").format(origin)
        elif is_drafted(use):
            tip += " " + self.tr("The remembered word is in the draft of {0} (not confirmed).").format(origin)
        for column in range(self.words.columnCount()):
            item.setToolTip(column, plain_tip(tip))
        shown = (each for each in use.occurrences if use.decisive or not is_drafted(each))
        item.addChildren([self._item(each, word) for each in shown])
        return item

    def _request_segment(self, item: QTreeWidgetItem) -> None:
        segment = item.data(WORD, Qt.ItemDataRole.UserRole)
        if segment:
            self.segment_requested.emit(segment)


MAX_REASONS = 4
"""Maximum number of reasons shown until the user requests all; those for the selected word are all shown."""
_STEER, _DETAILS, _SHOW_ALL = "steer:", "details:", "all:"


class ReasonLines(Lines):
    """The reasons for the words of the current draft, those for the selected word first.

    Signals:
        steering_requested: the MemoryUse for which the user wants a rule.
        details_requested: the user wants to see the details panel.
    """

    steering_requested = Signal(object)
    details_requested = Signal()

    def __init__(self, theme: Theme, number_of: NumberOf) -> None:
        super().__init__(theme)
        self.set_title(self.tr("Reasons for the words of this draft"))
        self._number_of = number_of
        self._explanation: Explanation | None = None
        self._reasons: tuple[Reason, ...] = ()
        self._labels: Mapping[str, str] = {}
        self._word = -1
        self._shows_all = False
        self.text.linkActivated.disconnect(self.segment_requested)
        self.text.linkActivated.connect(self._follow_link)
        theme.changed.connect(self._fill)

    def show_segment(self, segment: Segment | None) -> None:
        """Set the labels of the current segment's tags."""
        self._labels = labels_of(segment) if segment is not None else {}

    def show_explanation(self, explanation: Explanation | None) -> None:
        self._explanation, self._word, self._shows_all = explanation, -1, False
        self._set_explanation(explanation)

    def show_comparison(self, explanation: Explanation) -> None:
        self._explanation = explanation
        self._set_explanation(explanation)

    def select_word(self, word: int) -> None:
        if word != self._word:
            self._word = word
            self._fill()

    def _set_explanation(self, explanation: Explanation | None) -> None:
        self._reasons = reasons(explanation) if explanation is not None else ()
        self._fill()

    def _fill(self) -> None:
        explanation = self._explanation
        if explanation is None:
            self.show_lines([])
            return
        has_word = 0 <= self._word < len(explanation.tokens)
        listed = [each for each in self._reasons if not _repeats_correction(each, explanation.corrections)]
        of_word = [reason for reason in listed if has_word and self._word in reason.numbers]
        other_reasons = [reason for reason in listed if reason not in of_word]
        shown = other_reasons if self._shows_all else other_reasons[: max(0, MAX_REASONS - len(of_word))]
        lines = [*map(self._correction, explanation.corrections)]
        lines += [self._repetition(explanation.repeats)] if explanation.repeats else []
        if has_word:
            word = _translation(source_text(explanation, self._word), explanation.tokens[self._word].word)
            lines += [
                *self._about_word(explanation, word, bool(of_word)),
                *(self._line(reason, word) for reason in of_word),
            ]
        lines += map(self._line, shown)
        if len(shown) < len(other_reasons):
            lines.append(self.link(_SHOW_ALL, self.tr("{0} more").format(len(other_reasons) - len(shown))))
        if explanation.draft_without_memory is not None:
            lines.append(self._without_memory(explanation.text, explanation.draft_without_memory))
        self.show_lines(lines)

    def _correction(self, correction: Correction) -> str:
        pair = _translation(correction.source, correction.chosen)
        number = self._number_of(correction.segment)
        if not number:
            text = html.escape(self.tr("{0}: your correction replaces “{1}”"))
            return text.format(pair, html.escape(correction.rejected))
        link = self.link(correction.segment, self.tr("segment {0}").format(number))
        text = html.escape(self.tr("{0}: you replaced “{1}” in {2}"))
        return text.format(pair, html.escape(correction.rejected), link)

    def _about_word(self, explanation: Explanation, heading: str, has_reasons: bool) -> list[str]:
        token = explanation.tokens[self._word]
        lines = [f"{heading} {self.muted('·')} {self.link(_DETAILS, self.tr('Details →'))}"]
        if token.without_memory is not None and is_from_memory(explanation, token) is False:
            also = self.tr("The draft without the document memory also contains this word.")
            lines.append(html.escape(also))
        elif token.without_memory is not None:
            other = self.tr("Without the document memory, the word here would be “{0}”.")
            ending = self.tr("Without the document memory, the sentence would end here.")
            word = readable_tags(token.without_memory)
            lines.append(html.escape(other.format(word) if word else ending))
        elif not has_reasons and token.word not in [each.chosen for each in explanation.corrections]:
            lines.append(self.muted(self.tr("The document memory did not affect this word.")))
        return lines

    def _line(self, reason: Reason, heading: str = "") -> str:
        """Source words with their rendering; below, the effect, the remembered pair and links.

        `heading` is the text above the line. Source words and rendering are left out if they equal `heading`.
        """
        pair = _translation(reason.source, ", ".join(reason.words))
        first_line = "" if pair == heading else f"{pair}<br>"
        colour = effect_colour(reason.effect, self._theme, reason.use.confirmed).name()
        sign = "✗ " if reason.effect is Effect.AGAINST else "✓ " if reason.use.confirmed else ""
        effect = f'<span style="color:{colour}">{sign}{html.escape(effect_word(reason.effect))}</span>'
        return f"{first_line}{effect}{self._pair(reason)}{self._change_link(reason)}"

    def _pair(self, reason: Reason) -> str:
        label = readable_tags(reason.use.label)
        pair = f"{readable_tags(reason.remembered)} → {label}" if reason.remembered else label
        is_new = (reason.remembered, label.casefold()) != (reason.source, ", ".join(reason.words).casefold())
        number = self._number_of(reason.use.segment)
        link = self.link(reason.use.segment, self.tr("segment {0}").format(number)) if number else ""
        parts = [html.escape(pair) * is_new, link, self.muted(self._origin(reason.use))]
        return "".join(f" {self.muted('·')} {part}" for part in parts if part)

    def _origin(self, use: MemoryUse) -> str:
        if match_number(use.segment):
            return self.tr("from the translation memory")
        if use.segment or self._explanation is None:
            return self.tr("you confirmed it") if use.confirmed else self.tr("a draft, not confirmed")
        return html.escape(localise_message(self._explanation.view.section(use.memory, use.section).title))

    def _change_link(self, reason: Reason) -> str:
        link = self.link(f"{_STEER}{self._reasons.index(reason)}", self.tr("Change…"))
        return f" {self.muted('·')} {link}"

    def _without_memory(self, text: str, plain: str) -> str:
        if plain == text:
            return self.muted(self.tr("Without the document memory, the draft would be the same."))
        line = html.escape(self.tr("Without the document memory: {0}"))
        return line.format(compared(self._theme, text, plain, self._labels))

    def _repetition(self, segment: str) -> str:
        link = self.link(segment, self.tr("segment {0}").format(self._number_of(segment)))
        text = html.escape(self.tr("Whole draft: you confirmed this translation for the same source"))
        return f'<span style="color:{self._theme.colours.confirmed}">✓</span> {text} {self.muted("·")} {link}'

    def _follow_link(self, target: str) -> None:
        if target == _SHOW_ALL:
            self._shows_all = True
            self._fill()
        elif target == _DETAILS:
            self.details_requested.emit()
        elif target.startswith(_STEER):
            self.steering_requested.emit(self._reasons[int(target.removeprefix(_STEER))].use)
        else:
            self.segment_requested.emit(target)


def _repeats_correction(reason: Reason, corrections: Sequence[Correction]) -> bool:
    supports = reason.effect is Effect.SUPPORTING
    return supports and any(
        each.segment == reason.use.segment and reason.use.label.casefold() in each.chosen.casefold().split()
        for each in corrections
    )


def _translation(source: str, words: str) -> str:
    text = f"<b>{html.escape(readable_tags(words))}</b>"
    return f"{html.escape(readable_tags(source))} → {text}" if source else text
