"""One rendering for a term: by replacing the other renderings, or by redrafting the sentences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal

from anaphora.core.consistency import Rendering, TermReport, normal_form
from anaphora.core.drafts import is_written
from anaphora.core.edits import Preview
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import marks_of
from anaphora.core.term_entries import TermEntry
from anaphora.engine.jobs import Request, TermsOf
from anaphora.engine.worker import EngineWorker
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.requests import rewriting
from anaphora.features.terms.usage import occurrences, replacements, substitute
from anaphora.project.document.following import SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import SourceTerm
from anaphora_text.function_words import clashes
from anaphora_text.inflections import inflections, plural, regular_singular, written_forms


class UnifyingService(SessionFollower):
    """Computes previews of the sentences with one rendering of a term; does not change the document.

    Signals:
        working: number of sentences that the engine is rewriting.
        proposed: (TermReport, Rendering, tuple of Preview).
    """

    working = Signal(int)
    proposed = Signal(object, object, object)

    def __init__(self, worker: EngineWorker, tasks: BackgroundTasks, terms: TermsOf) -> None:
        super().__init__()
        self._worker = worker
        self._tasks = tasks
        self._terms = terms
        self._request: object = None

    def close(self) -> None:
        super().close()
        self._request = None

    def propose(self, report: TermReport, rendering: Rendering) -> None:
        """Preview the sentences in which `rendering` would replace another rendering; emits `proposed`."""
        session = self._session
        if session is None:
            return
        segments = _to_change(report, rendering, session)
        texts: dict[str, str] = {}
        replaced: set[str] = set()
        self._request = request = object()

        def receive(segment_id: str, text: str) -> None:
            texts[segment_id] = text
            if request is self._request and len(texts) == len(segments):
                self.proposed.emit(report, rendering, _previews(segments, texts, replaced))

        def skip(segment_id: str, _: str) -> None:
            """Leave a sentence unchanged that the engine could not rewrite."""
            receive(segment_id, "")

        if not segments:
            self.proposed.emit(report, rendering, ())
            return

        def requests() -> list[Request]:
            exchanged = {each.id: _replaced(each, report, rendering) for each in segments}
            texts.update((key, text) for key, text in exchanged.items() if text)
            replaced.update(texts)
            left = [each for each in segments if each.id not in replaced]
            return [
                rewriting(session.key, each.id, terms, partial(receive, each.id), partial(skip, each.id))
                for each, terms in zip(left, self._terms_of(report, rendering, left), strict=True)
            ]

        def ask(found: list[Request]) -> None:
            if request is not self._request:
                return
            if found:
                self.working.emit(len(found))
                self._worker.ask(*found)
            else:
                self.proposed.emit(report, rendering, _previews(segments, texts, replaced))

        self._tasks.start(requests, ask, self._fail)

    def _terms_of(
        self, report: TermReport, rendering: Rendering, segments: Sequence[Segment]
    ) -> Iterator[tuple[SourceTerm, ...]]:
        """By sentence, the terms for the engine: only this rendering of the term, and the other terms."""
        recogniser = Recogniser((TermEntry(report.term),))
        forms = _forms(written_forms, rendering)
        rivals = _forms(inflections, *(other for other in report.renderings if other.text != rendering.text))
        forbidden = tuple(form for form in rivals if not any(form.lower() in each.lower() for each in forms))
        for segment in segments:
            found = recogniser.find(segment.source, marks_of(segment))
            terms = [SourceTerm(each.start, each.end, forms, forbidden, clashes(forms)) for each in found]
            yield (
                *terms,
                *(
                    other
                    for other in self._terms(segment.id)
                    if not any(other.start < each.end and each.start < other.end for each in terms)
                ),
            )


def _previews(
    segments: Iterable[Segment], texts: Mapping[str, str], replaced: Collection[str]
) -> tuple[Preview, ...]:
    return tuple(
        Preview(each.id, each.target, after, each.tags, is_written(each), each.id in replaced)
        for each in segments
        if (after := texts[each.id]) and after != each.target
    )


def _replaced(segment: Segment, report: TermReport, rendering: Rendering) -> str:
    """The target with its renderings replaced, in their number and case; "" if that is not clear."""
    used = {
        form.lower()
        for each in report.renderings
        if segment.id in each.segments and normal_form(each.text) != normal_form(rendering.text)
        for form in (each.text, *each.forms)
    }
    words = {singular if plural(singular := regular_singular(form)) == form else form for form in used}
    target, low = segment.target, segment.target.lower()
    spans = [span for word in words for span in occurrences(word, low)]
    pairs = replacements(low, spans, [*words], [rendering.text])
    short = {each.text.lower(): each.text for each in report.renderings if each.text.isupper()}
    return substitute(target, (*pairs, *((short.get(old, old), new) for old, new in pairs))) if pairs else ""


def _to_change(report: TermReport, rendering: Rendering, session: DocumentSession) -> list[Segment]:
    """The segments with another rendering of a term, in the order of the document.

    Includes segments with an unknown rendering, unless they contain the chosen words.
    """
    chosen = normal_form(rendering.text)
    known = {normal_form(each.text): each.segments for each in report.renderings}
    others = {place for form, where in known.items() if form != chosen for place in where}
    unknown = set(report.places).difference(*known.values())
    document = session.document
    segments = [document.get(each) for each in others | unknown if document.has(each)]
    segments = [
        each for each in segments if each.id in others or not occurrences(rendering.text, each.target)
    ]
    segments.sort(key=lambda segment: document.row(segment.id))
    return [replace(each) for each in segments if each.status is not Status.LOCKED and each.target.strip()]


def _forms(inflect: Callable[[str], Iterable[str]], *renderings: Rendering) -> tuple[str, ...]:
    """All inflected forms of renderings, each once."""
    texts = (form for each in renderings for text in (each.text, *each.forms) for form in inflect(text))
    return tuple(dict.fromkeys(texts))
