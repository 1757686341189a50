"""What the composition root makes for the main window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from anaphora.application.window_settings import WindowSettings
from anaphora.checks.checking import CheckingService
from anaphora.checks.quick_fixes import QuickFixes
from anaphora.dictionary.lookup import DictionaryService
from anaphora.document.search import SearchService
from anaphora.drafting.changed_drafts import ChangedDrafts
from anaphora.drafting.confidence import ConfidenceService
from anaphora.drafting.dictionary_hints import DictionaryHints
from anaphora.drafting.drafting import DraftingService
from anaphora.engine.device import ComputeDevice
from anaphora.engine.worker import EngineWorker
from anaphora.export.preview_service import PreviewService
from anaphora.matches.filling import FillingService
from anaphora.matches.service import MemoryService
from anaphora.memory.corrections import CorrectionService
from anaphora.memory.influence import InfluenceService
from anaphora.memory.packs import PackService
from anaphora.memory.steering import SteeringService
from anaphora.models.service import ModelService
from anaphora.projects.controller import DocumentController
from anaphora.projects.recent_files import RecentFiles
from anaphora.spelling.service import SpellingService
from anaphora.terms.consistency_service import ConsistencyService
from anaphora.terms.first_sight_service import FirstSightService
from anaphora.terms.service import TermService
from anaphora.terms.unifying import UnifyingService
from anaphora.views.appearance.theme import Theme


class Services:
    """The parts that the composition root makes for the window."""

    worker: EngineWorker
    device: ComputeDevice
    drafting: DraftingService
    consistency: ConsistencyService
    checking: CheckingService
    quick_fixes: QuickFixes
    changed: ChangedDrafts
    confidence: ConfidenceService
    influence: InfluenceService
    steering: SteeringService
    packs: PackService
    corrections: CorrectionService
    memory: MemoryService
    filling: FillingService
    terms: TermService
    first_sight: FirstSightService
    dictionary: DictionaryService
    hints: DictionaryHints
    models: ModelService
    unifying: UnifyingService
    spelling: SpellingService
    search: SearchService
    preview: PreviewService
    controller: DocumentController
    recent: RecentFiles
    theme: Theme
    settings: WindowSettings
    sample: Path

    def belong_to(self, window: QObject) -> None:
        """End with the window: what listens to a service would else keep the window, and that the service."""
        self.controller.end_jobs_with(window)  # the first: no answer comes to what has ended
        for part in vars(self).values():
            if isinstance(part, QObject) and part.parent() is None:
                part.setParent(window)
