"""Open generated hostile files: none may freeze the app, fill memory, lose data or access other files.

A variant is a project of a kind in `tests/app/support/hostile_projects.py`, with random sizes and sometimes a
second kind; a document with one long line; an export onto a file of the project; or an import of a kind in
`tests/app/support/hostile_imports.py`, of its full size or smaller. Each variant has its own process. A
thread does what the window does with the file (open it, read its history, count it, import it as a memory,
save readable parts); meanwhile the main thread, like the window's, wakes up every 5 ms.

Faults are: *frozen*, more than 1 s of processor time between two turns of the main thread; *over 10 s* of
processor time in all; *over 1 GB* of memory; *lost*, a confirmed text whose row is in the file is neither
opened nor saved, or a refused file that was changed (except sqlite's header); *outside*, access to a
file or connection that belongs neither to the variant's folder nor to the program; *crashed*, an unexpected
error.

Processor times prevent false faults on a busy machine.

Run: python tests/benchmarks/hostile_test.py [variants] [--seed S] [--only NUMBER]
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import queue
import random
import resource
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

from hostile_imports import IMPORTS
from hostile_projects import CONFIRMED, KINDS, craft

from anaphora.core.errors import AnaphoraError, ProjectError
from anaphora.core.project import DamagedProjectError
from anaphora.features.tm.exchange import import_units
from anaphora.project.exporting.writing import check_destination, snapshot, write_export
from anaphora.project.opening import open_paths
from anaphora.project.rescuing import rescue
from anaphora.project.store.summary import read_summary
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora_nmt.errors import AnaphoraNmtError

PATIENCE = 300
"""Elapsed seconds after which a process counts as hung, not counting the creation of its file."""
MAX_SECONDS = 60
"""Seconds of processor time after which a process is killed and counts as frozen."""
LONG_LINE, ONTO = "long line", "export onto a file of the project"
ALL = (*KINDS, LONG_LINE, ONTO, *IMPORTS)
HIDDEN = ("generated target", "endless segments")
"""Kinds without translations in the table of segments."""
NOTHING = ("endless documents",)
"""Kinds from which nothing can be saved."""
_PROGRAM = (sys.prefix, sys.base_prefix, "/usr", "/etc/localtime", "/proc")
FREE = tuple(str(Path(path).resolve()) for path in _PROGRAM)
_HEADER = 100
LIMITS = {"frozen": 1.0, "over 10 s": 10.0, "over 1 GB": 1024.0}


@dataclass
class Outcome:
    """The outcome of a variant.

    Attributes:
        what: opened, refused, …
        faults: details, by the name of the fault.
        gap, seconds, peak: longest gap between two turns, processor time, MiB of memory.
    """

    what: str = ""
    faults: dict[str, str] = field(default_factory=dict)
    gap: float = 0.0
    seconds: float = 0.0
    peak: float = 0.0


class Watch:
    """Records access to files outside of a folder, and connections."""

    def __init__(self, folder: Path) -> None:
        here = str(Path(__file__).parents[2].resolve())
        self._inside = (str(folder.resolve()), here, *FREE)
        self.outside: list[str] = []
        self.on = False
        sys.addaudithook(self._audit)
        for name in ("stat", "lstat"):
            setattr(os, name, self._watched(getattr(os, name)))

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.on:
            return
        if event.startswith("socket.connect") or event == "socket.getaddrinfo":
            self.outside.append(f"{event} {arguments[1:]}")
        elif event in ("open", "os.listdir", "os.scandir", "shutil.copyfile"):
            self._note(arguments[0])

    def _watched(self, function):
        def watched(path, *args, **kwargs):
            if self.on:
                self._note(path)
            return function(path, *args, **kwargs)

        return watched

    def _note(self, path: object) -> None:
        if isinstance(path, (str, bytes, os.PathLike)):
            text = os.path.abspath(os.fsdecode(path))  # noqa: PTH100
            # Access to parent folders is allowed.
            if not any(text.startswith(part) or part.startswith(text) for part in self._inside):
                self.outside.append(text)


def prepare(kind: str, folder: Path, chance: random.Random) -> Path:
    """Make the hostile file of a variant."""
    original = folder / "elsewhere" / "a.txt"
    if kind in IMPORTS:
        size = IMPORTS[kind].size
        return IMPORTS[kind].write(folder, size if chance.random() < 0.1 else round(size ** chance.random()))
    if kind == LONG_LINE:
        unit = chance.choice(["x", "账", "word ", "账本，", "<a ", "{1}", "a@", "1,", "“", "http://a."])
        path = folder / "a.txt"
        path.write_text("账本" + unit * (chance.randint(1, 300_000) // len(unit)) + "\n账本。\n", "utf-8")
        return path
    # The user has chosen the destination of an export: reading its folder is allowed.
    extra = ("deep", "many unp") if kind == ONTO else ("deep", "a ", "many unp")
    kinds = [] if kind == ONTO else [kind]
    others = [each for each in KINDS if each.startswith(extra)]
    if chance.random() < 0.3:
        kinds.insert(0, chance.choice(others))
    return craft(folder / "a.anaphora", original, *dict.fromkeys(kinds), chance=chance)


def receive(kind: str, path: Path, outcome: Outcome) -> None:
    """Handle a file like the window."""
    if kind in IMPORTS:
        IMPORTS[kind].receive(path)
        outcome.what = "imported"
        return
    before = path.read_bytes()
    try:
        opened = open_paths([path])
    except DamagedProjectError as refused:
        outcome.what = "refused"
        if not refused.advice or not refused.message:
            outcome.faults["crashed"] = "a refusal without a message"
        if path.read_bytes()[_HEADER:] != before[_HEADER:]:
            outcome.faults["lost"] = "the refused file was changed"
        _save_readable(kind, path, outcome)
    else:
        outcome.what = "opened"
        first = opened.document.at(0)
        if kind == LONG_LINE:
            pass
        elif first.target != CONFIRMED:
            outcome.faults["lost"] = f"the first segment is {first.target[:40]!r}"
        opened.store.history(first.id)
        if kind == ONTO:
            _export_onto(opened, outcome)
        elif kind == LONG_LINE:
            write_export(
                opened.store, opened.documents[0], snapshot(opened.document), path.with_name("out.txt")
            )
        opened.store.close()
    if path.suffix == ".anaphora":
        read_summary(path)
        memory = MemoryFile.open(path.with_name("memory.sqlite"))
        with closing(memory), suppress(AnaphoraError):  # it may be refused or empty
            import_units(path, TranslationMemory("m", memory))


def _save_readable(kind: str, path: Path, outcome: Outcome) -> None:
    try:
        saved = rescue(path)
    except ProjectError:
        if kind not in NOTHING:
            outcome.faults["lost"] = "nothing was saved"
        return
    if saved.confirmed != 1 and kind not in HIDDEN:
        outcome.faults["lost"] = f"{saved.confirmed} confirmed of {saved.segments} saved"


def _export_onto(opened, outcome: Outcome) -> None:
    project = opened.store.path
    link = project.with_name("link.txt")
    os.link(project, link)
    for place in (project, link, project.with_name(f"{project.name}-wal"), Path(opened.documents[0].path)):
        try:
            check_destination(opened.store, place)
        except AnaphoraError:
            continue
        outcome.faults["lost"] = f"{place.name} may be replaced"


def run(number: int, seed: int, folder: Path, answers) -> None:
    """Run one variant in this process."""
    kind = ALL[number % len(ALL)]
    os.environ["ANAPHORA_DATA"] = str(folder / "data")
    tempfile.tempdir = str(folder)
    outcome = Outcome()
    path = prepare(kind, folder, random.Random(f"{seed}:{number}"))
    answers.put(None)
    # Libraries mapped by the parent process do not count.
    most = _mapped() + (6 << 30)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    spent = round(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (spent + MAX_SECONDS, spent + MAX_SECONDS + 5))
    watch = Watch(folder)

    def work() -> None:
        watch.on = True
        try:
            receive(kind, path, outcome)
        except (AnaphoraError, AnaphoraNmtError) as refused:
            outcome.what = outcome.what or f"refused ({str(refused)[:60]})"
        except BaseException as error:
            outcome.faults["crashed"] = f"{type(error).__name__}: {error}"[:200]
        watch.on = False

    base = _memory()
    start = last = time.process_time()
    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        thread.join(0.005)
        now = time.process_time()
        outcome.gap, last = max(outcome.gap, now - last), now
    outcome.seconds, outcome.peak = last - start, _memory() - base
    for name, value in zip(LIMITS, (outcome.gap, outcome.seconds, outcome.peak), strict=True):
        if value > LIMITS[name]:
            outcome.faults[name] = f"{value:.1f}"
    if watch.outside:
        outcome.faults["outside"] = ", ".join(sorted(set(watch.outside))[:3])
    answers.put(outcome)


def _mapped() -> int:
    """Bytes of mapped address space."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_in_child(number: int, seed: int) -> Outcome:
    """Run a variant in a child process and wait for it."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    process = context.Process(target=run, args=(number, seed, folder, answers))
    process.start()
    end = time.monotonic() + PATIENCE
    try:
        while True:
            with suppress(queue.Empty):
                if (found := answers.get(timeout=0.5)) is not None:
                    return found
                end = time.monotonic() + PATIENCE
            if not process.is_alive() and answers.empty():
                return Outcome("", {"frozen": f"it died ({process.exitcode})"})
            if time.monotonic() > end:
                return Outcome("", {"frozen": f"no answer in {PATIENCE} s"})
    finally:
        process.kill()
        process.join()
        shutil.rmtree(folder, ignore_errors=True)


def run_all(numbers: range, seed: int) -> Counter[str]:
    """Run variants and print their faults; return the number of variants by fault."""
    counted = []
    for number in numbers:
        counted.append(outcome := run_in_child(number, seed))
        for fault, detail in outcome.faults.items():
            print(f"{number} {ALL[number % len(ALL)]}: {fault}: {detail}", flush=True)
    faults = Counter(fault for outcome in counted for fault in outcome.faults)
    whats = Counter(outcome.what.partition(" ")[0] or "none" for outcome in counted)
    names = ("frozen", "over 10 s", "over 1 GB", "lost", "outside", "crashed")
    print(f"{len(numbers)} variants of {len(ALL)} kinds: {dict(whats)}")
    print(", ".join(f"{name}: {faults[name]}" for name in names))
    print(
        f"worst: {max(outcome.gap for outcome in counted):.2f} s between two turns of the window, "
        f"{max(outcome.seconds for outcome in counted):.1f} s of processor time, "
        f"{max(outcome.peak for outcome in counted):.0f} MiB more"
    )
    return faults


def main() -> None:
    """Run all variants; exit with 1 after any fault."""
    parser = argparse.ArgumentParser()
    parser.add_argument("variants", nargs="?", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    import anaphora_nmt.api  # noqa: F401 — loaded here once, not by each variant

    numbers = range(options.variants) if options.only is None else range(options.only, options.only + 1)
    sys.exit(bool(run_all(numbers, options.seed)))


if __name__ == "__main__":
    main()
