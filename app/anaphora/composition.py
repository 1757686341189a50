"""The composition root: the only place that puts the window and its services together. Loads no torch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtWidgets import QApplication

from anaphora.application.background import BackgroundTasks
from anaphora.application.languages import chosen_language, install_language
from anaphora.application.window_settings import WindowSettings, is_on, stored_choice, window_settings
from anaphora.checks.checking import CheckingService
from anaphora.checks.quick_fixes import QuickFixes
from anaphora.dictionary.lookup import DictionaryService
from anaphora.document.dismissals import Dismissals
from anaphora.document.search import SearchService
from anaphora.drafting.changed_drafts import ChangedDrafts
from anaphora.drafting.confidence import ConfidenceService
from anaphora.drafting.dictionary_hints import DictionaryHints
from anaphora.drafting.drafting import DraftingService
from anaphora.drafting.hinted_drafts import hinted
from anaphora.engine.device import ComputeDevice
from anaphora.engine.worker import EngineWorker, Loader, default_loader
from anaphora.export.preview_service import PreviewService
from anaphora.matches.filling import FillingService
from anaphora.matches.service import MemoryService
from anaphora.matches.view.choices import FILL_SETTING, SHARED_SETTING
from anaphora.memory.corrections import CorrectionService
from anaphora.memory.influence import InfluenceService
from anaphora.memory.packs import PackService
from anaphora.memory.steering import SteeringService
from anaphora.model_downloads.service import ModelDownloadService
from anaphora.model_downloads.transport import Transport
from anaphora.model_downloads.view.controller import ModelDownloads
from anaphora.models.service import ModelService
from anaphora.projects.controller import DocumentController
from anaphora.projects.recent_files import RecentFiles
from anaphora.shipped import (
    default_model,
    dictionaries,
    glossary,
    known_names,
    offered_models,
    sample_document,
    used_words,
)
from anaphora.spelling.service import SpellingService
from anaphora.spelling.speller import Speller
from anaphora.store.locations import (
    models_folder,
    own_words_path,
    shared_corrections_path,
    shared_memory_path,
    shared_terms_path,
)
from anaphora.terms.consistency_service import ConsistencyService
from anaphora.terms.first_sight_service import FirstSightService
from anaphora.terms.service import TermService
from anaphora.terms.unifying import UnifyingService
from anaphora.views.appearance.theme import Theme, ThemeChoice
from anaphora.window.main_window import MainWindow
from anaphora.window.services import Services


def make_window(
    application: QApplication,
    loader: Loader,
    settings: WindowSettings | None = None,
    load: Callable[[Path], Loader] | None = None,
    own: Path | None = None,
    transport: Transport | None = None,
    device: ComputeDevice | None = None,
) -> MainWindow:
    """Wire the window; its engine thread is not started yet.

    Args:
        loader: makes the engine, in the engine's thread.
        load: makes the loader of an installed model.
        own: the folder of the model that `loader` loads.
    """
    if settings is None:
        settings = window_settings()
    # Texts are taken when widgets are made, so the language comes before the first of them.
    install_language(application, chosen_language(settings))
    theme = Theme(application, stored_choice(settings, "theme", ThemeChoice.SYSTEM))
    device = device or ComputeDevice(settings)
    window = MainWindow(
        _make_services(loader, settings, theme, load or default_loader, own or default_model(), device)
    )
    _add_model_downloads(application, window, transport or Transport())
    return window


def _add_model_downloads(application: QApplication, window: MainWindow, transport: Transport) -> None:
    service = ModelDownloadService(offered_models(), models_folder(), transport, parent=window)
    application.aboutToQuit.connect(service.cancel)
    ModelDownloads(window, service)


def _make_services(
    loader: Loader,
    settings: WindowSettings,
    theme: Theme,
    load: Callable[[Path], Loader],
    own: Path,
    device: ComputeDevice,
) -> Services:
    made = Services()
    made.device, made.theme, made.settings, made.sample = device, theme, settings, sample_document()
    tasks, dismissals = BackgroundTasks(), Dismissals()
    made.terms = terms = TermService(shared_terms_path())
    made.dictionary = dictionary = DictionaryService(glossary, tasks)
    made.hints = hints = DictionaryHints(dictionary)
    made.worker = worker = EngineWorker(loader, terms=terms.for_engine, draft=hinted(hints.lacking))
    hints.listen_to(worker)
    made.drafting = drafting = DraftingService(worker)
    made.consistency = ConsistencyService(dictionary, worker, tasks)
    made.influence = InfluenceService(worker)
    drafting.draft_held.connect(made.influence.forget_after)
    made.changed = ChangedDrafts()
    drafting.renewing.connect(made.changed.forget)
    made.confidence = ConfidenceService(worker)
    drafting.renewing.connect(made.confidence.begin_anew)
    made.memory = memory = MemoryService(shared_memory_path(), is_on(settings, SHARED_SETTING))
    made.filling = FillingService(memory, is_on(settings, FILL_SETTING))
    made.first_sight = FirstSightService(terms, dictionary, worker, known_names, tasks)
    made.steering = SteeringService(worker, drafting)
    made.corrections = CorrectionService(worker, drafting, tasks, shared_corrections_path())
    made.packs = PackService(worker, drafting, made.steering, made.corrections, tasks)
    made.models = ModelService(worker, models_folder(), own, loader, load)
    device.changed.connect(made.models.load_anew)
    made.recent = RecentFiles()
    made.spelling = SpellingService(Speller(dictionaries(), own_words_path(), used_words()), tasks)
    made.checking = CheckingService(tasks, dismissals, made.spelling, judges_terms=True)
    made.quick_fixes = QuickFixes(made.checking, tasks)
    made.unifying = UnifyingService(worker, tasks, terms.for_engine)
    made.controller = DocumentController(tasks, made.models, made.recent)
    made.search, made.preview = SearchService(tasks), PreviewService(tasks)
    _connect(made, dismissals)
    return made


def _connect(services: Services, dismissals: Dismissals) -> None:
    controller, checking, drafting = services.controller, services.checking, services.drafting
    terms, memory, consistency = services.terms, services.memory, services.consistency
    for shown in (
        *(dismissals, checking, services.changed, services.confidence),
        *(services.influence, services.hints, services.unifying, services.spelling),
    ):
        controller.follow(shown, before_shown=True)
    for feature in (
        *(terms, drafting),  # the first draft asks for terms
        *(services.steering, services.packs, services.corrections, consistency),
        *(memory, services.filling, services.first_sight),
    ):
        controller.follow(feature)
    controller.pair_changed.connect(checking.say_again)
    drafting.warned.connect(checking.add_warnings)
    memory.read.connect(services.packs.read_memory)
    terms.ignored.connect(drafting.redraft)
    terms.judged.connect(checking.judge_terms)
    terms.changed.connect(checking.await_terms)
    terms.changed.connect(partial(_use_terms, services))
    terms.failed.connect(lambda _: checking.give_up_terms())
    controller.model_changed.connect(drafting.renew_drafts)
    services.filling.taken_back.connect(drafting.draft_remaining)
    for repeating in (drafting, services.filling):
        controller.repetitions_chosen.connect(repeating.choose_repetitions)
    for translating in (drafting, services.corrections, consistency, memory):
        controller.languages_changed.connect(translating.follow_languages)


def _use_terms(services: Services) -> None:
    """Terms that a base holds are no recurring terms to be found, and their words are no misspellings."""
    if (terms := services.terms.terms) is not None:
        bases = terms.entries.values()
        services.consistency.use_terms(bases)
        services.spelling.use_terms(tuple(chain.from_iterable(bases)))
