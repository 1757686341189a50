"""The services that no feature declares yet, and what each tells the others. Loads no torch."""

from __future__ import annotations

from PySide6.QtCore import QObject

from anaphora.editor.desk import Desk
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.dismissals import Dismissals
from anaphora.features.checks.quick_fixes import QuickFixes
from anaphora.features.corrections.corrections import CorrectionService
from anaphora.features.drafting.changed_drafts import ChangedDrafts
from anaphora.features.drafting.drafting import DraftingService
from anaphora.features.explain.influence import InfluenceService
from anaphora.features.quality.feature import Quality
from anaphora.features.spelling.feature import Spelling
from anaphora.features.steering.steering import SteeringService
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.project.document.following import Follower
from anaphora.system.locations import shared_corrections_path


class Services:
    """The services of what no feature declares yet."""

    def __init__(self, desk: Desk) -> None:
        desk.legacy.services = self  # those that are made may ask for what is there
        worker, tasks, dismissals = desk.worker, desk.tasks, Dismissals()
        self.drafting = drafting = DraftingService(worker)
        self.influence = InfluenceService(worker)
        self.changed = ChangedDrafts()
        self.steering = SteeringService(worker, drafting)
        self.corrections = CorrectionService(worker, drafting, tasks, shared_corrections_path())
        spelling = desk.of(Spelling).service
        self.checking = CheckingService(tasks, dismissals, spelling, judges_terms=True)
        self.quick_fixes = QuickFixes(self.checking, tasks)
        self._connect(desk)
        self.before_shown: tuple[Follower, ...] = (
            *(dismissals, self.checking, self.changed, self.influence),
        )
        self.follows: tuple[Follower, ...] = (*(drafting, self.steering, self.corrections),)
        for part in vars(self).values():
            if isinstance(part, QObject) and part.parent() is None:
                part.setParent(desk.window)

    def _connect(self, desk: Desk) -> None:
        project, checking, drafting = desk.project, self.checking, self.drafting
        confidence, terms = desk.of(Quality).confidence, desk.of(Terms).service
        desk.device.changed.connect(desk.models.load_anew)
        drafting.draft_held.connect(self.influence.forget_after)
        drafting.renewing.connect(self.changed.forget)
        drafting.renewing.connect(confidence.begin_anew)
        project.pair_changed.connect(checking.say_again)
        drafting.warned.connect(checking.add_warnings)
        terms.ignored.connect(drafting.redraft)
        terms.judged.connect(checking.judge_terms)
        terms.changed.connect(checking.await_terms)
        terms.failed.connect(lambda _: checking.give_up_terms())
        project.model_changed.connect(drafting.renew_drafts)
        desk.of(Tm).filling.taken_back.connect(drafting.draft_remaining)
        project.repetitions_chosen.connect(drafting.choose_repetitions)
        for translating in (drafting, self.corrections):
            project.languages_changed.connect(translating.follow_languages)
