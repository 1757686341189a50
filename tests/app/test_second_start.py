"""A second start of the program: a file that is open is shown where it is, another one gets a window."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from forked_command import forked_windows, in_no_screen
from PySide6.QtCore import Qt

from anaphora.project.store.lock import Holder, ProjectLock
from anaphora.system import running_windows
from anaphora.system.running_windows import RunningWindows, names_of, read_request
from anaphora.window import handed_files
from anaphora.window.handed_files import open_handed, show_open

SECONDS = 90.0
"""The machine may be busy."""


IMPATIENT = """
import sys
from anaphora import main as program
from anaphora.system import running_windows
running_windows.REPLY_MS = 1000
sys.exit(program.main())
"""
"""The program, which waits a second for another window."""


class Start:
    """A start of the real program, without a screen."""

    def __init__(self, *arguments: object, program: str = "") -> None:
        self.process = forked_windows().start([*map(str, arguments)], in_no_screen(), program)

    @property
    def ended(self) -> int | None:
        return self.process.poll()

    def has_open(self, path: Path) -> bool:
        """Whether it has the project of a document open."""
        folder = Path(os.environ["ANAPHORA_DATA"]) / "projects"
        for project in folder.glob(f"{path.stem}-*.anaphora"):
            holder = Holder.read(ProjectLock(project).file)
            if holder is not None and holder.process == self.process.pid and holder.works:
                return True
        return False

    @property
    def is_found(self) -> bool:
        return (Path(os.environ["ANAPHORA_DATA"]) / "windows" / f"{self.process.pid}").exists()

    def kill(self) -> None:
        if self.ended is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(SECONDS)


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


@pytest.fixture
def start() -> Iterator[Callable[..., Start]]:
    made: list[Start] = []

    def begin(*arguments: object, program: str = "") -> Start:
        made.append(Start(*arguments, program=program))
        return made[-1]

    yield begin
    for each in made:
        each.kill()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "合同.zh.txt"
    path.write_text("甲方支付价款。\n", "utf-8")
    return path


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_starts_find_each_other(start, document, other) -> None:
    first = start(document)
    until(lambda: first.has_open(document))
    again = start(document)
    until(lambda: again.ended is not None)
    assert again.ended == 0 and first.ended is None and first.has_open(document)
    # another file: a window of its own; it is found there, too
    second = start(other)
    until(lambda: second.has_open(other))
    assert first.has_open(document)
    again = start(other)
    until(lambda: again.ended is not None)
    assert again.ended == 0
    # a killed window leaves a socket at which nobody listens
    second.kill()
    assert second.is_found
    third = start(other)
    until(lambda: third.has_open(other))
    assert not second.is_found


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_a_window_that_hangs_is_not_waited_for_without_end(start, document, other) -> None:
    first = start(document)
    until(lambda: first.has_open(document))
    os.kill(first.process.pid, signal.SIGSTOP)
    begin = time.monotonic()
    second = start(document, program=IMPATIENT)
    until(lambda: second.is_found)
    assert time.monotonic() - begin < 1 + 27
    assert second.ended is None, "it says in a window of its own who has it open"
    os.kill(first.process.pid, signal.SIGCONT)
    assert not second.has_open(document)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_what_another_window_has_open_is_shown_there(
    qtbot, make_window, start, document, data_folder, monkeypatch
) -> None:
    """As by Ctrl+O, a drop, …: no message while the other window answers."""
    monkeypatch.setattr(running_windows, "REPLY_MS", 30000)
    first = start(document)
    until(lambda: first.has_open(document))
    window = make_window()
    windows = RunningWindows(data_folder / "windows")
    shown, said = [], []

    def show(path: Path) -> bool:
        shown.append(windows.hand_over(path))
        return shown[-1]

    window.controller.show_elsewhere = show
    window.controller.failed.disconnect()
    window.controller.failed.connect(lambda *parts: said.append(parts))
    window.controller.open(document)
    qtbot.waitUntil(lambda: bool(shown) and not window.controller.tasks.busy, timeout=60000)
    assert shown == [True] and said == [] and window.controller.session is None
    monkeypatch.setattr(running_windows, "REPLY_MS", 500)
    os.kill(first.process.pid, signal.SIGSTOP)
    window.controller.open(document)
    qtbot.waitUntil(lambda: bool(said), timeout=60000)
    assert shown == [True, False]
    (parts,) = said
    assert "“指南.zh” has been open in another window on this computer since" in parts[1]


def test_a_window_comes_to_the_front_with_its_file(qtbot, make_window, document, other) -> None:
    window = make_window(path=document)
    window.showMinimized()
    assert not show_open(window, names_of(other))
    assert window.windowState() & Qt.WindowState.WindowMinimized, "it is not meant"
    assert show_open(window, names_of(document))
    assert not window.windowState() & Qt.WindowState.WindowMinimized
    qtbot.waitUntil(window.isActiveWindow, timeout=20000)
    assert show_open(window, names_of(window.controller.store.path)), "its project is the same"


@pytest.mark.slow
def test_one_process_asks_and_another_one_answers(qtbot, tmp_path, document) -> None:
    windows = RunningWindows(tmp_path / "windows")
    asked: list[tuple[list[str], str]] = []

    def show(files: Sequence[str], token: str) -> bool:
        asked.append(([*files], token))
        return str(document) in files

    windows.listen()
    windows.show = show
    ask = (
        "import sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication\n"
        "from anaphora.system.running_windows import RunningWindows\n"
        "application, (folder, file) = QCoreApplication([]), sys.argv[1:]\n"
        "sys.exit(10 + RunningWindows(Path(folder)).hand_over(Path(file)))"
    )

    def run(path: Path) -> int:
        command = [sys.executable, "-c", ask, str(tmp_path / "windows"), str(path)]
        process = subprocess.Popen(command, env={**os.environ, "XDG_ACTIVATION_TOKEN": "leave"})
        qtbot.waitUntil(lambda: process.poll() is not None, timeout=60000)
        return process.wait()

    assert run(document) == 11
    assert run(tmp_path / "none.txt") == 10
    assert asked == [([str(document)], "leave"), ([str(tmp_path / "none.txt")], "leave")]
    windows.close()
    assert list((tmp_path / "windows").iterdir()) == []


@pytest.mark.parametrize("line", [b"", b"null", b"{}", b"[]", b'["", "a"]', b"[1, 2]", b"[" * 5000, b"\xff"])
def test_what_makes_no_sense_is_no_request(line: bytes) -> None:
    assert read_request(line) is None


def test_what_a_killed_window_left_is_removed(qtbot, tmp_path) -> None:
    (tmp_path / "1").touch()
    assert not RunningWindows(tmp_path).hand_over(tmp_path / "a.txt")
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_macos_hands_over_is_opened_here_where_nothing_else_is(
    make_window, document, tmp_path, qtbot, monkeypatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(handed_files.QProcess, "startDetached", lambda program, given: started.append(given))
    window = make_window()
    open_handed(window, lambda path: False, document)
    qtbot.waitUntil(lambda: window.session is not None)
    other = tmp_path / "other.zh.txt"
    other.write_text("账本。\n", "utf-8")
    open_handed(window, lambda path: path == other, other)
    assert not started, "another window has it"
    open_handed(window, lambda path: False, document)
    assert not started, "it is open here"
    open_handed(window, lambda path: False, other)
    assert started == [["-m", "anaphora.main", str(other)]]


def test_files_that_macos_hands_over_before_the_window_is_there_wait_for_it() -> None:
    program = (
        "from PySide6.QtGui import QFileOpenEvent\n"
        "from anaphora.editor.appearance.application import make_application\n"
        "application, opened = make_application(), []\n"
        "application.sendEvent(application, QFileOpenEvent('/a.docx'))\n"
        "application.open_files_by(opened.append)\n"
        "application.sendEvent(application, QFileOpenEvent('/b.docx'))\n"
        "print(*map(str, opened))\n"
    )
    done = forked_windows().run((), in_no_screen(), program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["/a.docx", "/b.docx"]
