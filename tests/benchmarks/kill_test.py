"""Kills scripted work with SIGKILL at random moments and counts what was lost.

A child opens a project, types, confirms (repetitions with it), undoes, joins, splits, backs up, closes and
reopens, through the services that the window uses, the translation memories among them. Once the autosave
says that everything is on the disk, the child notes in an fsynced journal what is confirmed; before it takes
something back it notes that, too. After each kill the project has to open, be sound, and hold every
confirmation that had been reported as saved, and its memory has to answer.

Run: python tests/benchmarks/kill_test.py [kills] [seed]
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SEGMENTS = 120
EARLY = 0.2
"""The share of the kills that come at any moment from the child's start on: while it opens a project."""


@dataclass
class Result:
    """What came of it."""

    kills: int = 0
    acknowledged: int = 0
    losses: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    early: int = 0


class Journal:
    """Lines that survive the process: what is on the disk, what may be taken back."""

    def __init__(self, path: Path) -> None:
        text = path.read_text("utf-8") if path.exists() else ""
        self._file = path.open("a", encoding="utf-8")
        if text and not text.endswith("\n"):
            # A line that a kill cut off must not run into the next one.
            self._file.write("\n")

    def write(self, kind: str, value: object) -> None:
        """Append a line; it is on the disk on return."""
        self._file.write(json.dumps([kind, value], ensure_ascii=False) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def child(source: Path, journal_path: Path, seed: int) -> None:
    """Work on a document until somebody kills this process."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    application = QApplication([])
    assert application is not None
    chance, journal = random.Random(seed), Journal(journal_path)
    project: Path | None = None
    while True:
        worker = Worker(source, project, chance, journal)
        project = worker.opened.store.path
        print("ready", flush=True)
        for _ in range(chance.randrange(15, 60)):
            worker.step()
            application.processEvents()
        worker.close()


class Worker:
    """One opening of the project, and the steps that a person would take in it."""

    def __init__(self, source: Path, project: Path | None, chance: random.Random, journal: Journal) -> None:
        from anaphora.commands.editing import Editing
        from anaphora.services.autosave import Autosave
        from anaphora.services.background import BackgroundTasks
        from anaphora.services.memory_service import MemoryService
        from anaphora.services.opening import open_paths, open_project
        from anaphora.services.repetitions import RepetitionChoice, Repetitions
        from anaphora.services.session import DocumentSession
        from anaphora.store.locations import shared_memory_path

        again = project is not None and chance.random() >= 0.5
        self.opened = open_project(project) if project is not None and again else open_paths([source])
        self.session = DocumentSession(str(self.opened.store.path), self.opened.document)
        self.tasks = BackgroundTasks()
        # Confirmed at once, what repetitions got is among what must not be lost.
        choice = RepetitionChoice(confirm_exact=True)
        repetitions = Repetitions(self.session, self.tasks, choice, self.session)
        self.editing = Editing(self.session, self.session, repetitions)
        self.memory = MemoryService(shared_memory_path())
        self.memory.open(self.session, self.opened.store, {})
        self.autosave = Autosave(self.session, self.opened.store)
        self.chance, self.journal = chance, journal
        self.overrides = self.opened.documents[0].overrides

    def step(self) -> None:
        """One thing that a person does; then perhaps a look at what is saved."""
        action = self.chance.choices(
            (
                self.confirm,
                self.type,
                self.undo,
                self.redo,
                self.unconfirm,
                self.resegment,
                self.back_up,
            ),
            (50, 15, 10, 5, 5, 10, 5),
        )[0]
        action()
        if self.chance.random() < 0.5:
            self.acknowledge()

    def acknowledge(self) -> None:
        """Note what is confirmed, once the autosave says that all of it is on the disk."""
        if self.autosave.flush(30):
            from anaphora.core.segment import Status

            confirmed = {s.id: s.target for s in self.session.document if s.status is Status.CONFIRMED}
            self.journal.write("saved", confirmed)
            print("saved", len(confirmed), flush=True)

    def pick(self) -> str:
        return self.session.document.at(self.chance.randrange(len(self.session.document))).id

    def confirm(self) -> None:
        segment = self.pick()
        source = self.session.document.get(segment).source
        self.journal.write("touch", [s.id for s in self.session.document if s.source == source])
        self.editing.type_text(segment, f"{self.chance.random()} " + "text " * self.chance.randrange(300))
        self.editing.confirm(segment)

    def type(self) -> None:
        segment = self.pick()
        self.journal.write("touch", [segment])
        self.editing.type_text(segment, f"typed {self.chance.random()}")

    def unconfirm(self) -> None:
        segment = self.pick()
        self.journal.write("touch", [segment])
        self.editing.unconfirm(segment)

    def undo(self) -> None:
        self._travel(self.editing.stack.index() - 1, self.editing.undo)

    def redo(self) -> None:
        self._travel(self.editing.stack.index(), self.editing.redo)

    def _travel(self, index: int, go: object) -> None:
        command: Any = self.editing.stack.command(index)
        if command is None:
            return
        plan = getattr(command, "plan", None)
        touched = command.segments if plan is None else [s.id for s in (*plan.before, *plan.after)]
        self.journal.write("touch", list(touched))
        go()  # type: ignore[operator]

    def resegment(self) -> None:
        """Join a segment with the next one, or split it in the middle."""
        from anaphora.core.errors import AnaphoraError
        from anaphora.resegmentation.plan import StoredFile, plan_merge, plan_split

        store, info = self.opened.store, self.opened.documents[0]
        overrides = self._overrides()
        file = StoredFile(info.id, info.format, info.segmentation, overrides, lambda: store.original(info.id))
        row = self.chance.randrange(len(self.session.document) - 1)
        first, second = self.session.document.at(row), self.session.document.at(row + 1)
        try:
            if self.chance.random() < 0.5:
                plan = plan_merge(file, first.id, second.id)
            else:
                plan = plan_split(file, first.id, len(first.source) // 2)
        except AnaphoraError:
            return
        self.journal.write("touch", [s.id for s in (*plan.before, *plan.after)])
        self.editing.resegment(plan)

    def _overrides(self) -> str:
        """The overrides as the steps carried out so far have left them."""
        overrides, stack = self.overrides, self.editing.stack
        for index in range(stack.index()):
            if (plan := getattr(stack.command(index), "plan", None)) is not None:
                overrides = plan.overrides
        return overrides

    def back_up(self) -> None:
        from anaphora.services.backups import back_up_changed

        back_up_changed(self.opened.store)

    def close(self) -> None:
        self.memory.finish()
        assert self.tasks.finish(30000)
        assert self.autosave.close(30)


def check(project: Path, journal: Path, result: Result) -> None:
    """Open the project as the app would, and compare it with the journal."""
    from anaphora.core.segment import Status
    from anaphora.services.opening import open_project
    from anaphora.translation_memory.memory import TranslationMemory

    saved, touched, acknowledged = _read(journal)
    if not project.exists():
        if acknowledged:
            result.failures.append("the project is gone")
        return
    try:
        opened = open_project(project)
    except Exception as error:
        result.failures.append(f"does not open: {error}")
        return
    try:
        _check_memory(TranslationMemory("project", opened.store))
    except Exception as error:
        result.failures.append(f"its memory does not work: {error}")
    opened.store.close()
    connection = sqlite3.connect(project)
    if connection.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
        result.failures.append("quick_check")
    connection.close()
    found = {segment.id: segment for segment in opened.document}
    for key, target in saved.items():
        if key in touched:
            continue
        segment = found.get(key)
        if segment is None or segment.status is not Status.CONFIRMED or segment.target != target:
            result.losses.append(f"{key}: {target[:40]!r} became {segment and segment.state}")


def _check_memory(memory: Any) -> None:
    """Each of some units is found by its source: units and index are what one transaction left."""
    from anaphora.translation_memory.matching import Query

    for unit in list(memory.units())[:20]:
        targets = [match.unit.target for match in memory.find(Query(unit.tagged), limit=500)]
        assert unit.target in targets, unit.source


def _read(journal: Path) -> tuple[dict[str, str], set[str], int]:
    """What was confirmed when everything was last on the disk, what was touched after, and the saves."""
    saved: dict[str, str] = {}
    touched: set[str] = set()
    acknowledged = 0
    for line in journal.read_text("utf-8").splitlines(True) if journal.exists() else ():
        try:
            kind, value = json.loads(line)
        except ValueError:
            # Cut off by a kill.
            continue
        if kind == "saved":
            saved, touched, acknowledged = value, set(), acknowledged + 1
        else:
            touched.update(value)
    return saved, touched, acknowledged


def kill_once(source: Path, journal: Path, chance: random.Random, result: Result) -> None:
    """Start the child, and kill it while it opens or while it works."""
    command = [sys.executable, __file__, "--child", str(source), str(journal), str(chance.randrange(10**9))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if chance.random() < EARLY:
            result.early += 1
            time.sleep(chance.uniform(0.1, 2.0))
        else:
            if process.stdout.readline() != "ready\n":
                result.failures.append(f"the child ended with {process.wait()}")
                return
            time.sleep(chance.uniform(0.0, 1.2))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    result.kills += 1


def run(kills: int, folder: Path, seed: int = 7) -> Result:
    """Kill and check, over and over; every tenth time begin with a new document."""
    from anaphora.services.reading import read_document
    from anaphora.store.locations import autosave_path

    os.environ["ANAPHORA_DATA"] = str(folder / "data")
    chance, result = random.Random(seed), Result()
    for number in range(kills):
        if number % 10 == 0:
            source, journal = folder / f"{number}.md", folder / f"{number}.journal"
            source.write_text(
                # Each second sentence is there twice.
                "\n\n".join(f"第{n}个节点保存账本。交易写入区块{n // 2}。" for n in range(SEGMENTS // 2)),
                "utf-8",
            )
            project = autosave_path(source, read_document(source).sha256)
        before = _read(journal)[2]
        kill_once(source, journal, chance, result)
        check(project, journal, result)
        result.acknowledged += _read(journal)[2] - before
    return result


def main(kills: int, seed: int) -> int:
    """Print what came of it; the exit status is 1 if anything was lost."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        result = run(kills, Path(folder), seed)
    print(
        f"{result.kills} kills ({result.early} of them at any moment from the start on), "
        f"{result.acknowledged} saves acknowledged, {len(result.losses)} confirmed segments lost, "
        f"{len(result.failures)} projects that do not open, {time.monotonic() - begin:.0f} s"
    )
    for line in (*result.losses, *result.failures):
        print("  " + line)
    return 1 if result.losses or result.failures else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
    else:
        numbers = [int(argument) for argument in sys.argv[1:]]
        sys.exit(main(*(numbers + [200, 7][len(numbers) :])))
