"""The term bases beside a session: read by drafts and by the panel, changed by the dialog and by one key."""

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
from anaphora.features.terms.usage import TermUse, Verdict, check_terms, is_judged
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.project.exporting.destinations import check_destination
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.terms.file import TermFile
from anaphora.project.store.terms.table import TermBase
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import SourceTerm
from anaphora_text.determiners import clashes
from anaphora_text.inflections import inflections, written_forms

PROJECT = "project"
SHARED = "shared"
_AT_ONCE = 100
"""Segments whose judgements are reported together."""
_READY_TIMEOUT = 2.0
"""Seconds that a draft waits for the project's terms; it is made again if they come later."""


@dataclass(frozen=True, slots=True)
class ProjectTerms:
    """The terms in the term bases of a project, the project's first. Safe to use from any thread."""

    entries: dict[str, tuple[TermEntry, ...]]
    recogniser: Recogniser
    words: Counter[str] = field(default_factory=Counter)
    """Words of the translations, in lower case, with the number of entries."""

    @classmethod
    def of(cls, bases: Iterable[TermBase]) -> ProjectTerms:
        entries = {base.name: base.entries() for base in bases}
        every = [entry for each in entries.values() for entry in each]
        return cls(entries, Recogniser(every), Counter(word for entry in every for word in _words(entry)))

    def with_entry(self, name: str, entry: TermEntry) -> ProjectTerms:
        """The terms after an entry was stored in a term base; fast with many terms too."""
        own = self.entries[name]
        place = next((place for place, each in enumerate(own) if each.id == entry.id), len(own))
        old = own[place] if place < len(own) else None
        entries = self.entries | {name: (*own[:place], entry, *own[place + 1 :])}

        def rank(entry: TermEntry) -> tuple[int, int]:
            """The number of its term base, and its id."""
            return [any(entry is each for each in base) for base in entries.values()].index(True), entry.id

        words = Counter(self.words)
        words.update(_words(entry))
        for word in _words(old) if old is not None else ():
            words[word] -= 1
            if not words[word]:
                del words[word]
        return ProjectTerms(entries, self.recogniser.with_entry(entry, old, rank), words)

    def called(self, source: str) -> tuple[str, ...]:
        """The translations of a term, the project's first."""
        held = (each for each in self.recogniser.of(source) if each.source == source)
        return tuple(dict.fromkeys(text for each in held for text in each.allowed))

    def uses(self, segment: Segment) -> tuple[TermUse, ...]:
        """The use of a source's terms in its target."""
        found = self.recogniser.find(segment.source, marks_of(segment))
        return check_terms(found, segment.target, segment.source) if found else ()

    def for_engine(self, segment: Segment) -> tuple[SourceTerm, ...]:
        """Requirements for a draft of a segment."""
        return tuple(map(_source_term, self.recogniser.find(segment.source, marks_of(segment))))


class TermService(SessionFollower):
    """Holds the project's and the shared term base; slow work runs in its own thread.

    Signals:
        found: (segment id, TermUses) for the last requested segment.
        changed: the term bases hold something else than before.
        judged: by segment id (target, TermUses): what translations make of their terms.
        ignored: ids of drafts that do not follow the terms as they are now.
        put: the Entry that has been stored.
        added: how many entries have been added at once.
        importing: the path of a file that is being imported; None when that is over.
        progressed: per mille of the import.
        import_cancelled: it has changed nothing.
        imported: the TermImport.
        exported: (path, number of entries).
        failed: an AnaphoraError.
    """

    found = Signal(str, object)
    changed = Signal()
    judged = Signal(object)
    ignored = Signal(object)
    put = Signal(object)
    added = Signal(int)
    importing = Signal(object)
    progressed = Signal(int)
    import_cancelled = Signal()
    imported = Signal(object)
    exported = Signal(Path, int)
    failed = Signal(object)

    def __init__(self, shared: Path) -> None:
        """The file of the shared term base is made when it is first needed."""
        super().__init__()
        self._shared_path = shared
        self._shared: TermFile | None = None
        self._tasks = BackgroundTasks(self, threads=1)
        self._bases: dict[str, TermBase] = {}
        self._store: ProjectStore | None = None
        self._terms: ProjectTerms | None = None
        self._held: tuple[list[object], ProjectTerms] | None = None
        self._ready = threading.Event()
        self._ready.set()
        self._went_without: set[str] = set()
        self._ticket = itertools.count()
        self._asked = -1
        self._import: LongWork | None = None
        self._edited: dict[str, None] = {}
        self._judge_soon = QTimer(self, singleShot=True, interval=300)
        self._judge_soon.timeout.connect(self._judge_edited)

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
        self._run(lambda: self._read(bases), lambda opened: self._take(session, *opened))

    def close(self) -> None:
        """Stop reading; what was stored is written after what is still to be written."""
        if self._detach() is None:
            return
        self._judge_soon.stop()
        self._edited.clear()
        self.cancel_import()
        self._ready.set()
        self._went_without.clear()
        self._bases, self._terms, self._store = {}, None, None
        self._asked = -1

    def ends_of_use(self) -> Sequence[threading.Event]:
        """See `UsingFile`."""
        return [self._tasks.finished_event()]

    def finish(self) -> None:
        self.close()
        self._tasks.finish()
        if self._shared is not None:
            self._shared.close()

    def for_engine(self, segment_id: str) -> tuple[SourceTerm, ...]:
        """Requirements for a draft of a segment. Called from the engine's thread."""
        if not self._ready.wait(_READY_TIMEOUT):
            self._went_without.add(segment_id)
        session, terms = self._session, self._terms
        if session is None or terms is None or not session.document.has(segment_id):
            return ()
        return terms.for_engine(session.document.get(segment_id))

    def ask(self, segment_id: str) -> None:
        """Check the use of terms in a segment; `found` follows, unless another one is requested first."""
        session, terms = self._session, self._terms
        self._asked = ticket = next(self._ticket)
        if session is None or terms is None or not session.document.has(segment_id):
            return
        segment = session.document.get(segment_id)

        def take(uses: tuple[TermUse, ...]) -> None:
            if ticket == self._asked:
                self.found.emit(segment_id, uses)

        self._run(lambda: terms.uses(segment) if ticket == self._asked else (), take)

    def add_pair(self, source: str, target: str) -> None:
        """Add what was selected on both sides to the project's term base; `put` follows."""

        def work(base: TermBase) -> TermEntry:
            old = base.of(source)
            return base.put(merged(old, _further(old, target)))

        self._change(PROJECT, work, self.put.emit)

    def add_all(self, entries: Sequence[TermEntry]) -> None:
        self._change(PROJECT, lambda base: base.add(entries), lambda _: self.added.emit(len(entries)))

    def settle(self, source: str, targets: Sequence[str]) -> None:
        """Call a term the first of these, and allow the others, in the project's term base; `put` follows."""
        first, *others = targets

        def work(base: TermBase) -> TermEntry:
            old = base.of(source)
            forbidden = [TargetTerm(text, Usage.FORBIDDEN) for text in old.forbidden if text not in targets]
            admitted = [TargetTerm(text, Usage.ADMITTED) for text in others]
            return base.put(replace(old, targets=(TargetTerm(first), *admitted, *forbidden)))

        self._change(PROJECT, work, self.put.emit)

    def write(self, name: str, entry: TermEntry) -> None:
        self._change(name, lambda base: base.put(entry), self.put.emit)

    def remove(self, name: str, numbers: Sequence[int]) -> None:
        self._change(name, lambda base: base.remove(numbers), lambda _: None)

    def import_file(self, name: str, path: Path, columns: Columns | None = None) -> bool:
        """Fill a term base from a file; `imported`, `import_cancelled` or `failed` follows.

        False, and nothing begins, while another import is under way.

        Args:
            columns: of a table for which `failed` gave an UncertainColumnsError.
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
        tell: Callable[..., None],
        end: Callable[[], None] = lambda: None,
    ) -> None:
        """Change a term base in its thread; `tell` gets the result of `work`, `end` is always called."""
        session, bases = self._session, self._bases
        if session is None:
            return
        segments = list(session.document)

        def change() -> tuple[object, ProjectTerms, list[str]]:
            result = work(self._base(bases, name))
            terms = self._held_now(bases, name, result)
            return result, terms, _not_followed(terms, segments)

        def take(done: tuple[object, ProjectTerms, list[str]]) -> None:
            end()
            result, terms, ignored = done
            if session is self._session:
                self._terms = terms
                self.changed.emit()
                self._judge()
                drafted = (
                    new for old, new in zip(segments, session.document, strict=False) if old is not new
                )
                self.ignored.emit([*ignored, *_not_followed(terms, drafted)])
            tell(result)

        def fail(error: Exception) -> None:
            end()
            self._fail(error)

        self._tasks.start(change, take, fail, must_finish=True)

    def _read(self, bases: dict[str, TermBase]) -> tuple[ProjectTerms, AnaphoraError | None]:
        """The contents of the term bases, and the reason if the shared one is missing."""
        problem = None
        try:
            self._base(bases, SHARED)
        except AnaphoraError as error:
            problem = error
        return self._held_now(bases), problem

    def _held_now(self, bases: dict[str, TermBase], name: str = "", put: object = None) -> ProjectTerms:
        """The terms after `put` was stored in a term base; only in the thread that reads them."""
        versions = [base.version() for base in bases.values()]
        if isinstance(put, TermEntry) and self._held is not None and self._held[0] == versions:
            terms = self._held[1].with_entry(name, put)
        else:
            terms = ProjectTerms.of(bases.values())
        self._held = versions, terms
        return terms

    def _base(self, bases: dict[str, TermBase], name: str) -> TermBase:
        """A term base by its name; only in the thread that reads them."""
        if name not in bases:
            self._shared = self._shared or TermFile.open(self._shared_path)
            bases[name] = TermBase(name, self._shared)
        return bases[name]

    def _take(self, session: DocumentSession, terms: ProjectTerms, problem: AnaphoraError | None) -> None:
        if session is not self._session:
            return
        self._terms = terms
        self._ready.set()
        if problem is not None:
            self.failed.emit(problem)
        self.changed.emit()
        self._judge()
        if self._went_without:
            self.ignored.emit([*self._went_without])
            self._went_without.clear()

    def _follow(self, changes: ChangeSet) -> None:
        self._edited |= dict.fromkeys(changes.segments)
        self._judge_soon.start()

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self._edited |= dict.fromkeys(segment.id for segment in change.after)
        self._judge_soon.start()

    def _judge_edited(self) -> None:
        edited, self._edited = self._edited, {}
        self._judge(edited)

    def _judge(self, segment_ids: Iterable[str] | None = None) -> None:
        """Look what translations make of their terms: of all segments by default."""
        session, terms = self._session, self._terms
        if session is None or terms is None:
            return
        document = session.document
        wanted = None if segment_ids is None else filter(document.has, segment_ids)
        segments = tuple(document if wanted is None else map(document.get, wanted))

        def work() -> None:
            judged = iter(filter(is_judged, segments))
            while (some := [*islice(judged, _AT_ONCE)]) and terms is self._terms:
                self.judged.emit({each.id: (each.target, terms.uses(each)) for each in some})

        self._tasks.start(work, lambda _: None, self._fail, awaited=False)

    def _run(self, work: Callable[[], object], take: Callable[..., None]) -> None:
        self._tasks.start(work, take, self._fail)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, AnaphoraError):
            raise error
        if isinstance(error, CancelledError):
            self.import_cancelled.emit()
        else:
            self.failed.emit(error)


def _words(entry: TermEntry) -> Iterable[str]:
    return words_of(entry.allowed)


def _not_followed(terms: ProjectTerms, segments: Iterable[Segment]) -> list[str]:
    """Machine drafts, and proposals, that ignore a term or use a forbidden one."""
    drafts = map(with_proposal, segments)
    return [
        draft.id
        for draft in drafts
        if draft.status is Status.DRAFT and any(use.verdict is not Verdict.USED for use in terms.uses(draft))
    ]


def _further(old: TermEntry, target: str) -> TermEntry:
    """A selected translation of a term that is there: admitted beside the preferred one."""
    usage = Usage.ADMITTED if old.allowed else Usage.PREFERRED
    return TermEntry(old.source, (TargetTerm(target, usage),))


def _source_term(found: FoundTerm) -> SourceTerm:
    allowed = [form for entry in found.entries for text in entry.allowed for form in written_forms(text)]
    forbidden = [form for entry in found.entries for text in entry.forbidden for form in inflections(text)]
    kept = dict.fromkeys(allowed)
    return SourceTerm(
        found.start,
        found.end,
        tuple(kept),
        tuple(form for form in dict.fromkeys(forbidden) if form not in kept),
        clashes(kept),
    )
