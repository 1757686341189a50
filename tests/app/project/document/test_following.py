"""A registered feature follows the open project and gets its stored settings."""

from __future__ import annotations

import threading

from anaphora.project.document.following import OpenProject, ProjectSetting

THREADS: list[threading.Thread] = []


def read(text: str) -> int:
    THREADS.append(threading.current_thread())
    return len(text)


WRITTEN = ProjectSetting("toy/written", read)


class Toy:
    """Records its calls."""

    project_settings = (WRITTEN,)

    def __init__(self, window) -> None:
        self.window = window
        self.told: list[object] = []

    def follow(self, project: OpenProject) -> None:
        shown = self.window.model.rowCount() == len(project.session.document)
        self.told.append((project.settings.of(WRITTEN), shown, tuple(project.names.values())))
        project.save_setting(WRITTEN.name, "four")

    def close(self) -> None:
        assert self.window.session is not None, "it can still write"
        self.told.append("closed")


def test_a_registered_feature_follows_the_project(qtbot, make_window, document) -> None:
    THREADS.clear()
    window = make_window()
    toy, early = Toy(window), Toy(window)
    window.controller.follow(toy)
    window.controller.follow(early, before_shown=True)
    window.opener.open(document)
    qtbot.waitUntil(lambda: bool(toy.told), timeout=20000)
    assert toy.told == [(0, True, (document.name,))] and early.told == [(0, False, (document.name,))]
    assert THREADS and threading.main_thread() not in THREADS, "settings are read off the window's thread"
    qtbot.waitUntil(lambda: window.controller.project.autosave.is_clean, timeout=20000)
    window.controller.close()
    assert toy.told[1:] == ["closed"]
    window.opener.open(document)
    qtbot.waitUntil(lambda: len(toy.told) == 3, timeout=20000)
    assert toy.told[2] == (4, True, (document.name,))
