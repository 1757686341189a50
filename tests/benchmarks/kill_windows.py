"""Two windows at once: every way of opening in a real window, while a second process tries to write.

The window runs in a forked process on a light engine: this is about the store and the ways to it. The second
process tries to open the same project and to write into its file by sqlite alone, before, while and after
the window opens it; now and then it has it open first. Either is killed with SIGKILL now and then. After each
round the project's file opens, is sound (`PRAGMA integrity_check`), and holds every text that either process
was told is on the disk.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from remote_process import PATIENCE, Remote

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import AnaphoraError
from anaphora.core.project import ProjectInUseError
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.projects.recent_progress import look_at
from anaphora.store.backups import list_backups
from anaphora.store.locations import PROJECT_SUFFIX
from anaphora.store.project import ProjectStore
from anaphora.store.summary import read_summary

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow

WAYS = ("start page", "Ctrl+O", "drop", "recent", "command line", "folder", "backup")
LINES = 8
OF_SECOND = 2
"""So many segments, the last ones, are the second process's: no text of one stands where the other writes."""
A_WORLD = 60
"""Rounds until other documents are begun, with an empty data folder."""
KILLS, FIRST = 0.08, 0.25
"""Shares of the rounds in which a process is killed, and in which the second process is there first."""
LISTING = 0.1
"""Seconds in which a dialog lists the folder of what is opened."""
Texts = dict[str, str]
States = dict[str, tuple[str, bool]]


@dataclass
class Result:
    """What came of it.

    Attributes:
        rounds: of each way of opening.
        refused: how often a process was told that the other one has the project.
        attempts: how often the second process tried to open a project, or to write into its file.
        kills: of each process.
        texts: how many texts were said to be on the disk.
        problems: everything that is not as it should be.
    """

    rounds: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    attempts: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    texts: int = 0
    problems: list[str] = field(default_factory=list)


# The window


class WindowProcess:
    """A window that opens, confirms and closes as it is told."""

    def __init__(self, connection: Connection) -> None:
        from PySide6.QtWidgets import QApplication
        from recording_translator import RecordingTranslator

        from anaphora.composition import make_window, window_settings

        self._connection = connection
        self._application = QApplication(["anaphora"])
        settings = window_settings()
        settings.setValue("language", "en")
        settings.setValue("say_at_closing", False)
        # Its dictionary would be read by every window that follows a kill.
        settings.setValue("spelling", False)
        self.window: MainWindow = make_window(self._application, RecordingTranslator, settings)
        self.window.controller.failed.disconnect()
        self._failures: list[str] = []
        self.window.controller.failed.connect(lambda *parts: self._failures.append(" ".join(parts)))
        self.window.show()
        self.window.services.worker.start()

    def serve(self) -> None:
        """Carry requests out until the other end is closed."""
        while True:
            self._application.processEvents()
            if self._connection.poll(0.01):
                name, *arguments = self._connection.recv()
                self._connection.send(("answer", getattr(self, name)(*arguments)))

    def open(self, way: str, path: Path) -> tuple[Path | None, str]:
        """Open a path; its project and "", or None and why not."""
        self._failures.clear()
        before = self.window.controller.store
        getattr(self, "_by_" + way.replace(" ", "_").replace("+", "_").lower())(path)
        self._wait(lambda: not self.window.controller.tasks.busy)
        self._wait(lambda: self.window.controller._wanted is None and not self.window.controller.tasks.busy)
        store = self.window.controller.store
        if self._failures:
            return None, self._failures[0]
        return (None, "nothing was opened") if store is None or store is before else (store.path, "")

    def again(self, way: str, path: Path) -> bool:
        """Open what is open once more; whether it still is."""
        store = self.window.controller.store
        self.open(way, path)
        return store is not None and self.window.controller.store is store

    def states(self) -> States:
        """Texts, and whether they are confirmed."""
        session = self.window.controller.session
        assert session is not None
        return states_of(session.document)

    def confirm(self, count: int, mark: str, is_told: bool = False) -> Texts:
        """Confirm segments; the texts, which are on the disk then.

        Args:
            is_told: say each before and after.
        """
        controller, said = self.window.controller, {}
        assert controller.session is not None and controller.editing is not None
        ids = [segment.id for segment in controller.session.document][:-OF_SECOND]
        for number in range(count):
            segment, text = random.choice(ids), f"{mark}.{number}"
            if is_told:
                self._connection.send(("answer", ("begun", {segment: text})))
            controller.editing.type_text(segment, text)
            controller.editing.confirm(segment)
            said[segment] = text
            if is_told:
                assert controller._autosave is not None and controller._autosave.flush(60)
                self._connection.send(("answer", ("kept", {segment: text})))
            self._application.processEvents()
        assert controller._autosave is not None and controller._autosave.flush(60)
        return said

    def close(self) -> bool:
        """Close the document, everything saved."""
        return self.window.controller.close()

    def _wait(self, is_done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_done():
            assert time.monotonic() < end, "the window does not come to an end"
            self._application.processEvents()
            time.sleep(0.001)
        self._application.processEvents()

    def _by_start_page(self, path: Path) -> None:
        page = self.window.start_page
        page.show_recent((path,))
        self.window.services.recent_progress.ask((path,))
        page._rows[path].click()

    def _by_ctrl_o(self, path: Path) -> None:
        from PySide6.QtWidgets import QFileDialog

        self.window.actions_by_name["open"].trigger()
        (dialog,) = self.window.findChildren(QFileDialog)
        self._wait(dialog.isVisible)
        dialog.setDirectory(str(path.parent))
        end = time.monotonic() + LISTING
        self._wait(lambda: time.monotonic() > end)
        dialog.filesSelected.emit([str(path)])
        dialog.close()

    def _by_drop(self, path: Path) -> None:
        from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
        from PySide6.QtGui import QDropEvent

        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        self.window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, mime, left, none))

    def _by_recent(self, path: Path) -> None:
        self.window.services.recent.add(path)
        self.window.files.menu.aboutToShow.emit()
        self.window.files.menu.actions()[0].trigger()

    def _by_command_line(self, path: Path) -> None:
        self.window.controller.open(path)

    def _by_folder(self, path: Path) -> None:
        from PySide6.QtWidgets import QFileDialog

        self.window.actions_by_name["open_folder"].trigger()
        (dialog,) = self.window.findChildren(QFileDialog)
        self._wait(dialog.isVisible)
        dialog.fileSelected.emit(str(path))
        dialog.close()

    def _by_backup(self, path: Path) -> None:
        from anaphora.projects.view.backups import BackupsDialog

        self.window.presenter.projects.list_backups(path)
        self._wait(lambda: bool(self.window.findChildren(BackupsDialog)))
        dialog = self.window.findChildren(BackupsDialog)[-1]
        newest = dialog.list.topLevelItem(0)
        assert newest is not None
        dialog.list.setCurrentItem(newest)
        dialog.open_button.click()


def serve_window(connection: Connection) -> None:
    """What the window's process does."""
    WindowProcess(connection).serve()


# The second process


class SecondProcess:
    """Tries to work on projects, by the store and by sqlite alone."""

    def __init__(self) -> None:
        self._store: ProjectStore | None = None

    def attack(self, project: Path) -> list[str]:
        """Try everything with a project that is open elsewhere; returns what must not have been possible."""
        problems = []
        try:
            ProjectStore.open(project).close()
            problems.append("the second process could open it")
        except ProjectInUseError as error:
            if "open" not in error.message or str(os.getppid()) in error.message:
                problems.append(f"it is not said who has it open: {error}")
        if write(project):
            problems.append("the second process could write into the file")
        read_summary(project)
        look_at(project)
        list_backups(project)
        return problems

    def race(self, project: Path, mark: str, seconds: float) -> tuple[int, int, Texts]:
        """Open, write and close it over and over; attempts, refusals, and the texts that are on the disk."""
        attempts, refused, kept = 0, 0, {}
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            attempts += 1
            try:
                store = ProjectStore.open(project)
            except ProjectInUseError:
                refused += 1
                continue
            except AnaphoraError:
                break  # It is not there yet.
            kept.update(confirm_last(store, f"{mark}.{attempts}"))
            store.close()
            time.sleep(0.005)
        return attempts, refused, kept

    def take(self, project: Path) -> bool:
        """Open it and keep it open."""
        self._store = ProjectStore.open(project)
        return True

    def write(self, mark: str) -> Texts:
        """Confirm a segment in the project that is kept open."""
        assert self._store is not None
        return confirm_last(self._store, mark)

    def leave(self) -> None:
        """Close it."""
        if self._store is not None:
            self._store.close()
        self._store = None


def serve_second(connection: Connection) -> None:
    """What the second process does."""
    second = SecondProcess()
    while True:
        name, *arguments = connection.recv()
        connection.send(("answer", getattr(second, name)(*arguments)))


def write(project: Path) -> bool:
    """Whether sqlite, asked behind the store's back, lets this process write."""
    connection = sqlite3.connect(f"{project.as_uri()}?mode=rw", uri=True, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True


def states_of(segments: Iterable[Segment]) -> States:
    """The text of each segment, and whether it is confirmed."""
    return {segment.id: (segment.target, segment.status is Status.CONFIRMED) for segment in segments}


def confirmed_of(states: States) -> Texts:
    """The texts that are confirmed."""
    return {segment: text for segment, (text, is_confirmed) in states.items() if is_confirmed}


def confirm_last(store: ProjectStore, text: str) -> Texts:
    """Confirm one of the last segments; on return it is on the disk."""
    segment = random.choice(list(store.load_document())[-OF_SECOND:])
    store.save(ChangeSet((Edit(segment.id, segment.state, SegmentState(text, Status.CONFIRMED)),)))
    return {segment.id: text}


# The rounds


class Rounds:
    """Lets both processes work, kills them, and looks at what is left."""

    def __init__(self, folder: Path, chance: random.Random, result: Result) -> None:
        self._folder, self._chance, self._result = folder, chance, result
        self._number = 0
        self._expected: dict[Path, Texts] = {}
        self._begun: dict[Path, dict[str, set[str]]] = {}
        self._projects: dict[Path, Path] = {}
        self._window: Remote | None = None
        self._second: Remote | None = None

    def run(self) -> None:
        """One round."""
        if self._number % A_WORLD == 0:
            self._begin_world()
        way = WAYS[self._number % len(WAYS)]
        self._number += 1
        self._result.rounds[way] += 1
        try:
            problems = self._round(way)
        except RuntimeError as error:
            problems = [str(error)]
            self.stop()
        found = [f"round {self._number}, {way}: {each}" for each in problems]
        self._result.problems += found
        for each in found:
            print(each, file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Kill what runs."""
        for each in (self._window, self._second):
            if each is not None:
                each.kill()
        self._window = self._second = None

    @property
    def window(self) -> Remote:
        if self._window is None:
            self._window = Remote(serve_window)
        return self._window

    @property
    def second(self) -> Remote:
        if self._second is None:
            self._second = Remote(serve_second)
        return self._second

    def _begin_world(self) -> None:
        self.stop()
        place = self._folder / str(self._number)
        (place / "folder").mkdir(parents=True)
        os.environ["ANAPHORA_DATA"] = str(place / "data")
        lines = [f"第{number}个节点保存账本。\n" for number in range(LINES)]
        for name in ("one.txt", "two.txt", "folder/a.txt", "folder/b.txt"):
            (place / name).write_text(name + "".join(lines), "utf-8")
        self._expected, self._begun, self._projects = {}, {}, {}
        self._place = place

    def _path(self, way: str) -> Path:
        """What is opened: a document, its project, the folder, or the project of which a backup is opened."""
        if way == "folder":
            return self._place / "folder"
        document = self._place / self._chance.choice(("one.txt", "two.txt"))
        project = self._projects.get(document)
        if way == "backup":
            return next((each for each in self._expected if list_backups(each, summarise=False)), document)
        return project if project is not None and self._chance.random() < 0.5 else document

    def _round(self, way: str) -> list[str]:
        path = self._path(way)
        if way == "backup" and path.suffix != PROJECT_SUFFIX:
            way = "Ctrl+O"
        known = path if path in self._expected else self._projects.get(path)
        problems = []
        if known is not None and way != "backup" and self._chance.random() < FIRST:
            problems += self._second_first(way, path, known)
        project = self._open(way, path, known if way != "backup" else None)
        self._projects.setdefault(path, project)
        self._begun.setdefault(project, {})
        found = self.window.ask("states")
        self._expected.setdefault(project, confirmed_of(found))
        problems += self._compare(project, found)
        problems += self._attack(project)
        self._keep(project, self.window.ask("confirm", self._chance.randrange(1, 4), self._mark()))
        if not self.window.ask(
            "again",
            self._chance.choice(WAYS[:5]),
            self._chance.choice((project, path)) if way != "backup" else project,
        ):
            problems.append("opened once more, another project stands in the window")
        problems += self._attack(project)
        if self._chance.random() < KILLS:
            self._kill_window(project)
        else:
            self._keep(project, self.window.ask("confirm", 1, self._mark()))
            if not self.window.ask("close"):
                problems.append("not all of it was saved")
        return problems + self._check(project)

    def _second_first(self, way: str, path: Path, project: Path) -> list[str]:
        """The second process has it open: the window is refused, and nothing of either is lost."""
        self.second.ask("take", project)
        self._keep(project, self.second.ask("write", self._mark()))
        opened, why = self.window.ask("open", way, path)
        self._result.refused["window"] += 1
        self._keep(project, self.second.ask("write", self._mark()))
        if self._chance.random() < KILLS and self._second is not None:
            self._second.kill()
            self._second = None
            self._result.kills["second"] += 1
        else:
            self.second.ask("leave")
        if opened is not None:
            return [f"both have it open: {opened}"]
        return [] if "open" in why else [f"it is not said why it cannot be opened: {why}"]

    def _open(self, way: str, path: Path, known: Path | None) -> Path:
        """Open it in the window, while the second process tries to get it."""
        is_race = known is not None and self._chance.random() < 0.5
        for _ in range(50):
            if is_race:
                self.second.begin("race", known, self._mark(), self._chance.uniform(0, 0.1))
            opened, why = self.window.ask("open", way, path)
            if is_race and known is not None:
                attempts, refused, kept = self.second.end()
                self._result.attempts += attempts
                self._result.refused["second"] += refused
                self._keep(known, kept)
            if opened is not None:
                return Path(opened)
            if "open" not in why:
                raise RuntimeError(why)
            self._result.refused["window"] += 1
            is_race = is_race and self._chance.random() < 0.5
        raise RuntimeError("the window never gets it")

    def _attack(self, project: Path) -> list[str]:
        self._result.attempts += 2
        self._result.refused["second"] += 2
        return self.second.ask("attack", project)

    def _kill_window(self, project: Path) -> None:
        """Kill the window while it confirms, and note what it had said."""
        window = self.window
        window.begin("confirm", 1000, self._mark(), True)
        time.sleep(self._chance.uniform(0, 0.15))
        for answer in window.kill():
            if isinstance(answer, tuple):
                kind, texts = answer
                if kind == "kept":
                    self._keep(project, texts)
                else:
                    for segment, text in texts.items():
                        self._begun[project].setdefault(segment, set()).add(text)
        self._window = None
        self._result.kills["window"] += 1

    def _keep(self, project: Path, texts: Texts) -> None:
        self._result.texts += len(texts)
        self._expected.setdefault(project, {}).update(texts)

    def _mark(self) -> str:
        return f"round {self._number} {self._chance.randrange(10**9)}"

    def _compare(self, project: Path, found: States) -> list[str]:
        """What is not there that was said to be on the disk; what was begun after it may be in its place."""
        problems = []
        for segment, text in self._expected[project].items():
            now, is_confirmed = found.get(segment, ("", False))
            begun = self._begun.get(project, {}).get(segment, set())
            # Typing takes the confirmation back before it is given again.
            if now not in {text, *begun} or not (is_confirmed or begun):
                problems.append(f"{segment} says {now!r} ({is_confirmed}) in place of {text!r}")
        return problems

    def _check(self, project: Path) -> list[str]:
        """Look at a project that nobody has open."""
        try:
            store = ProjectStore.open(project)
        except AnaphoraError as error:
            return [f"does not open: {error}"]
        found = states_of(store.load_document())
        store.close()
        problems = self._compare(project, found)
        self._expected[project], self._begun[project] = confirmed_of(found), {}
        with closing_connection(project) as connection:
            if (verdict := connection.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
                problems.append(f"integrity_check: {verdict}")
        left = [each.name for each in project.parent.glob(f".{project.name}.*")]
        return problems + ([f"left behind: {left}"] if left else [])


@contextmanager
def closing_connection(project: Path) -> Iterator[sqlite3.Connection]:
    """A connection that is closed."""
    connection = sqlite3.connect(project)
    try:
        yield connection
    finally:
        connection.close()


def run(rounds: int, folder: Path, seed: int = 7) -> Result:
    """Let two windows work, over and over, by each way of opening in turn; SIGTERM ends it early."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    _load_what_windows_need()
    result = Result()
    every = Rounds(folder, random.Random(seed), result)
    try:
        for number in range(rounds):
            if number % 50 == 0:
                print(f"{number} rounds, {len(result.problems)} problems", file=sys.stderr, flush=True)
            every.run()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    finally:
        every.stop()
    return result


def _load_what_windows_need() -> None:
    """Forked windows inherit it."""
    import jieba
    import lemminflect
    import recording_translator  # noqa: F401

    import anaphora.composition  # noqa: F401

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    lemminflect.getAllLemmas("nodes")


def report(result: Result, seconds: float) -> int:
    """Print what came of it; the exit status is 1 if anything was lost."""
    print(f"{'way of opening':16} {'rounds':>7}")
    for way in WAYS:
        print(f"{way:16} {result.rounds[way]:7}")
    refused, kills = result.refused, result.kills
    print(
        f"{result.rounds.total()} rounds, {result.texts} texts said to be on the disk; the second process "
        f"tried {result.attempts} times, refused {refused['second']} times, the window refused "
        f"{refused['window']} times; killed {kills['second']} and {kills['window']} times; "
        f"{len(result.problems)} problems, {seconds:.0f} s"
    )
    for line in result.problems:
        print("  " + line)
    return 1 if result.problems else 0
