"""Declares memory packs: export, import and the list of imported packs."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature
from anaphora.features.corrections.feature import Corrections
from anaphora.features.drafting.feature import Drafting
from anaphora.features.packs.packs import PackService
from anaphora.features.packs.view.exchange import PackController
from anaphora.features.steering.feature import Steering
from anaphora.features.tm.feature import Tm


class Packs(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        of = desk.of
        self.service = PackService(
            desk.worker, of(Drafting).service, of(Steering).service, of(Corrections).service, desk.tasks
        )
        self.follows = (self.service,)
        self.controller = PackController(desk, self.service)
        of(Tm).service.read.connect(self.service.use_matches)

    def entries(self) -> Iterable[Action]:
        packs, group = self.controller, "document_memory:packs:"
        yield Action("export_pack", self.tr("&Export as a memory pack…"), packs.choose_export, f"{group}10")
        yield Action("bring_in_pack", self.tr("&Import a memory pack…"), packs.choose_import, f"{group}20")
        yield Action("packs", self.tr("Memory &packs…"), packs.list_packs, f"{group}30")
