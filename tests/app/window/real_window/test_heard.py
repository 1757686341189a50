"""Accessibility of the window: the data of AT-SPI for screen readers, and Orca's speech."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

desktop = pytest.importorskip("desktop", reason="needs jeepney")
if desktop.missing():
    pytest.skip(f"needs {' '.join(desktop.missing())}", allow_module_level=True)

from by_keyboard import LINES, frame, is_at, shows  # noqa: E402
from desktop import FOCUSABLE, SHOWING, Desktop, Thing, found, until  # noqa: E402

pytestmark = pytest.mark.slow


def rows_of(app: Thing) -> list[list[str]]:
    """The rows of the table: number and state, source, state, target."""
    table = until(lambda: found(frame(app), "table", "^Segments$"), "the table")
    cells = [each.name for each in table.children() if each.role == "cell"]
    return [cells[at : at + 4] for at in range(0, len(cells), 4)]


def test_each_segment_is_in_the_tree_and_announced_when_it_becomes_active(
    make_desktop: Callable[[int, int], Desktop], text: Path
) -> None:
    screen = make_desktop(1440, 900)
    app = screen.start_app(str(text))
    until(shows(app, "label", "^All drafts are ready"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")

    rows = rows_of(app)
    assert [row[:3] for row in rows] == [
        [f"Segment {number}, Machine draft", source, "Machine draft"]
        for number, source in enumerate(LINES, 1)
    ]
    assert all(row[3] for row in rows)
    editor = screen.focused()
    assert editor is not None
    assert (editor.text, editor.description) == (rows[0][3], f"{LINES[0]} {rows[0][3]}")

    screen.press("ctrl+Return")
    until(lambda: is_at(screen, 2, "Machine draft"), "the second segment")
    assert (editor.text, editor.description) == (rows[1][3], f"{LINES[1]} {rows[1][3]}")
    assert rows_of(app)[0][0] == "Segment 1, Confirmed"

    # Everything focusable has a name.
    mute = [each for each in app.all() if each.has(FOCUSABLE) and each.has(SHOWING) and not each.name]
    assert mute == []


@pytest.mark.skipif(shutil.which("orca") is None, reason="needs orca")
@pytest.mark.skipif(os.environ.get("ANAPHORA_REAL_WINDOW") != "1", reason="ANAPHORA_REAL_WINDOW=1 runs it")
def test_orca_reads_number_state_source_and_target(
    make_desktop: Callable[[int, int], Desktop], text: Path
) -> None:
    screen = make_desktop(1440, 900)
    said = screen.start_orca()
    app = screen.start_app(str(text))
    until(shows(app, "label", "^All drafts are ready"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")
    targets = [row[3] for row in rows_of(app)]

    def hears(*wanted: str) -> bool:
        """True if all these texts have been spoken since the last time, in this order."""
        screen.press("Shift_L")
        since = iter(said()[heard:])
        return all(text in since for text in wanted)

    heard = 0
    first = ("Translation of segment 1, Machine draft", f"{LINES[0]} {targets[0]}")
    until(lambda: hears(*first), "the first segment, said")
    heard = len(said())
    screen.press("ctrl+Return")
    second = ("Translation of segment 2, Machine draft", f"{LINES[1]} {targets[1]}")
    until(
        lambda: hears("Translation of segment 1, Confirmed", *second), "what is confirmed, and the next one"
    )
    heard = len(said())
    screen.press("ctrl+Up")
    until(lambda: hears("Translation of segment 1, Confirmed", f"{LINES[0]} {targets[0]}"), "the one before")
    heard = len(said())
    screen.type("x")
    until(lambda: hears("Translation of segment 1, Edited"), "what typing makes of it")
    assert not any(LINES[0] in each for each in said()[heard:]), "typed text is not announced again"

    # With the focus, the source is read alone.
    heard = len(said())
    screen.press("F6")
    until(lambda: hears("Source of segment 1 read only text.", LINES[0]), "the source")
