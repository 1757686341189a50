"""The process ends with the right status, even while the window works."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from disks import hanging_disk
from forked_command import forked_windows, in_no_screen

from anaphora.project.store.project import ProjectStore

COPIED = """
from PySide6.QtWidgets import QApplication
from anaphora.editor.table.tag_edit import TagEdit
from anaphora.editor.appearance.theme import Theme
application = QApplication([])
editor = TagEdit(Theme(application))
editor.setPlainText("copied")
editor.selectAll()
editor.copy()
assert application.clipboard().text() == "copied"
"""

QUIT_WHEN = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog
from anaphora import composition, main as program
from anaphora.features.drafting.feature import Drafting
made = composition.make_window
def make(*arguments, **named):
    window = made(*arguments, **named)
    def look():
        if not ({moment}):
            return QTimer.singleShot(10, look)
        print("{moment}", flush=True)
        window.close()
        QDialog(window).open()  # shows a result that arrives now
    QTimer.singleShot(50, look)
    return window
composition.make_window = make
sys.exit(program.main(["--sample"]))
"""

TYPED_AND_ENDED = """
import os, sys
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from anaphora import composition, main as program
made = composition.make_window
def make(*arguments, **named):
    window = made(*arguments, **named)
    def work():
        if not window.table.editor.segment_id:
            return QTimer.singleShot(50, work)
        window.table.editor.selectAll()
        QTest.keyClicks(window.table.editor, "Confirmed.")
        window.actions_by_name["confirm"].trigger()
        window.table.editor.selectAll()
        QTest.keyClicks(window.table.editor, "Typed when it came")
        {end}
    QTimer.singleShot(50, work)
    return window
composition.make_window = make
sys.exit(program.main([{file!r}]))
"""
BY_SIGNAL = "os.kill(os.getpid(), {0})"
AS_ON_A_DESKTOP = """
import signal
for number in {numbers}:
    signal.signal(number, signal.SIG_DFL)
"""
"""A script's shell starts what it does not wait for with SIGINT ignored, `nohup` with SIGHUP: the program
leaves that so, and would never end."""
BY_SESSION = """
        import time
        from ctypes import CDLL
        from pathlib import Path
        import PySide6
        from PySide6.QtWidgets import QDialog
        def questions():
            return [type(each).__name__ for each in window.findChildren(QDialog) if each.isVisible()]
        QDialog(window).open()
        before, typed, store = questions(), window.table.editor.segment_id, window.controller.store
        save = store.save
        store.save = lambda *changes: (time.sleep(0.5), save(*changes))  # as on a slow disk
        window.controller.editing.type_text(typed, "Typed behind the question")
        # What a desktop's plugin of Qt calls; without one, the session manager allows no interaction.
        gui = next((Path(PySide6.__file__).parent / "Qt" / "lib").glob("libQt6Gui.so*"))
        CDLL(str(gui))._ZN23QPlatformSessionManager13appCommitDataEv(None)
        after = questions()
        os._exit(0 if before == after == ["QDialog"] else 7)
"""
"""The session ends while the window asks something: all is saved, nothing else is asked, and the rest of the
program is killed."""
BY_HELD_SESSION = """
        import subprocess, time
        from PySide6.QtCore import QObject, Signal
        from anaphora.window.system_end import SystemEnd
        class Desktop(QObject):
            commitDataRequest, held = Signal(object), 0
            def allowsInteraction(self):
                return True
            def cancel(self):
                self.held += 1
        assert window.controller.flush(20)
        SystemEnd(window, desktop := Desktop())
        subprocess.run(["fsfreeze", "--freeze", {disk!r}], check=True)
        QTest.keyClicks(window.table.editor, " late")
        begun = time.monotonic()
        desktop.commitDataRequest.emit(desktop)
        took, held = time.monotonic() - begun, desktop.held
        subprocess.run(["fsfreeze", "--unfreeze", {disk!r}], check=True)
        desktop.commitDataRequest.emit(desktop)
        os._exit(0 if held == desktop.held == 1 and took < 4 and window.isVisible() else 7)
"""
"""The session ends while the disk does not answer. `Desktop` stands for that of Windows or macOS, which let a
program hold the session: PySide has none for Linux."""


def end_of(program: str) -> subprocess.CompletedProcess[str]:
    return forked_windows().run((), in_no_screen(), program)


def test_a_process_that_has_copied_a_target_ends_well():
    done = subprocess.run(
        [sys.executable, "-c", COPIED],
        capture_output=True,
        text=True,
        env=in_no_screen(),
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "moment",
    [
        "True",
        "'torch' in sys.modules",
        "'anaphora_nmt.models.translation' in sys.modules",
        "window.of(Drafting).service.progress.done > 0",
    ],
    ids=["starts", "imports torch", "loads the model", "drafts"],
)
@pytest.mark.slow
def test_a_window_that_is_closed_at_any_moment_ends_well(moment):
    done = end_of(QUIT_WHEN.format(moment=moment))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{moment}\n"


def kept_in(folder: Path) -> list[tuple[str, str]]:
    """(target, status) of the first segments of the only project in a data folder."""
    (project,) = (folder / "projects").glob("*.anaphora")
    with contextlib.closing(ProjectStore.open(project)) as store:
        return [(each.target, each.status.name) for each in list(store.load_document())[:2]]


LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Qt's library lies elsewhere")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("SIGINT", "Typed when it came"),
        ("SIGTERM", "Typed when it came"),
        ("SIGHUP", "Typed when it came"),
        pytest.param("", "Typed behind the question", marks=LINUX),
    ],
)
def test_what_is_typed_is_kept_when_the_system_ends_the_program(tmp_path, monkeypatch, name, last):
    """By a signal, or as the desktop's session ends (""); no dialog keeps it waiting."""
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path / "data"))
    document = tmp_path / "a.zh.txt"
    document.write_text("第一句。\n第二句。\n第三句。\n", "utf-8")
    numbers = [int(getattr(signal, name))] if name else []
    end = BY_SIGNAL.format(*numbers) if name else BY_SESSION
    program = TYPED_AND_ENDED.format(end=end, file=str(document))
    done = end_of(AS_ON_A_DESKTOP.format(numbers=numbers) + program)
    assert done.returncode == 0, done.stderr
    assert kept_in(tmp_path / "data") == [("Confirmed.", "CONFIRMED"), (last, "EDITED")]


@LINUX
@pytest.mark.slow
def test_a_session_that_ends_while_nothing_can_be_saved_is_held(tmp_path, monkeypatch):
    """For three seconds at most; once the disk answers, it may end, and what was typed is there."""
    document = tmp_path / "a.zh.txt"
    document.write_text("第一句。\n第二句。\n第三句。\n", "utf-8")
    with hanging_disk(tmp_path / "disk") as disk:
        monkeypatch.setenv("ANAPHORA_DATA", str(disk.place / "data"))
        end = BY_HELD_SESSION.format(disk=str(disk.place))
        done = end_of(TYPED_AND_ENDED.format(end=end, file=str(document)))
        subprocess.run(["fsfreeze", "--unfreeze", str(disk.place)], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert kept_in(disk.place / "data")[1] == ("Typed when it came late", "EDITED")


CRASH_WHEN = """
import faulthandler, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox
from anaphora import composition, main as program
from anaphora.features.help.view.about import ProblemReportDialog
made = composition.make_window
def make(*arguments, **named):
    window = made(*arguments, **named)
    def look():
        for box in window.findChildren(QMessageBox):
            print(box.text())
            box.buttons()[0].click()
            report = window.findChild(ProblemReportDialog)
            print("Segmentation fault" in report.text.toPlainText())
        {end}
    QTimer.singleShot(200, look)
    return window
composition.make_window = make
sys.exit(program.main([]))
"""


def test_a_crash_is_shown_and_reported_at_the_next_start(tmp_path, monkeypatch):
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path / "data"))
    crashed = end_of(CRASH_WHEN.format(end="faulthandler._sigsegv()"))
    assert crashed.returncode != 0 and crashed.stdout == ""
    told = end_of(CRASH_WHEN.format(end="window.close()"))
    assert told.returncode == 0, told.stderr
    said, reported = told.stdout.splitlines()
    assert "Nothing is lost" in said and reported == "True"
    assert end_of(CRASH_WHEN.format(end="window.close()")).stdout == "", "it is said once"
    assert os.name == "nt" or (tmp_path / "data").stat().st_mode & 0o777 == 0o700, "nobody else reads it"
