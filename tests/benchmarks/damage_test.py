"""Damage project files at random, open them, and count restored, recovered, lost and wrong data.

The project has 200 confirmed segments, half of them in its backup. After any damage, each segment that opens
as confirmed must have its confirmed text, and no segment of the backup may be missing. The same applies to
the units of the memory, the terms and the settings.

Run: python tests/benchmarks/damage_test.py [files] [seed]
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import AnaphoraError
from anaphora.core.matching import Unit
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.term_entries import TargetTerm, TermEntry
from anaphora.project.opening import LoadedProject, open_project
from anaphora.project.saving import back_up_changed
from anaphora.project.store import queries
from anaphora.project.store.backups import list_backups
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.terms.table import TermBase
from anaphora.project.store.units.table import TranslationMemory

SEGMENTS = 200
BACKED_UP = 100
PAGE = 4096


@dataclass
class Result:
    """The outcomes by the kind of damage.

    Attributes:
        tried: number of files.
        restored: number of files opened from the backup; the others were readable.
        refused: number of files left unchanged, with a message.
        recovered: number of segments read from damaged files.
        lost: number of lost segments that were confirmed after the backup.
        rows_lost: number of lost units, terms and settings, of 600 in each file.
        wrong: descriptions of all faults.
    """

    tried: Counter[str] = field(default_factory=Counter)
    restored: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    recovered: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    rows_lost: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def target(number: int) -> SegmentState:
    """The confirmed text of a segment."""
    return SegmentState(f"Sentence {number} is translated. " * 4, Status.CONFIRMED)


def make_project(path: Path) -> None:
    """Make a project with a backup that contains half of its data, and with free pages."""
    segments = tuple(Segment(f"s{number}", f"第{number}句。" * 5) for number in range(SEGMENTS))
    data = "\n".join(segment.source for segment in segments).encode()
    store = ProjectStore.create(path, SourceDocument("a.txt", None, "txt", "utf-8", data, segments))
    for numbers in (range(BACKED_UP), range(BACKED_UP, SEGMENTS)):
        store.save(ChangeSet(tuple(Edit(f"1/s{n}", SegmentState(), target(n)) for n in numbers)))
        _add_to_tables(store, numbers)
        back_up_changed(store) if numbers.start == 0 else None
    memory = TranslationMemory("project", store)
    memory.update([Unit(f"词{n}" * 9, f"word {n} " * 9, key=f"k{n}") for n in range(300)])
    memory.update([], [f"k{n}" for n in range(200)])
    store.close()


def _add_to_tables(store: ProjectStore, numbers: Iterable[int]) -> None:
    """A unit, a term and a setting for each number."""
    TranslationMemory("project", store).add([Unit(f"单{n}", f"unit {n}") for n in numbers])
    TermBase("project", store).add([TermEntry(f"词{n}", (TargetTerm(f"term {n}"),)) for n in numbers])
    with store.writing() as connection:
        for number in numbers:
            queries.upsert_setting(connection, f"of/{number}", f"value {number}")


def _in_tables(store: ProjectStore) -> Iterator[tuple[str, int, object, object]]:
    """The rows of the tables: kind, number, current text, expected text."""
    for unit in TranslationMemory("project", store).units():
        if not unit.key:
            number = int(unit.source[1:])
            yield "unit", number, unit.target, f"unit {number}"
    for entry in TermBase("project", store).entries():
        number = int(entry.source[1:])
        yield "term", number, entry.targets, (TargetTerm(f"term {number}"),)
    for key, value in store.settings().items():
        if key.startswith("of/"):
            yield "setting", int(key[3:]), value, f"value {key[3:]}"


def _cut(data: bytearray, chance: random.Random) -> bytearray:
    return data[: chance.randrange(1, len(data))]


def _flip(data: bytearray, chance: random.Random, first: int, last: int, bits: int = 1) -> bytearray:
    for _ in range(bits):
        data[chance.randrange(first, last)] ^= 1 << chance.randrange(8)
    return data


def _overwrite_page(data: bytearray, chance: random.Random) -> bytearray:
    page = chance.randrange(len(data) // PAGE) * PAGE
    data[page : page + PAGE] = chance.randbytes(PAGE)
    return data


def _flip_in(name: str) -> Callable[[bytearray, random.Random], bytearray]:
    """A function that flips a bit in the first page of an index."""

    def damage(data: bytearray, chance: random.Random) -> bytearray:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "copy"
            path.write_bytes(data)
            connection = sqlite3.connect(path)
            root = connection.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)
            ).fetchone()[0]
            connection.close()
        return _flip(data, chance, (root - 1) * PAGE, root * PAGE)

    return damage


def _flip_in_free_page(data: bytearray, chance: random.Random) -> bytearray:
    trunk = int.from_bytes(data[32:36], "big")
    return _flip(data, chance, (trunk - 1) * PAGE, (trunk - 1) * PAGE + 64) if trunk else data


DAMAGES: dict[str, Callable[[bytearray, random.Random], bytearray]] = {
    "cut off": _cut,
    "a bit in the header": lambda data, chance: _flip(data, chance, 0, 100),
    "a bit anywhere": lambda data, chance: _flip(data, chance, 0, len(data)),
    "20 bits anywhere": lambda data, chance: _flip(data, chance, 0, len(data), 20),
    "a page overwritten": _overwrite_page,
    "a bit in an index": _flip_in("segments_in_order"),
    "a bit in the ids' index": _flip_in("sqlite_autoindex_segments_1"),
    "a bit in the free pages": _flip_in_free_page,
    "empty": lambda data, chance: bytearray(),
    "replaced by text": lambda data, chance: bytearray(b"only text\n" * chance.randrange(1, 9999)),
    "another's log": lambda data, chance: data,
}


def run(files: int, folder: Path, seed: int = 7) -> Result:
    """Damage and open files, with all kinds of damage in turn."""
    chance, result = random.Random(seed), Result()
    project = folder / "work" / "a.anaphora"
    make_project(project)
    whole, log = project.read_bytes(), _log_of_another(project, folder)
    backups = {backup.path for backup in list_backups(project, summarise=False)}
    for number in range(files):
        kind = [*DAMAGES][number % len(DAMAGES)]
        for left in project.parent.iterdir():
            left.unlink()
        for backup in list_backups(project, summarise=False):
            if backup.path not in backups:
                backup.path.unlink()
        broken = DAMAGES[kind](bytearray(whole), chance)
        project.write_bytes(broken)
        if kind == "another's log":
            shutil.copy(log, f"{project}-wal")
        result.tried[kind] += 1
        _open(project, bytes(broken), kind, result)
    return result


def _log_of_another(project: Path, folder: Path) -> Path:
    """The log that a crash left beside a copy of the backup."""
    other = Path(shutil.copy(list_backups(project, summarise=False)[0].path, folder / "other.anaphora"))
    store = ProjectStore.open(other)
    wrong = SegmentState("of another project", Status.CONFIRMED)
    store.save(ChangeSet(tuple(Edit(f"1/s{n}", SegmentState(), wrong) for n in range(150, 160))))
    log = Path(shutil.copy(f"{other}-wal", folder / "log"))
    store.close()
    return log


def _open(project: Path, broken: bytes, kind: str, result: Result) -> None:
    try:
        opened = open_project(project)
    except AnaphoraError as error:
        # One wrong bit marks the file as made by a newer version; it is not changed.
        if "newer version" not in error.message or project.read_bytes() != broken:
            result.wrong.append(f"{kind}: does not open: {error}")
        result.refused[kind] += 1
        return
    _check_tables(opened, kind, result)
    opened.store.close()
    right = 0
    for number, segment in enumerate(opened.document):
        if segment.status is Status.CONFIRMED:
            right += segment.state == target(number)
            if segment.state != target(number):
                result.wrong.append(f"{kind}: segment {number} is {segment.target[:40]!r}")
        elif number < BACKED_UP:
            result.wrong.append(f"{kind}: segment {number} of the backup is lost")
    result.lost[kind] += SEGMENTS - right
    if opened.restoration is None:
        if right != SEGMENTS:
            result.wrong.append(f"{kind}: {SEGMENTS - right} segments are lost without a message")
        return
    result.restored[kind] += 1
    result.recovered[kind] += opened.restoration.recovered
    if opened.restoration.kept.read_bytes() != broken:
        result.wrong.append(f"{kind}: the damaged file was not kept")


def _check_tables(opened: LoadedProject, kind: str, result: Result) -> None:
    """Check that memory, terms and settings have the written values, and at least those of the backup."""
    found: Counter[str] = Counter()
    for what, number, current, written in _in_tables(opened.store):
        found[what] += 1
        if current != written:
            result.wrong.append(f"{kind}: {what} {number} is {current}")
    whole = SEGMENTS if opened.restoration is None else BACKED_UP
    for what in ("unit", "term", "setting"):
        if found[what] < whole:
            result.wrong.append(f"{kind}: {whole - found[what]} {what}s are lost")
        result.rows_lost[kind] += SEGMENTS - found[what]


def main(files: int, seed: int) -> int:
    """Print the outcomes; return the exit status, 1 for any fault."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = str(Path(folder) / "data")
        result = run(files, Path(folder), seed)
    print(
        f"{'damage':24} {'files':>6} {'restored':>9} {'refused':>8} {'read back':>10} {'lost':>7} "
        f"{'rows lost':>10}"
    )
    for kind in DAMAGES:
        counts = (result.restored, result.refused, result.recovered, result.lost, result.rows_lost)
        first, second, third, fourth, fifth = (count[kind] for count in counts)
        print(f"{kind:24} {result.tried[kind]:6} {first:9} {second:8} {third:10} {fourth:7} {fifth:10}")
    print(f"{files} files, {len(result.wrong)} wrong, {time.monotonic() - start:.0f} s")
    for line in result.wrong:
        print("  " + line)
    return 1 if result.wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="?", type=int, default=1000)
    parser.add_argument("seed", nargs="?", type=int, default=7)
    sys.exit(main(**vars(parser.parse_args())))
