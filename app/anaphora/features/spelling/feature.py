"""Marks misspelt words in the current segment, and offers suggestions in the context menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QMenu

from anaphora.core.segment import Status
from anaphora.editor.actions.entries import MenuPart, choice, switch
from anaphora.editor.feature import Desk, Feature
from anaphora.editor.widgets.sentence import plain_action
from anaphora.features.spelling.service import Spans, SpellingService
from anaphora.features.spelling.speller import English, Speller, word_spans
from anaphora.system.locations import dictionaries, own_words_path, training_words
from anaphora.system.window_settings import is_on, stored_choice

SETTING = "spelling"
ENGLISH_SETTING = "spelling/english"
PAUSE_MS = 250
MAX_PREPARED = 4
"""Suggestions are looked up in advance for at most this number of misspelt words in a text."""


class Spelling(Feature):
    """Checks the segment in the editor after each change; does not mark the word being typed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        speller = Speller(dictionaries(), own_words_path(), training_words())
        self.service = service = SpellingService(speller, desk.tasks)
        service.choose(stored_choice(desk.settings, ENGLISH_SETTING, English.BOTH))
        self.before_shown = (service,)
        self.is_on = is_on(desk.settings, SETTING)
        self._editor = editor = desk.table.editor
        self._text = ""
        self._spans: Spans = ()
        self._typing_offset = -1
        self._pointed_offset = 0
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self.check)
        editor.typed.connect(self._follow_typing)
        editor.caret_moved.connect(self._follow_caret)
        editor.document().contentsChanged.connect(self._timer.start)
        editor.customContextMenuRequested.connect(self._store_pointed_offset)
        service.checked.connect(self._show_misspelt)
        service.changed.connect(self.check)
        service.failed.connect(self.announced)

    def entries(self) -> Iterable[MenuPart]:
        text = self.tr("C&heck spelling")
        yield switch("edit:language:20", text, self.desk.settings, SETTING, self.set_on)
        texts = {
            English.BOTH: self.tr("B&oth"),
            English.AMERICAN: self.tr("&American"),
            English.BRITISH: self.tr("&British"),
        }
        chosen = stored_choice(self.desk.settings, ENGLISH_SETTING, English.BOTH)
        yield choice("edit:language:30", self.tr("Eng&lish spelling"), texts, chosen, self.choose)

    def choose(self, english: English) -> None:
        self.desk.settings.setValue(ENGLISH_SETTING, english.value)
        self.service.choose(english)

    def set_on(self, is_on: bool) -> None:
        self.is_on = is_on
        self.check()

    def check(self) -> None:
        segment_id, session = self._editor.segment_id, self.desk.project.session
        self._timer.stop()
        if not self.is_on or session is None or not session.document.has(segment_id):
            self._editor.mark_misspelt("", ())
            return
        segment = session.document.get(segment_id)
        # Locked segments, and segments that need no translation, are not checked.
        if segment.status is not Status.LOCKED and session.pair.needs_translation(segment.source):
            self.service.check(segment_id, segment.source, self._editor.toPlainText())

    def fill_menu_at_word(self, menu: QMenu) -> None:
        """Add actions for a misspelt or ignored word at the pointer, unless the editor is read-only."""
        span = self._editor.misspelt_at(self._pointed_offset)
        if self._editor.isReadOnly():
            return
        if span is None:
            self._add_stop_ignoring(menu)
            return
        word = self._editor.toPlainText()[slice(*span)]
        suggestions = self.service.suggestions(word)
        if suggestions is None:
            self.service.suggest(word)
            menu.addAction(self.tr("Spelling suggestions are not ready. Try again later.")).setEnabled(False)
        elif not suggestions:
            menu.addAction(self.tr("No suggestions")).setEnabled(False)
        for text in suggestions or ():
            self._add(menu, plain_action(text), partial(self._editor.replace_span, span, text))
        menu.addSeparator()
        label = plain_action(word)
        self._add(
            menu, self.tr("Add “{0}” to the dictionary").format(label), lambda: self.service.learn(word)
        )
        self._add(
            menu, self.tr("Ignore “{0}” in this project").format(label), lambda: self.service.ignore(word)
        )
        menu.addSeparator()

    def _add_stop_ignoring(self, menu: QMenu) -> None:
        text = self._editor.toPlainText()
        word = next(
            (text[start:end] for start, end in word_spans(text) if start <= self._pointed_offset <= end), ""
        )
        if word and self.service.is_ignored(word):
            action_text = self.tr("Stop ignoring “{0}”").format(plain_action(word))
            self._add(menu, action_text, lambda: self.service.ignore(word, False))
            menu.addSeparator()

    def _store_pointed_offset(self, point: QPoint) -> None:
        self._pointed_offset = self._editor.shown().offset(self._editor.cursorForPosition(point).position())

    def _follow_typing(self) -> None:
        self._typing_offset = self._editor.caret

    def _follow_caret(self, offset: int) -> None:
        if self._typing_offset >= 0 and offset != self._typing_offset and not self._timer.isActive():
            self._typing_offset = -1
            self._mark()

    def _show_misspelt(self, segment_id: str, text: str, spans: Spans) -> None:
        if segment_id != self._editor.segment_id or text != self._editor.toPlainText() or not self.is_on:
            return
        self._text, self._spans = text, spans
        if self._editor.caret != self._typing_offset:  # the caret has moved since the check was requested
            self._typing_offset = -1
        self._mark()
        if self._typing_offset < 0:  # nothing is being typed: the menu looks up suggestions on request
            return
        for start, end in spans[:MAX_PREPARED]:
            self.service.suggest(text[start:end])

    def _mark(self) -> None:
        spans = tuple(span for span in self._spans if span[1] != self._typing_offset)
        self._editor.mark_misspelt(self._text, spans)

    @staticmethod
    def _add(menu: QMenu, text: str, call: Callable[[], object]) -> None:
        menu.addAction(text).triggered.connect(lambda _=False: call())
