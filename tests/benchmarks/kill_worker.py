"""All user operations on a project, in random order, until this process is killed.

They use the services of the window. Each operation writes to the ledger before it starts, and again when the
app reports that its result is on disk.
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from kill_engine import EngineBeside, load
from kill_ledger import Ledger, confirmed, file_checksum, fingerprint
from PySide6.QtCore import QCoreApplication

from anaphora.core.edits import CommentChange, Preview, Resegmentation
from anaphora.core.errors import AnaphoraError
from anaphora.core.segment import Segment, Status
from anaphora.core.term_entries import TargetTerm, TermEntry
from anaphora.engine.worker import EngineWorker
from anaphora.features.drafting.drafting import DraftingService
from anaphora.features.review.files import read_table, write_table
from anaphora.features.review.service import ReviewService
from anaphora.features.steering.steering import (
    EFFECT_FACTOR,
    RULES_SETTING,
    MemoryStep,
    Rules,
    SteeringService,
    read_rules,
    with_correction,
    with_factor,
    with_pin_toggled,
    with_zero_weight,
)
from anaphora.features.terms.exchange import import_terms
from anaphora.features.tm import exchange as memory_exchange
from anaphora.features.tm.memories import TranslationMemories
from anaphora.formats.base.segments import pieces_of_shape
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER
from anaphora.project.changes import (
    Change,
    add_documents,
    change_project,
    remove_document,
    save_as,
    update_from_files,
)
from anaphora.project.current import CurrentProject
from anaphora.project.document.autosave import Autosave
from anaphora.project.document.comments import CommentService
from anaphora.project.document.editing import Editing
from anaphora.project.document.following import OpenProject
from anaphora.project.document.repetitions import RepetitionChoice, Repetitions
from anaphora.project.document.resegmentation_plan import BlockText, plan_merge, plan_split
from anaphora.project.document.session import DocumentSession
from anaphora.project.exporting.writing import snapshot, write_export
from anaphora.project.importing.external_changes import changed_originals
from anaphora.project.opening import LoadedProject, open_paths, open_project
from anaphora.project.saving import back_up_changed
from anaphora.project.store.backups import list_backups
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.terms.table import TermBase
from anaphora.project.store.units.confirmed import is_remembered
from anaphora.system.background import BackgroundTasks
from anaphora.system.locations import backup_folder, shared_memory_path

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

EDITS = ("confirm", "type", "undo", "redo", "unconfirm")
OPERATIONS = (
    *EDITS,
    "comment",
    "accept a review",
    "split or join",
    "use everywhere",
    "terms",
    "steer",
    "import a memory",
    "export",
    "back up",
    "add documents",
    "remove a document",
    "update a changed file",
    "save as",
    "open",
)
OF_ENGINE = ("remember", "forget")
"""Operations that wait for the engine."""
RENDERINGS = ("ledger", "account book")
MAX_DOCUMENTS = 5
MAX_IMPORTS = 4
MAX_COMMENTS = 60
MAX_RULES = 30
UNITS = 300
HEADINGS = ("No.", "Source", "Translation", "Status", "Comments")
SHIFTS = (0, 0, 0, -2, -72, -9600, 1)
"""Hours by which the clock may be wrong, drawn at each reading."""


@dataclass(frozen=True)
class World:
    """The paths of a project and its files.

    Attributes:
        folder: the folder of all files.
        source: the first document.
    """

    folder: Path
    source: Path


def text_of(chance: random.Random, count: int = 24) -> str:
    """A document with some repeated sentences."""
    numbers = [chance.randrange(1000) for _ in range(count)]
    return "\n\n".join(f"第{n}个节点保存账本。交易写入区块{n // 20}。" for n in numbers)


def confirmations(store: ProjectStore, segments: Iterable[Segment]) -> dict[str, list[str]]:
    """The confirmed texts of segments, the oldest first, from the history on disk."""
    found = {}
    for segment in segments:
        past = [each.target for each in store.history(segment.id) if each.status is Status.CONFIRMED]
        if past:
            found[segment.id] = past
    return found


def content_of(opened: LoadedProject) -> str:
    """The fingerprint of a project that has just been opened."""
    return fingerprint(opened.documents, opened.document, opened.comments)


def work(
    world: World,
    project: Path | None,
    wanted: str,
    seed: int,
    ledger: Ledger,
    engine: Translator | None = None,
) -> None:
    """Work on a project until this process is killed.

    Args:
        wanted: the operation that is chosen most often.
        engine: the model, if the engine is to run too.
    """
    application = QCoreApplication([])
    chance = random.Random(seed)
    sitting = Sitting(world, project, chance, ledger, engine)
    operations = (*OPERATIONS, *(OF_ENGINE if engine is not None else ()))
    while True:
        for _ in range(chance.randrange(1, 6)):
            sitting.do(chance.choice(EDITS))
        sitting.do(wanted if chance.random() < 0.5 else chance.choice(operations))
        application.processEvents()


class Sitting:
    """An open project with its operations."""

    def __init__(
        self,
        world: World,
        project: Path | None,
        chance: random.Random,
        ledger: Ledger,
        engine: Translator | None = None,
    ) -> None:
        self.world, self.chance, self.ledger = world, chance, ledger
        self.tasks = BackgroundTasks()
        self.memory = TranslationMemories(shared_memory_path())
        self.engine = EngineBeside(engine) if engine is not None else None
        # The worker is not started: only the rules stored in the project matter.
        worker = EngineWorker(load)
        self.steering = SteeringService(worker, DraftingService(worker, lookahead=0))
        self.steering.failed.connect(lambda text: self._check(False, text))
        with self._operation("open"):
            if project is None:
                self._attach(open_paths([world.source]))
            else:
                self._attach(open_project(project, clock=self.clock))

    def clock(self) -> datetime:
        """The time, which is sometimes wrong."""
        return datetime.now() + timedelta(hours=self.chance.choice(SHIFTS))

    def do(self, operation: str) -> None:
        """Run an operation, and sometimes wait until everything is on disk."""
        run: Callable[[], object] = getattr(self, "_" + operation.replace(" ", "_"))
        with self._operation(operation):
            run()
        if self.chance.random() < 0.5:
            self._acknowledge()

    @contextmanager
    def _operation(self, name: str) -> Iterator[None]:
        self.ledger.write("begin", name)
        yield
        self.ledger.write("end", name)

    def _attach(self, opened: LoadedProject) -> None:
        """Attach all services to an opened project, like the window."""
        self.opened, self.documents = opened, opened.documents
        self.ledger.write("project", str(opened.store.path))
        self.session = session = DocumentSession(str(opened.store.path), opened.document)
        # This is connected first, so that the content is in the ledger before it is on disk.
        session.applied.connect(self._note)
        self.comments = CommentService()
        written = SimpleNamespace(enqueue=self._keep_comment)
        project = SimpleNamespace(
            session=session, comments=opened.comments, autosave=written, save_setting=self._save_setting
        )
        self.comments.follow(cast(OpenProject, project))
        session.resegmented.connect(self._follow_resegmentation)
        # Repetitions are confirmed immediately, so that they must not get lost either.
        choice = RepetitionChoice(confirm_exact=True)
        self.editing = Editing(session, session, Repetitions(session, self.tasks, choice, session))
        self.memory.open(session, opened.store, {info.id: info.name for info in opened.documents})
        self.autosave = Autosave(session, opened.store)
        self.rules = opened.store.setting(RULES_SETTING)
        self.steering.open(session, read_rules(self.rules), self._save_setting)
        # The service needs only those parts of the window's controller that this class also has.
        self.review = ReviewService(cast(CurrentProject, self))
        self.terms = TermBase("project", opened.store)
        self._acknowledge()
        self._wait_for_memory()
        if self.engine is not None:
            problem = self.engine.follow(session)
            self._check(not problem, problem)

    def _leave(self) -> Path:
        """Save everything and close the project; return its file."""
        self._check(self.tasks.finish(30000), "the background does not come to an end")
        self.memory.close()
        self._acknowledge()
        self._check(self.autosave.close(30), "the autosave does not come to an end")
        return self.opened.store.path

    def _check(self, is_ok: bool, what: str) -> None:
        if not is_ok:
            self.ledger.write("failure", what)

    @property
    def content(self) -> str:
        return fingerprint(self.documents, self.session.document, self.comments.all())

    def _note(self, _: object = None) -> None:
        self.ledger.write("state", self.content)

    @property
    def store(self) -> ProjectStore:
        return self.opened.store

    run = CurrentProject.run

    def report(self, title: str, error: Exception) -> None:
        self.ledger.write("failure", f"{title}: {error}")

    def _keep_comment(self, change: CommentChange) -> None:
        self._note()
        self.autosave.enqueue(change)

    def _save_setting(self, key: str, value: str) -> None:
        self._check(key == RULES_SETTING, f"rules that cannot be read: {value}")
        self.rules = value
        self.ledger.write("rules", value)
        self.autosave.save_setting(key, value)

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self.ledger.write("moved", [each.id for each in (*change.before, *change.after)])
        self._note()

    def _acknowledge(self) -> None:
        """Write saved data to the ledger if the autosave reports that everything is on disk."""
        if self.autosave.flush(30):
            self.ledger.write("kept", self.content, confirmed(self.session.document))
            self.ledger.write("rules_kept", self.rules)
            self.ledger.write("history", confirmations(self.store, self.session.document))

    def _wait_for_memory(self) -> None:
        """Check that the memory contains exactly the confirmed text."""
        wanted = {s.id: (s.source, s.target) for s in self.session.document if is_remembered(s)}
        end = time.monotonic() + 20
        contents: dict[str, tuple[str, str]] = {}
        while time.monotonic() < end:
            QCoreApplication.processEvents()
            if self.memory.memories is not None:
                contents = {
                    key: texts[:2]
                    for key, texts in self.memory.memories.project.texts_by_key().items()
                    if self.session.document.has(key)
                }
                if contents == wanted:
                    return
            time.sleep(0.005)
        self._check(False, f"the memory has {contents}, the document {wanted}")

    def _pick(self) -> str:
        return self.session.document.at(self.chance.randrange(len(self.session.document))).id

    def _text(self) -> str:
        rendering = self.chance.choice(RENDERINGS)
        return f"The {rendering} {self.chance.random()} " + "text " * self.chance.randrange(300)

    def _confirm(self) -> None:
        segment = self._pick()
        self.editing.type_text(segment, self._text())
        self.editing.confirm(segment)

    def _type(self) -> None:
        self.editing.type_text(self._pick(), self._text())

    def _comment(self) -> None:
        """Add a comment to a segment, or remove one."""
        comments = [each for s in self.session.document for each in self.comments.of(s.id)]
        if comments and (len(comments) > MAX_COMMENTS or self.chance.random() < 0.3):
            self.comments.remove(self.chance.choice(comments))
        else:
            self.comments.add(self._pick(), self._text())

    def _accept_a_review(self) -> None:
        """Export a review file, change some of its rows like a reviewer, and accept the changes."""
        file = self.world.folder / "review.docx"
        names = {status: status.name for status in Status}
        self._wait_for(self.review.written, lambda: self.review.write(file, HEADINGS, names))
        table = read_table(file)
        rows = list(table.rows)
        for row in self.chance.sample(rows, 3):
            comment = self._text().strip() if len(rows) < MAX_COMMENTS else ""
            rows[row.number - 1] = replace(row, target=self._text().strip(), comments=comment)
        write_table(replace(table, rows=tuple(rows)), "review", file)
        found = self._wait_for(self.review.compared, lambda: self.review.read(file))
        changes = [change for change in found[1] if change.is_applicable]
        self._check(len(changes) == 3, f"{len(changes)} changes of a review were found")
        self.review.apply(changes, "reviewer", lambda count: None)

    def _wait_for(self, signal: Any, action: Callable[[], None]) -> tuple[Any, ...]:
        """Start an action and wait for its signal; return the signal's arguments."""
        received: list[tuple[Any, ...]] = []
        connection = signal.connect(lambda *values: received.append(values))
        action()
        end = time.monotonic() + 20
        while not received and time.monotonic() < end:
            QCoreApplication.processEvents()
            time.sleep(0.001)
        signal.disconnect(connection)
        return received[0]

    def _unconfirm(self) -> None:
        self.editing.unconfirm(self._pick())

    def _remember(self) -> None:
        """Confirm a segment, and wait until the engine has learned from it."""
        self._confirm()
        self._wait_for_engine()

    def _forget(self) -> None:
        """Unconfirm a segment, and wait until the engine has forgotten it."""
        confirmed_ids = [s.id for s in self.session.document if is_remembered(s)]
        if confirmed_ids:
            self.editing.unconfirm(self.chance.choice(confirmed_ids))
            self._wait_for_engine()

    def _wait_for_engine(self) -> None:
        if self.engine is not None:
            problem = self.engine.wait(self.session, self.chance.random() < 0.2)
            self._check(not problem, problem)

    def _undo(self) -> None:
        self.editing.undo()

    def _redo(self) -> None:
        self.editing.redo()

    def _split_or_join(self) -> None:
        row = self.chance.randrange(len(self.session.document) - 1)
        first, second = self.session.document.at(row), self.session.document.at(row + 1)
        if first.document != second.document:
            return
        place = first.document, first.block
        own = tuple(each for each in self.session.document if (each.document, each.block) == place)
        shape = self.opened.store.shapes(place[0]).get(place[1])
        if shape is None:
            return
        block = BlockText(pieces_of_shape(shape), own, DEFAULT_SEGMENTER)
        try:
            if self.chance.random() >= 0.5:
                plan = plan_split(block, first.id, len(first.source) // 2)
            elif first.block == second.block:
                plan = plan_merge(block, first.id)
            else:
                return
        except AnaphoraError:
            return
        self.editing.resegment(plan)

    def _use_everywhere(self) -> None:
        wanted, other = self.chance.sample(RENDERINGS, 2)
        previews = [
            Preview(each.id, each.target, each.target.replace(other, wanted))
            for each in self.session.document
            if other in each.target and each.status not in (Status.CONFIRMED, Status.LOCKED)
        ]
        self.editing.apply_previews(previews, lambda count: None)

    def _terms(self) -> None:
        known = {entry.source: entry for entry in self.terms.entries()}
        action = self.chance.randrange(3)
        if action == 0 and known:
            gone = self.chance.choice(sorted(known))
            self.ledger.write("terms", sorted({*known} - {gone}))
            self.terms.remove([known[gone].id])
        elif action == 1 and len(known) < 200:
            new = [f"词{self.chance.random()}" for _ in range(20)]
            file = self.world.folder / "terms.csv"
            file.write_text("zh,en\n" + "".join(f"{term},term\n" for term in new), "utf-8")
            self.ledger.write("terms", sorted({*known, *new}))
            import_terms(file, self.terms)
        else:
            term = f"词{self.chance.random()}"
            self.ledger.write("terms", sorted({*known, term}))
            self.terms.put(TermEntry(term, (TargetTerm("term"),)))
        self.ledger.write("terms_kept")

    def _steer(self) -> None:
        """Add a rule for a word of a segment, for a word everywhere, or for a whole segment."""
        rules, segment, chance = self.steering.rules, self._pick(), self.chance
        word = chance.choice(("ledger", "book", "account"))
        ways: tuple[Callable[[], Rules], ...] = (
            lambda: with_pin_toggled(rules, word, segment),
            lambda: with_factor(rules, word, segment, chance.choice((EFFECT_FACTOR, 1 / EFFECT_FACTOR))),
            lambda: with_correction(rules, word, segment, self._text()),
            lambda: with_zero_weight(rules, word, segment),
            lambda: with_zero_weight(rules, word),
            lambda: with_zero_weight(rules, segment=segment),
        )
        new = rules[1:] if len(rules) > MAX_RULES else chance.choice(ways)()
        put = self.steering.use_rules
        self.editing.stack.push(MemoryStep("steering", lambda: put(new), lambda: put(rules)))

    def _import_a_memory(self) -> None:
        """Import a file; half of the time in the background."""
        memories, number = self.memory.memories, self.chance.randrange(10**9)
        if memories is None or len(memories.project) > MAX_IMPORTS * UNITS:
            return
        file = self.world.folder / f"import {number}.tmx"
        units = "".join(
            f'<tu><tuv xml:lang="zh"><seg>{chr(0x4E00 + n)}{chr(0x5E00 + number % 9000)}句</seg></tuv>'
            f'<tuv xml:lang="en"><seg>import {number} {n}</seg></tuv></tu>'
            for n in range(UNITS)
        )
        file.write_text(f'<tmx version="1.4"><header srclang="zh"/><body>{units}</body></tmx>', "utf-8")
        name = f"import {number}"
        self.ledger.write("import", name, UNITS)

        def run() -> None:
            memory_exchange.import_units(file, memories.project)
            self.ledger.write("imported", name)

        if self.chance.random() < 0.5:
            self.tasks.start(run, lambda _: None, self._fail, must_finish=True)
        else:
            run()

    def _fail(self, error: Exception) -> None:
        self.ledger.write("failure", f"{type(error).__name__}: {error}")

    def _export(self) -> None:
        info = self.chance.choice(self.documents)
        states = snapshot(self.session.document)
        expected = write_export(self.opened.store, info, states, self.world.folder / "expected")
        out = self.world.folder / f"exported {Path(info.name).name}"
        sha256 = file_checksum(expected)
        self.ledger.write("file", str(out), sha256)
        write_export(self.opened.store, info, states, out)
        self.ledger.write("written", str(out), sha256)

    def _back_up(self) -> None:
        """Make a backup; half of the time in the background."""
        store = self.opened.store
        if self.chance.random() < 0.5:
            self.tasks.start(lambda: back_up_changed(store), lambda _: None, self._fail)
            return
        self._acknowledge()
        content = self.content
        back_up_changed(store)
        if list_backups(store.path, summarise=False):
            self.ledger.write("backed_up", content)

    def _open(self) -> None:
        project, content, rules = self._leave(), self.content, self.rules
        opened = open_project(project, clock=self.clock)
        self._check(opened.store.setting(RULES_SETTING) == rules, "it was opened with other rules")
        self._check(
            content_of(opened) == content,
            "it was opened with other content",
        )
        self._attach(opened)

    def _add_documents(self) -> None:
        if len(self.documents) >= MAX_DOCUMENTS:
            return self._remove_a_document()
        paths = [self.world.folder / f"{self.chance.randrange(10**9)}.md" for _ in range(2)]
        for path in paths:
            path.write_text(text_of(self.chance, 6), "utf-8")
        self._change(partial(add_documents, paths))
        return None

    def _remove_a_document(self) -> None:
        if len(self.documents) > 1:
            content = self.content
            self._change(partial(remove_document, self.chance.choice(self.documents).id))
            self.ledger.write("backed_up", content)

    def _update_a_changed_file(self) -> None:
        info = self.chance.choice(self.documents)
        path, old = Path(info.path), self.opened.store.original(info.id).decode()
        paragraphs = old.split("\n\n")
        paragraphs[self.chance.randrange(len(paragraphs))] = text_of(self.chance, 2)
        newer = path.with_name("newer")
        newer.write_text("\n\n".join(paragraphs[:40]), "utf-8")
        newer.replace(path)
        changed = changed_originals(self.opened.store, self.documents)
        content = self.content
        self.ledger.write("history", {})
        self.ledger.write("moved", [s.id for s in self.session.document if s.document == info.id])
        self._change(partial(update_from_files, changed))
        self.ledger.write("moved", [s.id for s in self.session.document if s.document == info.id])
        self.ledger.write("backed_up", content)

    def _change(self, change: Change) -> None:
        """Change the documents of the project, after computing the result on a copy."""
        project = self._leave()
        for left in self.world.folder.glob("trial.*"):
            left.unlink()
        trial = Path(shutil.copy(project, self.world.folder / "trial.anaphora"))
        store = ProjectStore.open(trial)
        change(store)
        wanted = fingerprint(store.documents(), store.load_document(), store.comments())
        store.close()
        trial.unlink()
        shutil.rmtree(backup_folder(trial), ignore_errors=True)
        self.ledger.write("state", wanted)
        opened = change_project(project, self.world.source, change)
        self._check(opened.problem is None, str(opened.problem))
        self._check(
            content_of(opened) == wanted,
            "the change had another result",
        )
        self._attach(opened)

    def _save_as(self) -> None:
        copy = self.world.folder / f"copy {self.chance.randrange(3)}.anaphora"
        if copy == self.opened.store.path:
            return
        # A running import belongs to the old project, so the window stops it.
        self._check(self.tasks.finish(30000), "the background does not come to an end")
        content, rules = self.content, self.rules
        save_as(self.opened.store, copy, self.autosave.paused())
        if self.chance.random() < 0.5:
            self._leave()
            opened = open_project(copy, clock=self.clock)
            self._check(opened.store.setting(RULES_SETTING) == rules, "the copy has other rules")
            self._check(
                content_of(opened) == content,
                "the copy has other content",
            )
            self._attach(opened)


def open_only(project: Path, ledger: Ledger) -> None:
    """Open a damaged project, which restores it, and edit it until this process is killed."""
    QCoreApplication([])
    ledger.write("begin", "restore")
    opened = open_project(project)
    ledger.write("kept", content_of(opened), confirmed(opened.document))
    ledger.write("end", "restore")
    while True:
        opened.store.set_setting("window/row", "0")
