"""The term bases of the open project: reading, changing, importing, exporting and checking terms."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QTimer, Signal

from anaphora.core.drafts import with_proposal
from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.errors import AnaphoraError
from anaphora.core.long_work import CancelledError, LongWork
from anaphora.core.reading_choices import Columns
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import marks_of
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage, merged
from anaphora.features.spelling.speller import words_of
from anaphora.features.terms.exchange import export_terms, import_terms
from anaphora.features.terms.recognition import FoundTerm, Recogniser
from anaphora.features.terms.usage import TermUse, Verdict, check_terms, is_translated
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.project.exporting.writing import check_destination
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.terms.table import TermBase, TermFile
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import SourceTerm
from anaphora_text.function_words import clashes
from anaphora_text.inflections import certain_forms, inflections

PROJECT = "project"
SHARED = "shared"
BATCH_SIZE = 100
_READY_TIMEOUT = 2.0
"""Maximum seconds that a draft waits for the project's terms; if they come later, the draft is redone."""


@dataclass(frozen=True, slots=True)
class ProjectTerms:
    """The entries of the term bases by the base's name, the project's first. Safe to use from any thread."""

    entries: dict[str, tuple[TermEntry, ...]]
    recogniser: Recogniser
    words: Counter[str] = field(default_factory=Counter)
    """Words of the translations, in lower case, with the number of entries that contain them."""

    @classmethod
    def of(cls, bases: Iterable[TermBase]) -> ProjectTerms:
        by_base = {base.name: base.entries() for base in bases}
        entries = [entry for each in by_base.values() for entry in each]
        return cls(by_base, Recogniser(entries), Counter(word for entry in entries for word in _words(entry)))

    def with_entry(self, name: str, entry: TermEntry) -> ProjectTerms:
        """The terms after `entry` was stored in the term base `name`; fast even with many terms."""
        base = self.entries[name]
        row = next((row for row, each in enumerate(base) if each.id == entry.id), len(base))
        old = base[row] if row < len(base) else None
        entries = self.entries | {name: (*base[:row], entry, *base[row + 1 :])}

        def rank(entry: TermEntry) -> tuple[int, int]:
            return [any(entry is each for each in base) for base in entries.values()].index(True), entry.id

        words = Counter(self.words)
        words.update(_words(entry))
        for word in _words(old) if old is not None else ():
            words[word] -= 1
            if not words[word]:
                del words[word]
        return ProjectTerms(entries, self.recogniser.with_entry(entry, old, rank), words)

    def translations(self, source: str) -> tuple[str, ...]:
        """The allowed translations of a term, those of the project's term base first."""
        found = (each for each in self.recogniser.entries_of(source) if each.source == source)
        return tuple(dict.fromkeys(text for each in found for text in each.allowed))

    def uses(self, segment: Segment) -> tuple[TermUse, ...]:
        found = self.recogniser.find(segment.source, marks_of(segment))
        return check_terms(found, segment.target, segment.source) if found else ()

    def for_engine(self, segment: Segment) -> tuple[SourceTerm, ...]:
        """A segment's terms, with the forms that its draft must use or must avoid."""
        return tuple(map(_source_term, self.recogniser.find(segment.source, marks_of(segment))))


class TermService(SessionFollower):
    """The project's and the shared term base; slow work runs in the background.

    Signals:
        found: (segment id, TermUses) for the last requested segment.
        changed: the term bases were loaded, or their content has changed.
        checked: {segment id: (target, TermUses)} for segments with a translation.
        ignored: ids of segments whose drafts violate the current terms, or were made without them.
        stored: the TermEntry that has been stored.
        added: number of entries that `add_all` has stored.
        importing: path of the file being imported; None at the end.
        progressed: progress of the import, in per mille.
        import_cancelled: the import changed nothing.
        imported: the TermImport.
        exported: (path, number of entries).
        failed: an AnaphoraError.
    """

    found = Signal(str, object)
    changed = Signal()
    checked = Signal(object)
    ignored = Signal(object)
    stored = Signal(object)
    added = Signal(int)
    importing = Signal(object)
    progressed = Signal(int)
    import_cancelled = Signal()
    imported = Signal(object)
    exported = Signal(Path, int)
    failed = Signal(object)

    def __init__(self, shared: Path) -> None:
        """`shared` is the file of the shared term base, which is created when first needed."""
        super().__init__()
        self._shared_path = shared
        self._shared: TermFile | None = None
        self._tasks = BackgroundTasks(self, threads=1)
        self._bases: dict[str, TermBase] = {}
        self._store: ProjectStore | None = None
        self._terms: ProjectTerms | None = None
        self._loaded: tuple[list[object], ProjectTerms] | None = None
        self._ready = threading.Event()
        self._ready.set()
        self._drafted_without_terms: set[str] = set()
        self._tickets = itertools.count()
        self._last_ticket = -1
        self._import: LongWork | None = None
        self._edited_ids: dict[str, None] = {}
        self._check_timer = QTimer(self, singleShot=True, interval=300)
        self._check_timer.timeout.connect(self._check_edited)

    @property
    def terms(self) -> ProjectTerms | None:
        return self._terms

    @property
    def writing(self) -> bool:
        return self._tasks.writing

    def follow(self, project: OpenProject) -> None:
        self.open(project.session, project.store)

    def open(self, session: DocumentSession, store: ProjectStore) -> None:
        self.close()
        self._attach(session)
        self._ready.clear()
        self._store = store
        self._bases = bases = {PROJECT: TermBase(PROJECT, store)}
        self._run(lambda: self._read(bases), lambda opened: self._set_terms(session, *opened))

    def close(self) -> None:
        """Detach from the project; pending changes are still written."""
        if self._detach() is None:
            return
        self._check_timer.stop()
        self._edited_ids.clear()
        self.cancel_import()
        self._ready.set()
        self._drafted_without_terms.clear()
        self._bases, self._terms, self._store = {}, None, None
        self._last_ticket = -1

    def release_events(self) -> Sequence[threading.Event]:
        """Events that are set when the current tasks no longer use the project file."""
        return [self._tasks.finished_event()]

    def finish(self) -> None:
        self.close()
        self._tasks.finish()
        if self._shared is not None:
            self._shared.close()

    def for_engine(self, segment_id: str) -> tuple[SourceTerm, ...]:
        """The terms for a segment's draft; waits briefly for them. Called from the engine's thread."""
        if not self._ready.wait(_READY_TIMEOUT):
            self._drafted_without_terms.add(segment_id)
        session, terms = self._session, self._terms
        if session is None or terms is None or not session.document.has(segment_id):
            return ()
        return terms.for_engine(session.document.get(segment_id))

    def ask(self, segment_id: str) -> None:
        """Check a segment's terms; emits `found`, unless another call follows or nothing is loaded."""
        session, terms = self._session, self._terms
        self._last_ticket = ticket = next(self._tickets)
        if session is None or terms is None or not session.document.has(segment_id):
            return
        segment = session.document.get(segment_id)

        def receive(uses: tuple[TermUse, ...]) -> None:
            if ticket == self._last_ticket:
                self.found.emit(segment_id, uses)

        self._run(lambda: terms.uses(segment) if ticket == self._last_ticket else (), receive)

    def add_pair(self, source: str, target: str) -> None:
        """Add a term and a translation to the project's term base; emits `stored`."""

        def work(base: TermBase) -> TermEntry:
            old = base.of(source)
            return base.put(merged(old, _additional(old, target)))

        self._change(PROJECT, work, self.stored.emit)

    def prefer(self, source: str, target: str) -> None:
        """Make `target` the preferred translation of a term; the others stay allowed. Emits `stored`."""
        known = self._terms.translations(source) if self._terms is not None else ()
        self.settle(source, [target, *(text for text in known if text != target)])

    def add_all(self, entries: Sequence[TermEntry]) -> None:
        """Add entries to the project's term base; emits `added`."""
        self._change(PROJECT, lambda base: base.add(entries), lambda _: self.added.emit(len(entries)))

    def settle(self, source: str, targets: Sequence[str]) -> None:
        """In the project's term base, prefer the first of `targets` and allow the rest; emits `stored`.

        The term's forbidden translations stay forbidden, except those in `targets`.
        """
        first, *others = targets

        def work(base: TermBase) -> TermEntry:
            old = base.of(source)
            forbidden = [TargetTerm(text, Usage.FORBIDDEN) for text in old.forbidden if text not in targets]
            admitted = [TargetTerm(text, Usage.ADMITTED) for text in others]
            return base.put(replace(old, targets=(TargetTerm(first), *admitted, *forbidden)))

        self._change(PROJECT, work, self.stored.emit)

    def write(self, name: str, entry: TermEntry) -> None:
        """Store an entry in the term base `name`; emits `stored`."""
        self._change(name, lambda base: base.put(entry), self.stored.emit)

    def remove(self, name: str, entry_ids: Sequence[int]) -> None:
        self._change(name, lambda base: base.remove(entry_ids), lambda _: None)

    def import_file(self, name: str, path: Path, columns: Columns | None = None) -> bool:
        """Add a file's entries to a term base; emits `imported`, `import_cancelled` or `failed`.

        Args:
            columns: the user's choice after an UncertainColumnsError about this table.
        Returns:
            False if another import is running or no project is open.
        """
        if self._session is None or self._import is not None:
            return False
        pair = self._session.pair
        self._import = work = LongWork(self.progressed.emit)
        self.importing.emit(path)
        self._change(
            name,
            lambda base: import_terms(path, base, pair, work.step, columns),
            self.imported.emit,
            self._end_import,
        )
        return True

    def cancel_import(self) -> None:
        """Cancel the running import; the term base stays as it was."""
        if self._import is not None:
            self._import.cancel()

    def export_file(self, name: str, path: Path) -> None:
        bases, store = self._bases, self._store
        if self._session is not None and store is not None:
            pair = self._session.pair

            def write() -> int:
                check_destination(store, path)
                return export_terms(path, [self._base(bases, name)], pair)

            self._run(write, lambda count: self.exported.emit(path, count))

    def _end_import(self) -> None:
        self._import = None
        self.importing.emit(None)

    def _change(
        self,
        name: str,
        work: Callable[[TermBase], object],
        report: Callable[..., None],
        end: Callable[[], None] = lambda: None,
    ) -> None:
        """Change a term base in the background; `report` gets the result of `work`, `end` always runs."""
        session, bases = self._session, self._bases
        if session is None:
            return
        segments, old = list(session.document), self._terms

        def change() -> tuple[object, ProjectTerms, list[str]]:
            result = work(self._base(bases, name))
            terms = self._load(bases, name, result)
            return result, terms, _violating_ids(terms, segments, old or terms)

        def receive(done: tuple[object, ProjectTerms, list[str]]) -> None:
            end()
            result, terms, ignored = done
            if session is self._session:
                self._terms = terms
                self.changed.emit()
                self._check()
                pairs = zip(segments, session.document, strict=False)
                drafted = (now for before, now in pairs if before is not now)
                self.ignored.emit([*ignored, *_violating_ids(terms, drafted, old or terms)])
            report(result)

        def fail(error: Exception) -> None:
            end()
            self._fail(error)

        self._tasks.start(change, receive, fail, must_finish=True)

    def _read(self, bases: dict[str, TermBase]) -> tuple[ProjectTerms, AnaphoraError | None]:
        """The content of the term bases, and the error if the shared one cannot be opened."""
        problem = None
        try:
            self._base(bases, SHARED)
        except AnaphoraError as error:
            problem = error
        return self._load(bases), problem

    def _load(self, bases: dict[str, TermBase], name: str = "", stored: object = None) -> ProjectTerms:
        """The terms; fast if only `stored` in base `name` has changed. Only for the background thread."""
        versions = [base.version() for base in bases.values()]
        if isinstance(stored, TermEntry) and self._loaded is not None and self._loaded[0] == versions:
            terms = self._loaded[1].with_entry(name, stored)
        else:
            terms = ProjectTerms.of(bases.values())
        self._loaded = versions, terms
        return terms

    def _base(self, bases: dict[str, TermBase], name: str) -> TermBase:
        """A term base by its name. Only for the background thread."""
        if name not in bases:
            self._shared = self._shared or TermFile.open(self._shared_path)
            bases[name] = TermBase(name, self._shared)
        return bases[name]

    def _set_terms(
        self, session: DocumentSession, terms: ProjectTerms, problem: AnaphoraError | None
    ) -> None:
        if session is not self._session:
            return
        self._terms = terms
        self._ready.set()
        if problem is not None:
            self.failed.emit(problem)
        self.changed.emit()
        self._check()
        if self._drafted_without_terms:
            self.ignored.emit([*self._drafted_without_terms])
            self._drafted_without_terms.clear()

    def _follow(self, changes: ChangeSet) -> None:
        self._edited_ids |= dict.fromkeys(changes.segments)
        self._check_timer.start()

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self._edited_ids |= dict.fromkeys(segment.id for segment in change.after)
        self._check_timer.start()

    def _check_edited(self) -> None:
        edited, self._edited_ids = self._edited_ids, {}
        self._check(edited)

    def _check(self, segment_ids: Iterable[str] | None = None) -> None:
        """Check the terms in the translations of segments, by default of all segments; emits `checked`."""
        session, terms = self._session, self._terms
        if session is None or terms is None:
            return
        document = session.document
        wanted = None if segment_ids is None else filter(document.has, segment_ids)
        segments = tuple(document if wanted is None else map(document.get, wanted))

        def work() -> None:
            translated = iter(filter(is_translated, segments))
            while (batch := [*islice(translated, BATCH_SIZE)]) and terms is self._terms:
                self.checked.emit({each.id: (each.target, terms.uses(each)) for each in batch})

        self._tasks.start(work, lambda _: None, self._fail, awaited=False)

    def _run(self, work: Callable[[], object], receive: Callable[..., None]) -> None:
        self._tasks.start(work, receive, self._fail)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, AnaphoraError):
            raise error
        if isinstance(error, CancelledError):
            self.import_cancelled.emit()
        else:
            self.failed.emit(error)


def _words(entry: TermEntry) -> Iterable[str]:
    return words_of(entry.allowed)


def _violating_ids(terms: ProjectTerms, segments: Iterable[Segment], old: ProjectTerms) -> list[str]:
    """The drafts that do not use a term, or that use a term changed since `old` in another case."""

    def is_right(use: TermUse, target: str) -> bool:
        entries = use.found.entries
        is_old = entries == old.recogniser.entries_of(entries[0].source)
        texts = [text for entry in entries for text in entry.allowed]
        words = [target[start:end] for start, end in use.spans if start and not is_old]
        return use.verdict is Verdict.USED and all(any(text in word for text in texts) for word in words)

    drafts = (draft for draft in map(with_proposal, segments) if draft.status is Status.DRAFT)
    return [draft.id for draft in drafts if not all(is_right(use, draft.target) for use in terms.uses(draft))]


def _additional(old: TermEntry, target: str) -> TermEntry:
    usage = Usage.ADMITTED if old.allowed else Usage.PREFERRED
    return TermEntry(old.source, (TargetTerm(target, usage),))


def _source_term(found: FoundTerm) -> SourceTerm:
    allowed = [form for entry in found.entries for text in entry.allowed for form in certain_forms(text)]
    forbidden = [form for entry in found.entries for text in entry.forbidden for form in inflections(text)]
    forms = dict.fromkeys(allowed)
    return SourceTerm(
        found.start,
        found.end,
        tuple(forms),
        tuple(form for form in dict.fromkeys(forbidden) if form not in forms),
        clashes(forms),
    )
