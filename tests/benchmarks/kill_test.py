"""Kill a process with SIGKILL in the middle of every project operation, and check the files that it leaves.

A forked child works on a project through the services of the window (`kill_worker`), and writes to a ledger
what it is about to do and what the app reports as saved (`kill_ledger`). After each kill, the project must
open with exactly one of the contents that it had since everything was last on disk, without half-done
operations. Exports must be old or new, imports complete or absent, the memory must work, the engine must
remember exactly the confirmed segments, and every backup and copy must open with a content that the project
once had. The child's clock is sometimes wrong.

Run: python tests/benchmarks/kill_test.py [kills] [seed]
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import select
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import kill_engine
import kill_worker
from kill_ledger import Ledger, Record, confirmed, file_checksum, fingerprint

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import AnaphoraError
from anaphora.core.matching import Query
from anaphora.core.segment import SegmentState, Status
from anaphora.features.steering.steering import RULES_SETTING
from anaphora.project.opening import LoadedProject, open_project
from anaphora.project.saving import back_up_changed
from anaphora.project.store.backups import list_backups
from anaphora.project.store.project import CHANGES_SETTING, ProjectStore
from anaphora.project.store.records import MANUAL_STATUSES, select_comments
from anaphora.project.store.summary import read_work
from anaphora.project.store.terms.table import TermBase
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.locations import shared_memory_path

GOLDEN = Path(__file__).parents[1] / "golden" / "projects"
A_WORLD = 25
"""Number of kills before a new project is started."""
OPENINGS = 0.1
"""Share of kills while a damaged project of an earlier version is being opened."""
PATIENCE = 20.0
"""Seconds within which the child must begin the wanted operation."""


@dataclass
class Result:
    """The outcomes.

    Attributes:
        kills: number of kills.
        during: number of kills during each operation; two operations may overlap.
        done: number of completed operations.
        acknowledged: number of reports to the child that everything is on disk.
        backups: number of intact backups that were read.
        problems: descriptions of all faults.
    """

    kills: int = 0
    during: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    backups: int = 0
    problems: list[str] = field(default_factory=list)


class Killer:
    """Starts and kills children, and learns how long each operation takes."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._longest: dict[str, float] = {}

    def kill(self, work: Callable[[Ledger], None], record: Record, wanted: str) -> None:
        """Let a forked child work, and kill it during the operation `wanted`, or shortly after it."""
        reader, writer = os.pipe()
        process = os.fork()
        if process == 0:
            _be_child(work, reader, writer)
        os.close(writer)
        try:
            self._follow(reader, record, wanted)
        finally:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        _read(reader, record)
        os.close(reader)

    def _follow(self, reader: int, record: Record, wanted: str) -> None:
        """Read lines until the time of the kill."""
        left, skip = b"", self._chance.randrange(2)
        end, started, is_done = time.monotonic() + PATIENCE, 0.0, False
        while True:
            seconds = end - time.monotonic()
            if seconds <= 0 or not select.select([reader], [], [], seconds)[0]:
                break
            data = os.read(reader, 65536)
            if not data:
                return
            *lines, left = (left + data).split(b"\n")
            for line in lines:
                record.process(line + b"\n")
                if line == b'["begin", "%s"]' % wanted.encode() and not started:
                    if skip and wanted != "open" and not record.is_opened_only:
                        skip -= 1
                        continue
                    started = time.monotonic()
                    # A restored project is also edited for a while, so that its log contains recovered rows.
                    longest = self._longest.get(wanted, 0.02) * (2 if record.is_opened_only else 0.9)
                    end = started + self._chance.uniform(0, longest)
                elif line == b'["end", "%s"]' % wanted.encode() and started:
                    took, is_done = time.monotonic() - started, True
                    self._longest[wanted] = max(self._longest.get(wanted, 0) * 0.9, took)
        record.pending = left
        if started and not is_done:
            # The operation takes longer than expected; without more time it would never be completed.
            waited = time.monotonic() - started
            self._longest[wanted] = max(self._longest.get(wanted, 0), waited * 1.5)


def _be_child(work: Callable[[Ledger], None], reader: int, writer: int) -> None:
    """Work in the child process; never returns."""
    os.close(reader)
    ledger = Ledger(writer)
    try:
        work(ledger)
    except BaseException:
        ledger.write("failure", traceback.format_exc())
    finally:
        os._exit(0)


def _read(reader: int, record: Record) -> None:
    """Read the last lines of the killed child."""
    data = record.pending
    while more := os.read(reader, 65536):
        data += more
    record.pending = b""
    for line in data.splitlines(keepends=True):
        record.process(line)


class Checker:
    """Checks the files after a kill."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._contents: dict[str, str] = {}

    def check(self, world: kill_worker.World, record: Record) -> None:
        """Open the project like the app, and compare it with the record."""
        under_way = ", ".join(sorted(record.under_way))
        problems: list[str] = []
        if record.project is None or not record.project.exists():
            if record.allowed:
                problems.append("the project is gone")
        else:
            problems += self._check_project(record, record.project)
        for path, allowed in record.files.items():
            if (found := file_checksum(Path(path))) not in allowed:
                problems.append(f"an export is half written: {path}")
            record.files[path] = [found]
        for copy in world.folder.glob("copy *.anaphora"):
            if copy != record.project and not record.is_opened_only:
                problems += self._check_copy(copy, record)
        shared = MemoryFile.open(shared_memory_path())
        problems += _check_memory(TranslationMemory("shared", shared), None)
        shared.close()
        problems += record.failures
        record.failures = []
        place = f"kill {self._result.kills} in {under_way}"
        self._result.problems += [f"{place}: {text}; last: {', '.join(record.last)}" for text in problems]

    def _check_project(self, record: Record, project: Path) -> list[str]:
        problems = []
        try:
            opened = open_project(project)
        except AnaphoraError as error:
            return [f"does not open: {error}"]
        found = kill_worker.content_of(opened)
        if found not in record.allowed and record.allowed:
            now = confirmed(opened.document)
            lost = {key: text for key, text in record.kept.items() if now.get(key) != text}
            kind = "an older content" if found in record.known else "a content that it never had"
            problems.append(f"{kind}; not as it was acknowledged: {lost}")
        record.restart(found)
        record.known.add(found)
        problems += _check_history(opened, record)
        terms = [_terms(opened.store)]
        if terms[0] not in record.terms:
            problems.append(f"terms: {len(terms[0])} of {len(record.terms[-1])}")
        record.terms = terms
        rules = opened.store.setting(RULES_SETTING)
        if not record.is_opened_only and rules not in record.rules:
            problems.append(f"the rules for the memory are {rules!r}")
        record.rules = [rules]
        problems += _check_memory(TranslationMemory("project", opened.store), record)
        opened.store.close()
        connection = sqlite3.connect(project)
        if (verdict := connection.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
            problems.append(f"integrity_check: {verdict}")
        connection.close()
        return problems + self._check_backups(project, record)

    def _check_backups(self, project: Path, record: Record) -> list[str]:
        problems, contents = [], set()
        for backup in list_backups(project, summarise=False):
            content = self._contents.get(str(backup.path))
            if content is None:
                self._result.backups += 1
                try:
                    connection = sqlite3.connect(f"{backup.path.as_uri()}?mode=ro", uri=True)
                    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                    comments = () if backup.label else select_comments(connection)
                    connection.close()
                    work = read_work(backup.path)
                    content = "" if backup.label else fingerprint(work.documents, work.segments, comments)
                except (AnaphoraError, sqlite3.Error, AssertionError) as error:
                    problems.append(f"a backup cannot be read: {error}")
                    content = "unreadable"
                self._contents[str(backup.path)] = content
                if content not in record.known and not backup.label:
                    problems.append("a backup has content that the project never had")
            contents.add(content)
        if record.backed_up and record.backed_up not in contents:
            problems.append("a backup is gone")
            record.backed_up = ""
        return problems

    def _check_copy(self, copy: Path, record: Record) -> list[str]:
        try:
            store = ProjectStore.open(copy)
            content = fingerprint(store.documents(), store.load_document(), store.comments())
            store.close()
        except AnaphoraError as error:
            return [f"a copy does not open: {error}"]
        # The copy may contain changes that were unsaved when it was made.
        return [] if content in record.known else ["a copy has content that the project never had"]


def _check_history(opened: LoadedProject, record: Record) -> list[str]:
    """Check that confirmed texts are in the history, and that its last entry is the segment's text."""
    if record.is_opened_only:
        return []
    problems = []
    for segment in opened.document:
        past = opened.store.history(segment.id)
        texts = [each.target for each in past if each.status is Status.CONFIRMED]
        wanted = record.history.get(segment.id, [])
        if texts[: len(wanted)] != wanted:
            problems.append(f"the history of {segment.id} lacks {len(wanted)} - {len(texts)} confirmations")
        is_own = segment.id not in record.moved
        if is_own and past and (past[-1].target, past[-1].status) != (segment.target, segment.status):
            problems.append(f"the history of {segment.id} ends with {past[-1].target[:40]!r}")
        if is_own and not past and segment.status in MANUAL_STATUSES:
            problems.append(f"{segment.id} has no history")
    return problems


def _terms(store: ProjectStore) -> list[str]:
    return sorted(entry.source for entry in TermBase("project", store).entries())


def _check_memory(memory: TranslationMemory, record: Record | None) -> list[str]:
    """Check that the index finds units, and that imports are complete or absent."""
    problems = []
    units = list(memory.units())
    for unit in units[:3] + units[-3:]:
        targets = [match.unit.target for match in memory.find(Query(unit.tagged), limit=500)]
        if unit.target not in targets:
            problems.append(f"the {memory.name} memory does not find {unit.source}")
    if record is not None:
        imported = Counter(" ".join(unit.target.split()[:2]) for unit in units if not unit.key)
        for name, allowed in record.imports.items():
            if imported[name] not in allowed:
                problems.append(f"{imported[name]} units of {allowed[-1]} were imported")
            record.imports[name] = [imported[name]]
    return problems


def _contents_of_golden_projects(folder: Path) -> dict[Path, tuple[str, list[str]]]:
    """The content and the terms of each golden project."""
    contents = {}
    for old in sorted(GOLDEN.glob("version-*.anaphora")):
        opened = open_project(Path(shutil.copy(old, folder / f"expected {old.name}")))
        contents[old] = kill_worker.content_of(opened), _terms(opened.store)
        opened.store.close()
    return contents


def run(kills: int, folder: Path, seed: int = 7) -> Result:
    """Kill and check repeatedly, with all operations in turn; sometimes start with a new document."""
    chance, result = random.Random(seed), Result()
    killer = Killer(chance)
    operations, engine = (*kill_worker.OPERATIONS, *kill_worker.OF_ENGINE), None
    os.environ["ANAPHORA_DATA"] = str(folder / "data")
    golden = _contents_of_golden_projects(folder)
    for number in range(kills):
        if number % A_WORLD == 0:
            print(f"{number} kills, {len(result.problems)} problems", file=sys.stderr, flush=True)
            world, record, checker = _new_world(folder, number, chance), Record(), Checker(result)
        if chance.random() < OPENINGS:
            path = chance.choice(sorted(golden))
            project = Path(shutil.copy(path, world.folder / f"{number} {path.name}"))
            content, terms = golden[path]
            opened = Record(project, [content], {content}, terms=[terms], is_opened_only=True)
            opened.known.add(_damage(project))
            killer.kill(partial(kill_worker.open_only, project), opened, "restore")
            _take_over(result, opened)
            checker.check(world, opened)
            continue
        wanted = operations[number % len(operations)]
        if wanted in kill_worker.OF_ENGINE and engine is None:
            engine = kill_engine.load()
        task = partial(
            kill_worker.work,
            world,
            record.project,
            wanted,
            chance.randrange(10**9),
            engine=engine if wanted in kill_worker.OF_ENGINE else None,
        )
        killer.kill(task, record, wanted)
        _take_over(result, record)
        checker.check(world, record)
        gc.collect()
    return result


def _damage(project: Path) -> str:
    """Make a backup that lacks a confirmation, and flip a bit in the name of the project's document.

    Returns:
        the fingerprint of the backup.
    """
    opened = open_project(project)
    opened.store.set_setting(CHANGES_SETTING, "1")
    last = [segment for segment in opened.document if segment.status is Status.CONFIRMED][-1]
    state = SegmentState("not yet", Status.DRAFT)
    opened.store.save(ChangeSet((Edit(last.id, last.state, state),)))
    back_up_changed(opened.store)
    content = fingerprint(opened.documents, opened.store.load_document(), opened.store.comments())
    opened.store.save(ChangeSet((Edit(last.id, state, last.state),)))
    opened.store.close()
    data = bytearray(project.read_bytes())
    data[data.index(opened.documents[0].path.encode())] ^= 1
    project.write_bytes(data)
    return content


def _new_world(folder: Path, number: int, chance: random.Random) -> kill_worker.World:
    """A new document, and an empty data folder."""
    place = folder / str(number)
    place.mkdir()
    source = place / "source.md"
    source.write_text(kill_worker.text_of(chance), "utf-8")
    os.environ["ANAPHORA_DATA"] = str(place / "data")
    return kill_worker.World(place, source)


def _take_over(result: Result, record: Record) -> None:
    """Count the operations during a kill."""
    result.kills += 1
    result.during.update(record.under_way or ["nothing"])
    result.done += record.done
    result.acknowledged += record.acknowledged
    record.done, record.acknowledged = Counter(), 0


def main(kills: int, seed: int) -> int:
    """Print the outcomes; return the exit status, 1 if there are problems."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        result = run(kills, Path(folder), seed)
    print(f"{'operation':26} {'killed':>8} {'completed':>10}")
    for name in (*kill_worker.OPERATIONS, *kill_worker.OF_ENGINE, "restore", "nothing"):
        print(f"{name:26} {result.during[name]:8} {result.done[name]:10}")
    print(
        f"{result.kills} kills, {result.acknowledged} times all work was said to be on the disk, "
        f"{result.backups} backups read, {len(result.problems)} problems, {time.monotonic() - start:.0f} s"
    )
    for line in result.problems:
        print("  " + line)
    return 1 if result.problems else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=1000)
    parser.add_argument("seed", nargs="?", type=int, default=7)
    sys.exit(main(**vars(parser.parse_args())))
