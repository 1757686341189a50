"""What the composition root makes for the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSettings

from anaphora.services.background import BackgroundTasks
from anaphora.services.checking import CheckingService
from anaphora.services.consistency_worker import ConsistencyService
from anaphora.services.drafting import DraftingService
from anaphora.services.engine_worker import EngineWorker
from anaphora.store.locations import RecentFiles
from anaphora.views.theme import Theme


@dataclass(frozen=True, slots=True)
class Services:
    """What the window works with.

    Attributes:
        sample: the sample document.
    """

    worker: EngineWorker
    drafting: DraftingService
    consistency: ConsistencyService
    checking: CheckingService
    tasks: BackgroundTasks
    recent: RecentFiles
    theme: Theme
    settings: QSettings
    sample: Path
