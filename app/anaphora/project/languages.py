"""Effects of a new model or new languages on the open project."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from anaphora.core.language_pair import Pair, pair_of
from anaphora.project.current import CurrentProject
from anaphora.project.models import ModelService
from anaphora.project.opener import Opener
from anaphora.project.rereading import are_in_another_language, read_in


class ProjectLanguages(QObject):
    """Follows the project's model, and rereads documents that were read in another source language."""

    def __init__(self, current: CurrentProject, opener: Opener, models: ModelService) -> None:
        super().__init__(current)
        self._current, self._opener, self._models = current, opener, models
        current.follow(models, before_shown=True)
        models.switched.connect(self._follow)
        models.refitted.connect(self._follow)

    def _follow(self, has_other_model: bool = True) -> None:
        current, project, languages = self._current, self._current.project, self._models.languages
        if project is None:
            return
        if has_other_model:
            current.model_changed.emit()
        if are_in_another_language(project.documents, languages.source):
            self._opener.reopen(partial(read_in, languages.source))
            return
        session = project.session
        session.pair = languages
        current.languages_changed.emit()
        segments = tuple(session.document)

        def receive(pair: Pair) -> None:
            if current.project is project and session.pair == languages:
                project.pair = pair
                current.pair_changed.emit()

        report = partial(current.report, self.tr("Opening"))
        current.tasks.start(lambda: pair_of(segments, languages), receive, report, awaited=False)
