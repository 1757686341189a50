"""The editor's box in a real X window: no line is cut while it grows, and Tab leads from field to field."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

desktop = pytest.importorskip("desktop", reason="needs jeepney")
if os.environ.get("ANAPHORA_REAL_WINDOW") != "1":
    pytest.skip("wants a machine of its own: ANAPHORA_REAL_WINDOW=1 runs it", allow_module_level=True)
if desktop.missing():
    pytest.skip(f"needs {' '.join(desktop.missing())}", allow_module_level=True)

from by_keyboard import frame, is_at, leave, says  # noqa: E402
from desktop import Desktop, Thing, until  # noqa: E402

pytestmark = pytest.mark.slow
SENTENCE = "The register keeps every transaction of the ledger. "


def opened(make_desktop: Callable[[int, int], Desktop], text: Path) -> tuple[Desktop, Thing, Thing]:
    """A window with its drafts, and the editor of the first segment, emptied."""
    screen = make_desktop(1100, 700)
    app = screen.start_app(str(text))
    until(says(app, "label", "^Everything is drafted"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")
    editor = screen.focused()
    assert editor is not None
    screen.press("ctrl+a", "Delete")
    until(lambda: editor.text == "", "an empty editor")
    return screen, app, editor


def inked_rows(picture: QImage, box: tuple[int, int, int, int]) -> list[bool]:
    """Which rows of pixels of a box hold letters: something darker than the ground, beside a caret alone."""
    left, top, width, height = box
    ground = picture.pixelColor(left + 4, top + 4).lightness()
    return [
        sum(
            abs(picture.pixelColor(x, y).lightness() - ground) > 90 for x in range(left + 6, left + width - 6)
        )
        > 4
        for y in range(top, top + height)
    ]


def lines_seen(picture: QImage, box: tuple[int, int, int, int]) -> int:
    """How many lines of letters a box shows; the dots and tails of letters belong to their line."""
    rows = inked_rows(picture, box)
    return sum(now and not before for before, now in zip([False, *rows], rows, strict=False))


def first_ink(picture: QImage, box: tuple[int, int, int, int]) -> int:
    """How far below the upper edge of a box the first letters begin, in pixels."""
    return inked_rows(picture, box).index(True)


def test_the_first_line_stays_in_view_while_the_text_grows(
    make_desktop: Callable[[int, int], Desktop], text: Path
) -> None:
    screen, _, editor = opened(make_desktop, text)
    screen.type(SENTENCE)
    until(lambda: editor.text == SENTENCE, "what is typed")
    begins = first_ink(screen.picture(), inside(editor))
    typed, high = SENTENCE, editor.place[3]
    for _ in range(4):
        screen.type(SENTENCE)
        typed += SENTENCE
        until(partial(reads, editor, typed), "what is typed")
        until(lambda: abs(first_ink(screen.picture(), inside(editor)) - begins) <= 2, "the first line", 10)
    assert editor.place[3] > high + 20, "it has grown by lines"
    assert lines_seen(screen.picture(), inside(editor)) >= 3
    leave(screen)


def reads(editor: Thing, text: str) -> bool:
    return editor.text == text


def inside(editor: Thing) -> tuple[int, int, int, int]:
    """The editor without its frame."""
    left, top, width, height = editor.place
    return left + 3, top + 3, width - 6, height - 6


def test_what_is_typed_in_find_and_replace_reaches_its_fields_alone(
    make_desktop: Callable[[int, int], Desktop], text: Path
) -> None:
    screen, app, editor = opened(make_desktop, text)
    screen.press("ctrl+z")
    until(lambda: editor.text != "", "the draft again")
    draft = editor.text
    screen.press("ctrl+h")
    until(lambda: screen.focused().name == "Find in source and translation", "the first field")
    screen.type("ledger")
    screen.press("Tab")
    until(lambda: screen.focused().name == "Replace in translations with", "the second field")
    field = screen.focused()
    screen.type("register")
    until(lambda: field.text == "register", "what is typed")
    stops = {field}
    for key in ("Tab", "shift+Tab"):
        for _ in range(14):
            at = until(screen.focused, "the keyboard")
            screen.press(key)
            until(partial(has_moved, screen, at), "the next stop")
            stops.add(screen.focused())
            screen.type("q")
    assert len(stops) >= 10 and frame(app) is not None
    screen.press("Escape")
    until(lambda: screen.focused() == editor, "the editor")
    assert editor.text == draft
    leave(screen)


def has_moved(screen: Desktop, at: Thing) -> bool:
    return screen.focused() != at
