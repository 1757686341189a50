"""The lock of a project: only one process at a time works on it, and short reads do not disturb it."""

from __future__ import annotations

import errno
import getpass
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from disks import mount, small_disk

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import ProjectError
from anaphora.core.project import ProjectInUseError, ReadOnlyProjectError
from anaphora.core.segment import SegmentState, Status
from anaphora.project.changes import copy_to_data_folder, save_as, set_aside
from anaphora.project.opening import open_paths, open_project
from anaphora.project.store import lock as locks
from anaphora.project.store.backups import list_backups
from anaphora.project.store.files import check_header
from anaphora.project.store.lock import LockHolder, ProjectLock
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.summary import read_summary, read_work

WRITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
    print("written")
except sqlite3.OperationalError as error:
    print(error)
"""
OPEN = """
import sys
from pathlib import Path
from anaphora.core.errors import ProjectError
from anaphora.project.store.project import ProjectStore
try:
    store = ProjectStore.open(Path(sys.argv[1]))
except ProjectError as error:
    print(type(error).__name__, error, flush=True)
else:
    print("opened", flush=True)
    sys.stdin.readline()
    store.close()
"""
START = """
import sys
from pathlib import Path
from anaphora.core.errors import ProjectError
from anaphora.project.opening import open_paths
sys.stdin.readline()
try:
    opened = open_paths([Path(sys.argv[1])])
except ProjectError as error:
    print(type(error).__name__, error, flush=True)
else:
    print("opened", flush=True)
    sys.stdin.readline()
    opened.store.close()
"""


def child(script: str, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, str(path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def ask(script: str, path: Path) -> str:
    with child(script, path) as process:
        answer = said(process)
        process.communicate("\n", timeout=60)
    return answer


def confirm(store: ProjectStore, text: str) -> None:
    segment = store.load_document().at(0)
    after = SegmentState(text, Status.CONFIRMED)
    store.save(ChangeSet((Edit(segment.id, segment.state, after),)))


def refused(look: Callable[[Path], object]) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        with pytest.raises(ProjectInUseError):
            look(path)

    return run


LOOKS: dict[str, Callable[[Path], object]] = {
    "open": refused(ProjectStore.open),
    "open project": refused(open_project),
    "open path": refused(lambda path: open_paths([path])),
    "header": refused(check_header),
    "summary": read_summary,
    "segments": refused(read_work),
    "backups": list_backups,
    "copy": refused(lambda path: copy_to_data_folder(path, "copy")),
    "set aside": refused(set_aside),
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.slow
def test_reading_an_open_project_does_not_unlock_it(
    tmp_path: Path, source: SourceDocument, look: str
) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    confirm(store, "Once.")
    LOOKS[look](store.path)
    assert ask(WRITE, store.path) == "database is locked", "not even sqlite's own lock is lost"
    assert ask(OPEN, store.path).startswith("ProjectInUseError")
    confirm(store, "Twice.")
    store.close()
    again = ProjectStore.open(store.path)
    assert again.load_document().at(0).target == "Twice."
    again.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["other.anaphora", "link.anaphora", "hard.anaphora"])
def test_an_open_project_under_another_name_is_the_same_project(
    tmp_path: Path, source: SourceDocument, name: str
) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    other = tmp_path / name
    if name.startswith("link"):
        other.symlink_to(store.path)
    elif name.startswith("hard"):
        other.hardlink_to(store.path)
    else:
        store.path.rename(other)
    with pytest.raises(ProjectInUseError, match="in this window") as caught:
        ProjectStore.open(other)
    assert caught.value.is_here
    assert read_summary(other) is None
    assert ask(OPEN, other).startswith("ProjectInUseError")
    assert ask(WRITE, other) == "database is locked"
    store.close()


@pytest.mark.slow
def test_a_killed_process_locks_nothing(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    ProjectStore.create(path, source).close()
    with child(OPEN, path) as process:
        assert said(process) == "opened"
        with pytest.raises(ProjectInUseError) as caught:
            ProjectStore.open(path)
        os.kill(process.pid, signal.SIGKILL)
    assert not caught.value.is_here
    assert re.search(r"“a” has been open in another window on this computer since \d", caught.value.message)
    assert str(process.pid) not in str(caught.value)
    assert ProjectLock(path).file.exists(), "the file is still there"
    ProjectStore.open(path).close()
    assert not ProjectLock(path).file.exists()


@pytest.mark.slow
def test_only_one_of_several_simultaneous_starts_opens(tmp_path: Path) -> None:
    document = tmp_path / "指南.zh.txt"
    document.write_text("账本保存每个交易。\n", "utf-8")
    processes = [child(START, document) for _ in range(4)]
    for each in processes:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    answers = [said(each) for each in processes]
    for each in processes:
        each.communicate("\n", timeout=60)
    assert sorted(answers)[-1:] == ["opened"] and answers.count("opened") == 1, answers
    assert all(
        re.match("ProjectInUseError “指南.zh” has been open in another window", a)
        for a in answers
        if a != "opened"
    )


def test_a_short_read_is_waited_for(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    ProjectStore.create(path, source).close()
    looking = ProjectLock(path, works=False).acquire()
    threading.Timer(0.5, looking.release).start()
    begin = time.monotonic()
    store = ProjectStore.open(path)
    assert 0.4 < time.monotonic() - begin < locks.LOCK_TIMEOUT
    # a reader does not wait for a process that works
    begin = time.monotonic()
    assert read_summary(path) is None
    assert time.monotonic() - begin < 1
    store.close()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"computer": "Büro-7", "user": "lin"},
            "lin has had “a” open on the computer “Büro-7” since 2026-03-01 09:30.",
        ),
        ({"user": "lin"}, "lin has had “a” open on this computer since 2026-03-01 09:30."),
        ({"user": ""}, "Another user has had “a” open on this computer since 2026-03-01 09:30."),
        ({}, "“a” has been open in another window on this computer since 2026-03-01 09:30."),
    ],
)
def test_the_user_who_has_the_project_open_is_reported(
    tmp_path: Path, source: SourceDocument, changes: dict[str, str], words: str
) -> None:
    path = tmp_path / "a.anaphora"
    ProjectStore.create(path, source).close()
    with child(OPEN, path) as process:
        assert said(process) == "opened"
        file = ProjectLock(path).file
        note = json.loads(file.read_text())
        assert (note["user"], note["process"]) == (getpass.getuser(), process.pid)
        # as from another computer, whose lock would be the same on a network folder
        file.write_text(" " + json.dumps(note | {"since": "2026-03-01T09:30+00:00"} | changes))
        with pytest.raises(ProjectInUseError) as caught:
            ProjectStore.open(path)
        assert caught.value.message == words
        assert caught.value.advice
        process.communicate("\n", timeout=60)


@pytest.mark.parametrize("note", ["", " ", " null", " {}", ' {"user": 1}', " \xff", " " + "[" * 5000])
def test_an_invalid_lock_file_does_no_harm(tmp_path: Path, source: SourceDocument, note: str) -> None:
    path = tmp_path / "a.anaphora"
    ProjectStore.create(path, source).close()
    file = ProjectLock(path).file
    file.write_bytes(note.encode("latin-1"))
    assert LockHolder.read(file) is None
    ProjectStore.open(path).close()
    assert not file.exists()


def test_a_folder_without_locks_uses_sqlites_lock(
    tmp_path: Path, source: SourceDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    assert ask(WRITE, store.path) == "database is locked"
    with pytest.raises(ProjectInUseError):
        ProjectStore.open(store.path)
    assert ask(WRITE, store.path) == "database is locked"
    store.close()
    ProjectStore.open(store.path).close()


@pytest.mark.slow
def test_a_read_only_folder_is_read_without_a_lock(tmp_path: Path, source: SourceDocument) -> None:
    with small_disk(tmp_path / "disk", "2m") as disk:
        path = disk / "a.anaphora"
        ProjectStore.create(path, source).close()
        (disk / "no project.anaphora").write_text("x" * 200)
        assert mount("-o", "remount,ro", str(disk))
        with pytest.raises(ReadOnlyProjectError):
            ProjectStore.open(path)
        with pytest.raises(ProjectError, match="damaged"):
            ProjectStore.open(disk / "no project.anaphora")
        found = read_summary(path)
        assert found is not None and found.segments == 20
        copy = copy_to_data_folder(path, "copy")
    ProjectStore.open(copy).close()


@pytest.mark.slow
def test_a_project_that_is_open_elsewhere_is_not_saved_over(tmp_path: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    other = tmp_path / "b.anaphora"
    ProjectStore.create(other, source).close()
    before = other.read_bytes()
    with child(OPEN, other) as process:
        assert said(process) == "opened"
        with pytest.raises(ProjectInUseError):
            save_as(store, other)
        process.communicate("\n", timeout=60)
    assert other.read_bytes() == before
    store.close()


@pytest.mark.slow
def test_a_released_lock_is_taken_by_one_waiter(tmp_path: Path) -> None:
    """The lock file is removed while others wait for it; they then create another one."""
    path, inside, most = tmp_path / "a.anaphora", [], []

    def work() -> None:
        for _ in range(100):
            with ProjectLock(path, works=False):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.0002)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert most == [1] * 400
    assert list(tmp_path.glob(".*lock")) == []


def test_a_lock_is_held_until_its_last_release(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    with ProjectLock(path) as held:
        store = ProjectStore.create(tmp_path / "b.anaphora", source)
        store.copy_to(path)
        store.close()
        copy = ProjectStore.open(path, project_lock=held)
    with pytest.raises(ProjectInUseError):
        ProjectLock(path).acquire()
    copy.close()
    with ProjectLock(path):
        pass
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchall() == [("ok",)]
