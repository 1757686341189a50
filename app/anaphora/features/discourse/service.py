"""Updates the discourse of the current document in the background while its panel is visible."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer, Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment
from anaphora.features.discourse.names import names_of, renderings_of
from anaphora.features.discourse.narration import narration_of
from anaphora.features.discourse.passages import passages_of
from anaphora.features.discourse.pronouns import pronoun_mismatches
from anaphora.features.discourse.results import Discourse
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.system.background import BackgroundTasks

_MAX_SEGMENTS = 5_000


def examine(segments: Sequence[Segment], pair: LanguagePair) -> Discourse:
    """Check names and, for Chinese into English, pronouns and narration. Too slow for the window's thread."""
    names = names_of(tuple(each.source for each in segments), pair.source_language.code == "zh")
    rendered = tuple(renderings_of(names, segments))
    if not pair.is_chinese_to_english:
        return Discourse(rendered)
    words = frozenset(word for name in rendered for word in name.rendering.split())
    passages = passages_of(segments, [name for name, is_person in names.items() if is_person])
    tense, person, narration = narration_of(passages, words)
    order = {each.id: row for row, each in enumerate(segments)}
    narration.sort(key=lambda each: order[each.segment])
    deviating = {each.segment for each in narration}
    pronouns = [each for each in pronoun_mismatches(passages, bool(tense)) if each.segment not in deviating]
    return Discourse(rendered, True, tuple(pronouns), tuple(narration), tense, person)


class DiscourseService(SessionFollower):
    """Follows a session, and computes its discourse while the panel is visible.

    Signals:
        found: the Discourse of the current document; None while it is unknown, and after closing.
    """

    found = Signal(object)

    def __init__(self, tasks: BackgroundTasks, is_visible: Callable[[], bool], pause_ms: int = 500) -> None:
        super().__init__()
        self._tasks, self._is_visible, self._document = tasks, is_visible, ""
        self._is_computing = self._is_outdated = False
        self._timer = QTimer(self, singleShot=True, interval=pause_ms)
        self._timer.timeout.connect(self._compute)

    def follow(self, project: OpenProject) -> None:
        super().follow(project)
        self.update()

    def close(self) -> None:
        super().close()
        self._timer.stop()
        self.found.emit(None)

    def show_document(self, document: str) -> None:
        if document != self._document:
            self._document = document
            self.found.emit(None)
            self.update()

    def update(self) -> None:
        """Recompute the discourse soon if the panel is visible; otherwise mark it as outdated."""
        self._is_outdated = True
        if self._is_visible() and not self._is_computing:
            self._timer.start()

    def _follow(self, changes: ChangeSet) -> None:
        self.update()

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self.update()

    def _compute(self) -> None:
        session, document = self._session, self._document
        if session is None:
            return
        self._is_computing, self._is_outdated = True, False
        segments, pair = tuple(session.document), session.pair

        def work() -> Discourse:
            return examine([each for each in segments if each.document == document][:_MAX_SEGMENTS], pair)

        def show(discourse: Discourse) -> None:
            self._is_computing = False
            if session is self._session and document == self._document:
                self.found.emit(discourse)
            if self._is_outdated:
                self.update()

        self._tasks.start(work, show, self._fail, awaited=False)

    def _fail(self, error: Exception) -> None:
        self._is_computing = False
        super()._fail(error)
