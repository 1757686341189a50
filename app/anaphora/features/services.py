"""The services that no feature declares yet, and what each tells the others. Loads no torch."""

from __future__ import annotations

from PySide6.QtCore import QObject

from anaphora.editor.desk import Desk
from anaphora.features.checks.feature import Checks
from anaphora.features.corrections.corrections import CorrectionService
from anaphora.features.drafting.changed_drafts import ChangedDrafts
from anaphora.features.drafting.drafting import DraftingService
from anaphora.features.explain.influence import InfluenceService
from anaphora.features.export.exporting import Exporting
from anaphora.features.quality.feature import Quality
from anaphora.features.steering.steering import SteeringService
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.project.document.following import Follower
from anaphora.system.locations import shared_corrections_path


class Services:
    """The services of what no feature declares yet."""

    def __init__(self, desk: Desk) -> None:
        desk.legacy.services = self  # those that are made may ask for what is there
        worker = desk.worker
        self.drafting = drafting = DraftingService(worker)
        self.influence = InfluenceService(worker)
        self.changed = ChangedDrafts()
        self.steering = SteeringService(worker, drafting)
        self.corrections = CorrectionService(worker, drafting, desk.tasks, shared_corrections_path())
        self.exporting = Exporting(desk.project)
        self._connect(desk)
        self.before_shown: tuple[Follower, ...] = (self.changed, self.influence)
        self.follows: tuple[Follower, ...] = (drafting, self.steering, self.corrections)
        for part in vars(self).values():
            if isinstance(part, QObject) and part.parent() is None:
                part.setParent(desk.window)

    def _connect(self, desk: Desk) -> None:
        project, drafting, confidence = desk.project, self.drafting, desk.of(Quality).confidence
        drafting.draft_held.connect(self.influence.forget_after)
        drafting.renewing.connect(self.changed.forget)
        drafting.renewing.connect(confidence.begin_anew)
        drafting.warned.connect(desk.of(Checks).service.add_warnings)
        desk.of(Terms).service.ignored.connect(drafting.redraft)
        project.model_changed.connect(drafting.renew_drafts)
        desk.of(Tm).filling.taken_back.connect(drafting.draft_remaining)
        desk.of(Tm).repetitions_chosen.connect(drafting.choose_repetitions)
        for translating in (drafting, self.corrections):
            project.languages_changed.connect(translating.follow_languages)
