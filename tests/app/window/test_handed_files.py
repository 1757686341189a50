"""Files that macOS sends to the program are opened here or in another window."""

from __future__ import annotations

from forked_command import forked_windows, in_no_screen

from anaphora.window import system_end
from anaphora.window.system_end import open_sent_file


def test_a_file_from_macos_is_opened_here_if_nothing_else_is_open(
    make_window, document, tmp_path, qtbot, monkeypatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(system_end.QProcess, "startDetached", lambda program, given: started.append(given))
    window = make_window()
    open_sent_file(window, document)
    qtbot.waitUntil(lambda: window.session is not None)
    other = tmp_path / "other.zh.txt"
    other.write_text("账本。\n", "utf-8")
    open_sent_file(window, document)
    assert not started, "it is open here"
    open_sent_file(window, other)
    assert started == [["-m", "anaphora.main", str(other)]]


def test_files_from_macos_wait_for_the_window() -> None:
    program = (
        "from PySide6.QtGui import QFileOpenEvent\n"
        "from anaphora.editor.appearance.application import make_application\n"
        "application, opened = make_application(), []\n"
        "application.sendEvent(application, QFileOpenEvent('/a.docx'))\n"
        "application.set_file_opener(opened.append)\n"
        "application.sendEvent(application, QFileOpenEvent('/b.docx'))\n"
        "print(*map(str, opened))\n"
    )
    done = forked_windows().run((), in_no_screen(), program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["/a.docx", "/b.docx"]
