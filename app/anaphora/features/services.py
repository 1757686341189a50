"""The services that no feature declares yet, and what each tells the others. Loads no torch."""

from __future__ import annotations

from itertools import chain

from PySide6.QtCore import QObject

from anaphora.editor.desk import Desk
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.dismissals import Dismissals
from anaphora.features.checks.quick_fixes import QuickFixes
from anaphora.features.spelling.service import SpellingService
from anaphora.features.spelling.speller import Speller
from anaphora.features.terms.feature import Terms
from anaphora.features.terms.service import TermService
from anaphora.features.tm.filling import FillingService
from anaphora.features.tm.memories import TranslationMemories
from anaphora.features.tm.view.choices import FILL_SETTING, SHARED_SETTING
from anaphora.project.document.following import Follower
from anaphora.system.locations import own_words_path, shared_memory_path
from anaphora.system.shipped import dictionaries, used_words
from anaphora.system.window_settings import is_on


class Services:
    """The services of what no feature declares yet."""

    def __init__(self, desk: Desk) -> None:
        desk.legacy.services = self  # those that are made may ask for what is there
        settings, tasks, dismissals = desk.settings, desk.tasks, Dismissals()
        self.memory = memory = TranslationMemories(shared_memory_path(), is_on(settings, SHARED_SETTING))
        self.filling = FillingService(memory, is_on(settings, FILL_SETTING))
        self.spelling = SpellingService(Speller(dictionaries(), own_words_path(), used_words()), tasks)
        self.checking = CheckingService(tasks, dismissals, self.spelling, judges_terms=True)
        self.quick_fixes = QuickFixes(self.checking, tasks)
        self._connect(desk)
        self.before_shown: tuple[Follower, ...] = (*(dismissals, self.checking, self.spelling),)
        self.follows: tuple[Follower, ...] = (*(memory, self.filling),)
        for part in vars(self).values():
            if isinstance(part, QObject) and part.parent() is None:
                part.setParent(desk.window)

    def _connect(self, desk: Desk) -> None:
        project, checking, memory = desk.project, self.checking, self.memory
        terms = desk.of(Terms).service
        desk.device.changed.connect(desk.models.load_anew)
        project.pair_changed.connect(checking.say_again)
        terms.judged.connect(checking.judge_terms)
        terms.changed.connect(checking.await_terms)
        terms.changed.connect(lambda: self._use_terms(terms))
        terms.failed.connect(lambda _: checking.give_up_terms())
        project.repetitions_chosen.connect(self.filling.choose_repetitions)
        project.languages_changed.connect(memory.follow_languages)

    def _use_terms(self, terms: TermService) -> None:
        """The words of terms that a base holds are no misspellings."""
        if terms.terms is not None:
            self.spelling.use_terms(tuple(chain.from_iterable(terms.terms.entries.values())))
