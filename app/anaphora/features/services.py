"""The services behind the window, and what each tells the others. Loads no torch."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QObject

from anaphora.editor.appearance.theme import Theme
from anaphora.engine.device import ComputeDevice
from anaphora.engine.worker import EngineWorker, Loader
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.dismissals import Dismissals
from anaphora.features.checks.quick_fixes import QuickFixes
from anaphora.features.corrections.corrections import CorrectionService
from anaphora.features.dictionary.hinted_drafts import hinted
from anaphora.features.dictionary.hints import DictionaryHints
from anaphora.features.dictionary.lookup import DictionaryService
from anaphora.features.drafting.changed_drafts import ChangedDrafts
from anaphora.features.drafting.drafting import DraftingService
from anaphora.features.explain.influence import InfluenceService
from anaphora.features.export.exporting import Exporting
from anaphora.features.find.search import SearchService
from anaphora.features.packs.packs import PackService
from anaphora.features.quality.confidence import ConfidenceService
from anaphora.features.spelling.service import SpellingService
from anaphora.features.spelling.speller import Speller
from anaphora.features.steering.steering import SteeringService
from anaphora.features.terms.consistency_service import ConsistencyService
from anaphora.features.terms.first_sight_service import FirstSightService
from anaphora.features.terms.service import TermService
from anaphora.features.terms.unifying import UnifyingService
from anaphora.features.tm.filling import FillingService
from anaphora.features.tm.memories import TranslationMemories
from anaphora.features.tm.view.choices import FILL_SETTING, SHARED_SETTING
from anaphora.project.current import CurrentProject
from anaphora.project.languages import ProjectLanguages
from anaphora.project.models import ModelService
from anaphora.project.opener import Opener
from anaphora.project.recent_files import RecentFiles
from anaphora.system.background import BackgroundTasks
from anaphora.system.locations import (
    models_folder,
    own_words_path,
    shared_corrections_path,
    shared_memory_path,
    shared_terms_path,
)
from anaphora.system.shipped import dictionaries, glossary, known_names, sample_document, used_words
from anaphora.system.window_settings import WindowSettings, is_on


class Services:
    """The parts that the window shows, put together."""

    def __init__(
        self,
        loader: Loader,
        settings: WindowSettings,
        theme: Theme,
        load: Callable[[Path], Loader],
        own: Path,
        device: ComputeDevice,
    ) -> None:
        self.device, self.theme, self.settings, self.sample = device, theme, settings, sample_document()
        tasks, dismissals = BackgroundTasks(), Dismissals()
        self.terms = terms = TermService(shared_terms_path())
        self.dictionary = dictionary = DictionaryService(glossary, tasks)
        self.hints = hints = DictionaryHints(dictionary)
        self.worker = worker = EngineWorker(loader, terms=terms.for_engine, draft=hinted(hints.lacking))
        hints.listen_to(worker)
        self.drafting = drafting = DraftingService(worker)
        self.consistency = ConsistencyService(dictionary, worker, tasks)
        self.influence = InfluenceService(worker)
        drafting.draft_held.connect(self.influence.forget_after)
        self.changed = ChangedDrafts()
        drafting.renewing.connect(self.changed.forget)
        self.confidence = ConfidenceService(worker)
        drafting.renewing.connect(self.confidence.begin_anew)
        self.memory = memory = TranslationMemories(shared_memory_path(), is_on(settings, SHARED_SETTING))
        self.filling = FillingService(memory, is_on(settings, FILL_SETTING))
        self.first_sight = FirstSightService(terms, dictionary, worker, known_names, tasks)
        self.steering = SteeringService(worker, drafting)
        self.corrections = CorrectionService(worker, drafting, tasks, shared_corrections_path())
        self.packs = PackService(worker, drafting, self.steering, self.corrections, tasks)
        self.models = ModelService(worker, models_folder(), own, loader, load)
        device.changed.connect(self.models.load_anew)
        self.spelling = SpellingService(Speller(dictionaries(), own_words_path(), used_words()), tasks)
        self.checking = CheckingService(tasks, dismissals, self.spelling, judges_terms=True)
        self.quick_fixes = QuickFixes(self.checking, tasks)
        self.unifying = UnifyingService(worker, tasks, terms.for_engine)
        self.controller = CurrentProject(tasks)
        self.opener = Opener(self.controller, RecentFiles())
        ProjectLanguages(self.controller, self.opener, self.models)
        self.exporting = Exporting(self.controller)
        self.search = SearchService(tasks)
        self._connect(dismissals)

    def belong_to(self, window: QObject) -> None:
        """End with the window: what listens to a service would else keep the window, and that the service."""
        self.controller.tasks.setParent(window)  # the first: no answer comes to what has ended
        for part in vars(self).values():
            if isinstance(part, QObject) and part.parent() is None:
                part.setParent(window)

    def _connect(self, dismissals: Dismissals) -> None:
        controller, checking, drafting = self.controller, self.checking, self.drafting
        terms, memory, consistency = self.terms, self.memory, self.consistency
        for shown in (
            *(dismissals, checking, self.changed, self.confidence),
            *(self.influence, self.hints, self.unifying, self.spelling),
        ):
            controller.follow(shown, before_shown=True)
        for feature in (
            *(terms, drafting),  # the first draft asks for terms
            *(self.steering, self.packs, self.corrections, consistency),
            *(memory, self.filling, self.first_sight),
        ):
            controller.follow(feature)
        controller.pair_changed.connect(checking.say_again)
        drafting.warned.connect(checking.add_warnings)
        memory.read.connect(self.packs.read_memory)
        terms.ignored.connect(drafting.redraft)
        terms.judged.connect(checking.judge_terms)
        terms.changed.connect(checking.await_terms)
        terms.changed.connect(self._use_terms)
        terms.failed.connect(lambda _: checking.give_up_terms())
        controller.model_changed.connect(drafting.renew_drafts)
        self.filling.taken_back.connect(drafting.draft_remaining)
        for translating in (drafting, self.corrections, consistency, memory):
            controller.languages_changed.connect(translating.follow_languages)

    def _use_terms(self) -> None:
        """Terms that a base holds are no recurring terms to be found, and their words are no misspellings."""
        if (terms := self.terms.terms) is not None:
            bases = terms.entries.values()
            self.consistency.use_terms(bases)
            self.spelling.use_terms(tuple(chain.from_iterable(bases)))
