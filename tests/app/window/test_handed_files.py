"""Files that macOS hands to the program: one is opened here, another one gets a window."""

from __future__ import annotations

from forked_command import forked_windows, in_no_screen

from anaphora.window import system_end
from anaphora.window.system_end import open_handed


def test_a_file_that_macos_hands_over_is_opened_here_where_nothing_else_is(
    make_window, document, tmp_path, qtbot, monkeypatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(system_end.QProcess, "startDetached", lambda program, given: started.append(given))
    window = make_window()
    open_handed(window, document)
    qtbot.waitUntil(lambda: window.session is not None)
    other = tmp_path / "other.zh.txt"
    other.write_text("账本。\n", "utf-8")
    open_handed(window, document)
    assert not started, "it is open here"
    open_handed(window, other)
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
