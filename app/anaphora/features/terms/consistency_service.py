"""Services that keep recurring terms and renderings up to date, and that preview one rendering everywhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer, Signal

from anaphora.core.consistency import Rendering, Term, TermReport, normal_form
from anaphora.core.drafts import is_written
from anaphora.core.edits import ChangeSet, Preview, Resegmentation
from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import Language
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import marks_of
from anaphora.core.term_entries import TermEntry
from anaphora.engine.jobs import Request, TermsOf
from anaphora.engine.worker import EngineWorker
from anaphora.features.dictionary.hints import DictionaryService
from anaphora.features.terms.consistency import find_renderings, recurring_terms, with_choices
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.renderings import stretches_of
from anaphora.features.terms.requests import alignment, rewriting
from anaphora.features.terms.usage import occurrences, replacements, substitute
from anaphora.features.terms.word_book import WordBook
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import Explanation, MemoryView, SourceTerm
from anaphora_text.function_words import clashes
from anaphora_text.inflections import certain_forms, inflections, plural, regular_singular

_DICTIONARY_PAIR = LanguagePair("zh", "en")
_BATCH_SIZE = 500


def alignment_of(explanation: Explanation) -> Explanation:
    """An explanation without data about the engine's memory, so that 10,000 explanations fit into RAM."""
    tokens = tuple(replace(token, uses=(), shares={}) for token in explanation.tokens)
    view = MemoryView(explanation.segment, explanation.view.memory)
    return replace(explanation, tokens=tokens, view=view)


def _stretches(segment: Segment, terms: Iterable[str]) -> tuple[tuple[int, int], ...]:
    found = (stretch for term in terms for stretch in stretches_of(term, segment.source))
    return tuple(dict.fromkeys(found))


class ConsistencyService(SessionFollower):
    """Finds a session's recurring terms, and finds their renderings again whenever targets change.

    Signals:
        reported: tuple of TermReport; empty when a project is closed.
    """

    reported = Signal(object)

    def __init__(
        self, dictionary: DictionaryService, worker: EngineWorker, tasks: BackgroundTasks, pause_ms: int = 700
    ) -> None:
        super().__init__()
        self._dictionary = dictionary
        self._worker = worker
        self._tasks = tasks
        self._terms: tuple[Term, ...] = ()
        self._translations: Callable[[str], tuple[str, ...]] = lambda source: ()
        self._terms_by_segment: dict[str, tuple[str, ...]] = {}
        self._unaligned: set[str] = set()
        self._search_count = 0
        self._alignments: dict[str, Explanation] = {}
        self._is_computing = False
        self._is_outdated = False
        self._timer = QTimer(self, singleShot=True, interval=pause_ms)
        self._timer.timeout.connect(self._compute)

    def follow(self, project: OpenProject) -> None:
        super().follow(project)
        self._find_terms()

    def close(self) -> None:
        super().close()
        self._terms = ()
        self._terms_by_segment = {}
        self._alignments.clear()
        self._unaligned.clear()
        self._timer.stop()
        self.reported.emit(())

    def follow_languages(self) -> None:
        self._find_terms()

    def use_terms(self, translations: Callable[[str], tuple[str, ...]]) -> None:
        """Set the function that returns the term bases' translations of a source term."""
        self._translations = translations
        if self._terms:
            self._timer.start()

    def _find_terms(self) -> None:
        session = self._session
        if session is None:
            return
        self._search_count += 1
        segments, language = tuple(session.document), session.pair.source_language
        known = dict(self._alignments)

        def work() -> tuple[tuple[Term, ...], dict[str, tuple[str, ...]], set[str]]:
            terms = recurring_terms(segments, self._book(language), language)
            terms_of = _terms_by_segment(terms)
            texts = {segment: each.text for segment, each in known.items()}
            aligned = {each.id for each in segments if texts.get(each.id) == each.target}
            return terms, terms_of, terms_of.keys() - aligned

        def receive(found: tuple[tuple[Term, ...], dict[str, tuple[str, ...]], set[str]]) -> None:
            if session is self._session:
                self._terms, self._terms_by_segment, unaligned = found
                self._unaligned |= unaligned
                self._timer.start()

        self._tasks.start(work, receive, self._fail, awaited=False)

    def _book(self, language: Language) -> WordBook:
        is_chinese = language.code in ("", "zh")
        return WordBook(self._dictionary.dictionary(_DICTIONARY_PAIR) if is_chinese else None, {})

    def _follow(self, changes: ChangeSet) -> None:
        touched = {edit.segment for edit in changes.edits if edit.before.target != edit.after.target}
        self._unaligned |= touched & self._terms_by_segment.keys()
        if self._unaligned and not self._timer.isActive():
            self._timer.start()

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self._find_terms()

    def _align(self, session: DocumentSession) -> None:
        segments, searches = tuple(session.document), self._search_count
        terms_of, receive = self._terms_by_segment, self._use_alignment
        wanted, self._unaligned = self._unaligned, set()

        def work() -> list[Request]:
            return [
                alignment(session.key, each.id, each.target, _stretches(each, terms_of[each.id]), receive)
                for each in segments
                if each.id in wanted and each.id in terms_of and each.target.strip()
            ]

        ask = partial(self._ask, session, searches)
        self._tasks.start(work, ask, self._fail, awaited=False)

    def _use_alignment(self, explanation: Explanation) -> None:
        segment = self._session.document.find(explanation.segment) if self._session is not None else None
        is_current = segment is not None and segment.target == explanation.text
        if is_current and explanation.segment in self._terms_by_segment:
            self._alignments[explanation.segment] = alignment_of(explanation)
            if not self._timer.isActive():
                self._timer.start()

    def _ask(self, session: DocumentSession, searches: int, requests: list[Request]) -> None:
        # If the terms were searched again meanwhile, `_find_terms` requests the missing alignments.
        if requests and session is self._session and searches == self._search_count:
            self._worker.ask(*requests[:_BATCH_SIZE])
            QTimer.singleShot(0, self, lambda: self._ask(session, searches, requests[_BATCH_SIZE:]))

    def _compute(self) -> None:
        session = self._session
        if session is None or not self._terms:
            return
        if self._unaligned:
            self._align(session)
        if self._is_computing:
            self._is_outdated = True
            return
        self._is_computing, self._is_outdated = True, False
        terms, terms_of, alignments = self._terms, self._terms_by_segment, dict(self._alignments)
        translations, document = self._translations, tuple(session.document)

        def work() -> tuple[TermReport, ...]:
            allowed = {term.text: translations(term.text) for term in terms}
            segments = tuple(segment for segment in document if segment.id in terms_of)
            found = find_renderings(terms, segments, alignments, allowed)
            return with_choices(found, allowed, segments)

        def show(reports: tuple[TermReport, ...]) -> None:
            self._is_computing = False
            if session is self._session:
                self.reported.emit(reports)
            if self._is_outdated:
                self._timer.start()

        self._tasks.start(work, show, self._fail, awaited=False)

    def _fail(self, error: Exception) -> None:
        self._is_computing = False
        super()._fail(error)


def _terms_by_segment(terms: Iterable[Term]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for term in terms:
        for segment in term.segments:
            found[segment].append(term.text)
    return {segment: tuple(texts) for segment, texts in found.items()}


class UnifyingService(SessionFollower):
    """Computes previews that give a term the same rendering in all sentences; changes no document.

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
        """Preview a change to `rendering` everywhere; emits `proposed`, unless another call follows."""
        session = self._session
        if session is None:
            return
        segments = _segments_to_change(report, rendering, session)
        texts: dict[str, str] = {}
        replaced_ids: set[str] = set()
        self._request = request = object()

        def receive(segment_id: str, text: str) -> None:
            texts[segment_id] = text
            if request is self._request and len(texts) == len(segments):
                self.proposed.emit(report, rendering, _previews(segments, texts, replaced_ids))

        def skip(segment_id: str, _: str) -> None:
            """Do not change a sentence that the engine could not rewrite."""
            receive(segment_id, "")

        if not segments:
            self.proposed.emit(report, rendering, ())
            return

        def requests() -> list[Request]:
            new_targets = {each.id: _replace_renderings(each, report, rendering) for each in segments}
            texts.update((key, text) for key, text in new_targets.items() if text)
            replaced_ids.update(texts)
            others = [each for each in segments if each.id not in replaced_ids]
            return [
                rewriting(session.key, each.id, terms, partial(receive, each.id), partial(skip, each.id))
                for each, terms in zip(others, self._terms_of(report, rendering, others), strict=True)
            ]

        def ask(found: list[Request]) -> None:
            if request is not self._request:
                return
            if found:
                self.working.emit(len(found))
                self._worker.ask(*found)
            else:
                self.proposed.emit(report, rendering, _previews(segments, texts, replaced_ids))

        self._tasks.start(requests, ask, self._fail)

    def _terms_of(
        self, report: TermReport, rendering: Rendering, segments: Sequence[Segment]
    ) -> Iterator[tuple[SourceTerm, ...]]:
        """The terms for rewriting each sentence: this term, which allows only `rendering`, and all others."""
        recogniser = Recogniser((TermEntry(report.term),))
        forms = _forms(certain_forms, rendering)
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
    segments: Iterable[Segment], texts: Mapping[str, str], replaced_ids: Collection[str]
) -> tuple[Preview, ...]:
    return tuple(
        Preview(each.id, each.target, after, each.tags, is_written(each), each.id in replaced_ids)
        for each in segments
        if (after := texts[each.id]) and after != each.target
    )


def _replace_renderings(segment: Segment, report: TermReport, rendering: Rendering) -> str:
    """Replace other renderings with `rendering`, keeping number and case; "" if a replacement is unclear."""
    used = {
        form.lower()
        for each in report.renderings
        if segment.id in each.segments and normal_form(each.text) != normal_form(rendering.text)
        for form in (each.text, *each.forms)
    }
    words = {singular if plural(singular := regular_singular(form)) == form else form for form in used}
    target, lower = segment.target, segment.target.lower()
    spans = [span for word in words for span in occurrences(word, lower)]
    pairs = replacements(lower, spans, [*words], [rendering.text])
    upper = {each.text.lower(): each.text for each in report.renderings if each.text.isupper()}
    return substitute(target, (*pairs, *((upper.get(old, old), new) for old, new in pairs))) if pairs else ""


def _segments_to_change(report: TermReport, rendering: Rendering, session: DocumentSession) -> list[Segment]:
    """The translated, unlocked segments in which the rendering of a term differs or is unknown."""
    chosen = normal_form(rendering.text)
    known = {normal_form(each.text): each.segments for each in report.renderings}
    others = {segment for form, places in known.items() if form != chosen for segment in places}
    unknown = set(report.segments).difference(*known.values())
    document = session.document
    segments = [document.get(each) for each in others | unknown if document.has(each)]
    segments = [
        each for each in segments if each.id in others or not occurrences(rendering.text, each.target)
    ]
    segments.sort(key=lambda segment: document.row(segment.id))
    return [replace(each) for each in segments if each.status is not Status.LOCKED and each.target.strip()]


def _forms(inflect: Callable[[str], Iterable[str]], *renderings: Rendering) -> tuple[str, ...]:
    texts = (form for each in renderings for text in (each.text, *each.forms) for form in inflect(text))
    return tuple(dict.fromkeys(texts))
