"""The destination is checked in a background thread."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from anaphora.features.export.view.dialog import PlaceField


def test_an_unresponsive_path_blocks_nothing_and_the_newest_result_counts(qtbot) -> None:
    go_on = threading.Event()
    asked: list[tuple[str, bool]] = []
    answers: list[str] = []

    def look(place: Path) -> str:
        asked.append((place.name, threading.current_thread() is threading.main_thread()))
        if place.name == "slow":
            go_on.wait(60)
        return place.name

    begun = time.monotonic()
    field = PlaceField(Path("/somewhere/slow"), True, look)
    field.checked.connect(answers.append)
    qtbot.waitUntil(lambda: asked == [("slow", False)], timeout=30000)
    field.line.setText("quick")
    qtbot.waitUntil(lambda: answers == ["quick"], timeout=30000)
    go_on.set()
    taken: list[str] = []
    field.check(taken.append)
    qtbot.waitUntil(lambda: taken == ["quick"], timeout=30000)
    assert answers == ["quick"], "the result for another path is dropped"
    assert time.monotonic() - begun < 50

    go_on.clear()
    field.line.setText("slow")
    qtbot.waitUntil(lambda: len(asked) == 4, timeout=30000)
    field.deleteLater()
    qtbot.wait(1)  # a field that waits for its thread would block here for a minute
    assert time.monotonic() - begun < 50
    go_on.set()


def test_a_plain_name_goes_into_the_proposed_folder(qtbot, tmp_path: Path) -> None:
    field = PlaceField(tmp_path / "out.docx", False, str)
    qtbot.addWidget(field)
    changed: list[bool] = []
    field.changed.connect(lambda: changed.append(field.is_empty))
    assert field.place == tmp_path / "out.docx" and not field.is_empty
    field.line.setText("  other.docx ")
    assert field.place == tmp_path / "other.docx"
    field.line.setText("  ")
    assert field.is_empty and changed == [False, True]
    looks: list[str] = []
    field.checked.connect(looks.append)
    field.check(looks.append)
    field.line.setText("b")
    field.line.setText("c")
    qtbot.waitUntil(lambda: bool(looks), timeout=30000)
    qtbot.wait(200)
    assert looks == [str(tmp_path / "c")], "once, after typing has stopped"
