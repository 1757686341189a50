"""Declares the dictionary: a section of the rail, and hints for drafts."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.feature import Desk, Feature, Section
from anaphora.features.dictionary.hinted_drafts import drafter_with_hints
from anaphora.features.dictionary.hints import DictionaryHints, DictionaryService
from anaphora.features.dictionary.view.panel import DictionaryController, DictionaryLines
from anaphora.features.quality.feature import Quality
from anaphora.system.locations import glossary


class Dictionary(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.service = DictionaryService(glossary, desk.tasks)
        self.hints = DictionaryHints(self.service)
        self.hints.follow_worker(desk.worker)
        desk.worker.set_draft_function(drafter_with_hints(self.hints.find_hints))
        self.before_shown = (self.hints,)
        self.lines = DictionaryLines(desk.theme)
        confidence = desk.of(Quality).confidence
        self.controller = DictionaryController(desk, self.service, confidence, self.hints, self.lines)

    def shown(self) -> Iterable[Section]:
        yield Section("dictionary", self.tr("Dictionary"), self.lines, 50, self.lines.changed)

    def close(self) -> None:
        self.controller.show_segment("")
