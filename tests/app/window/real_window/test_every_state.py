"""Every state of the window, reached by keyboard in a real X window and read by AT-SPI."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import docx
import pytest
from PySide6.QtGui import QImage

desktop = pytest.importorskip("desktop", reason="needs jeepney")
if os.environ.get("ANAPHORA_REAL_WINDOW") != "1":
    pytest.skip("wants a machine of its own: ANAPHORA_REAL_WINDOW=1 runs it", allow_module_level=True)
if desktop.missing():
    pytest.skip(f"needs {' '.join(desktop.missing())}", allow_module_level=True)

from by_keyboard import LINES, choose, chosen, frame, is_at, leave, numbers, shows  # noqa: E402
from desktop import Desktop, Thing, found, until  # noqa: E402

pytestmark = pytest.mark.slow
OWN = "The register keeps every transaction."


def lightness(screen: Desktop) -> int:
    """The brightness above half of the screen's pixels, from 0 to 255."""
    picture = screen.picture().scaled(160, 100).convertToFormat(QImage.Format.Format_Grayscale8)
    return sorted(picture.pixelColor(x, y).lightness() for x in range(160) for y in range(100))[8000]


def drafts_as_heard(window: Thing) -> list[str]:
    """Check that screen readers get each segment's number, state, source and target."""
    table = until(lambda: found(window, "table", "^Segments$"), "the table")
    cells = [each.name for each in table.children() if each.role == "cell"]
    rows = [cells[at : at + 4] for at in range(0, len(cells), 4)]
    assert [row[:3] for row in rows] == [
        [f"Segment {number}, Machine draft", source, "Machine draft"]
        for number, source in enumerate(LINES, 1)
    ]
    assert all(row[3] for row in rows)
    return [row[3] for row in rows]


def colours_change(screen: Desktop, window: Thing) -> None:
    light = lightness(screen)
    for name, lightest in (("Dark", 80), ("High contrast", 5)):
        choose(screen, window, "View", "Colours", name)
        until(lambda: lightness(screen) < lightest, name)  # noqa: B023
    choose(screen, window, "View", "Colours", "Light")
    until(lambda: lightness(screen) == light, "the light colours")


def test_a_session_by_keyboard(make_desktop: Callable[[int, int], Desktop], text: Path) -> None:
    screen = make_desktop(1440, 900)
    app = screen.start_app()
    window = frame(app)

    # Start, and drafting.
    until(shows(app, "label", "You edit and confirm"), "what this is")
    until(screen.focused, "the keyboard")
    screen.press("ctrl+o")
    until(lambda: re.search("[Ff]ile name", screen.focused().name), "the chooser of files")
    screen.type(str(text))
    screen.press("Return")
    until(lambda: window.name == "ledger.zh.txt – Anaphora", "the document")
    until(shows(app, "label", "^All drafts are ready"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")

    editor = screen.focused()
    assert editor is not None and editor.text == drafts_as_heard(window)[0] and editor.caret == 0

    # Editing and confirming.
    screen.press("ctrl+a")
    screen.type(OWN)
    until(lambda: editor.text == OWN, "what is typed")
    screen.press("ctrl+Return")
    until(lambda: is_at(screen, 2, "Machine draft"), "the second segment")
    until(shows(app, "label", "^1 of 5"), "the count")

    # Reviewing changes: a draft has followed.
    until(shows(app, "page tab", "^Changed +[12]"), "the chip")
    screen.press("F4")
    until(lambda: is_at(screen, 3, "Machine draft"), "the changed draft")
    until(shows(app, "label", "^This draft has changed"), "what has changed")

    # Filters: the field by its key; the chips are in `test_at_work.py`.
    screen.press("ctrl+shift+l")
    until(lambda: screen.focused().name == "Filter by text", "the field of the filter")
    screen.type("register")
    until(lambda: len(numbers(window)) == 3, "what the filter shows")
    screen.press("Escape")
    until(lambda: len(numbers(window)) == len(LINES), "everything again")

    # Terms: the table of what recurring terms are called.
    choose(screen, window, "View", "Terms")
    until(lambda: found(window, "tree", "^Recurring terms"), "the table of terms")

    # Export.
    screen.press("ctrl+s")
    until(shows(app, "dialog", "Export"), "the dialog")
    screen.press("Return")
    target = text.with_name("ledger.en.txt")
    until(target.exists, "the exported file")
    assert target.read_text("utf-8").startswith(OWN)
    until(lambda: is_at(screen, 3, "Machine draft"), "the editor again")

    colours_change(screen, window)

    # Everything is saved at the end.
    screen.press("ctrl+q")
    until(lambda: not screen.apps(), "the end")


CONTRACT = (
    "本合同由甲乙双方于二〇二五年六月三十日在北京签订。",
    "双方经友好协商，就办公设备的买卖达成如下协议。",
    "乙方应在合同签订后十五日内交付全部货物。",
    "合同总价为人民币三十七万元。",
    "货物的质量应符合国家标准。",
)
REVIEWED = "The total price of this contract is RMB 370,000."


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """A contract with a heading, paragraphs, and a table of two cells."""
    made = docx.Document()
    made.add_heading("买卖合同", 1)
    for sentence in CONTRACT:
        made.add_paragraph(sentence)
    row = made.add_table(1, 2).rows[0]
    row.cells[0].text, row.cells[1].text = "打印机", "人民币二千元"
    path = tmp_path / "contract.zh.docx"
    made.save(str(path))
    return path


def edits(screen: Desktop, number: int) -> Thing | None:
    """The editor of a segment, whatever its state, if it has the focus."""
    at = screen.focused()
    return at if at is not None and at.name.startswith(f"Translation of segment {number},") else None


def test_a_contract_from_its_first_segment_to_the_reviewed_export(
    make_desktop: Callable[[int, int], Desktop], contract: Path
) -> None:
    screen = make_desktop(1440, 900)
    app = screen.start_app(str(contract))
    window = frame(app)
    until(shows(app, "label", "^All drafts are ready"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")

    # A comment, and back to the text without a mouse.
    screen.press("ctrl+shift+m")
    until(lambda: screen.focused().name == "Add a comment", "the field of the comment")
    screen.type("Title as in the framework contract")
    screen.press("Return")
    until(shows(app, "cell", "^Segment 1, Machine draft, with comments"), "the comment")
    until(lambda: is_at(screen, 1, "Machine draft"), "the editor again")

    # The source is looked up by keyboard.
    screen.press("F6")
    until(lambda: screen.focused().name == "Source of segment 1", "the source")
    screen.press("ctrl+a", "ctrl+k")
    until(lambda: screen.focused().text == "买卖合同", "the concordance of the source")
    screen.press("Escape")
    until(lambda: is_at(screen, 1, "Machine draft"), "the editor again")

    # Every segment is confirmed; Tab uses a tentative draft.
    for number in range(1, len(CONTRACT) + 4):
        editor = until(partial(edits, screen, number), f"segment {number}")
        screen.press("End" if editor.text else "Tab")
        until(partial(getattr, editor, "text"), "the draft")
        screen.press("ctrl+Return")
    until(shows(app, "label", "^8 of 8"), "the count")
    until(shows(app, "label", "^History of the current segment"), "the history")

    # A reviewer changes one translation, which the user accepts.
    choose(screen, window, "Document", "Export for review…")
    until(lambda: re.search("[Ff]ile name", screen.focused().name), "the chooser of files")
    screen.press("Return")
    returned = contract.with_name("contract.zh.review.docx")
    until(returned.exists, "the review file")
    (sheet,) = docx.Document(str(returned)).tables
    (row,) = (each for each in sheet.rows if each.cells[1].text == CONTRACT[3])
    row.cells[2].text = REVIEWED
    sheet.part.package.save(str(returned))
    choose(screen, window, "Document", "Import a review…")
    until(lambda: re.search("[Ff]ile name", screen.focused().name), "the chooser of files")
    screen.type(str(returned))
    screen.press("Return")
    until(shows(app, "dialog", "^Accept review changes"), "what has come back")
    screen.press("Return")
    table = until(lambda: found(window, "table", "^Segments$"), "the table")
    until(lambda: any(each.name == REVIEWED for each in table.children()), "what the reviewer wrote")

    # The reviewed text is exported, in the document's structure.
    screen.press("ctrl+s")
    until(shows(app, "dialog", "Export"), "the dialog")
    screen.press("Return")
    target = contract.with_name("contract.en.docx")
    until(target.exists, "the exported file")
    exported = docx.Document(str(target))
    assert exported.paragraphs[4].text == REVIEWED and exported.paragraphs[0].style.name == "Heading 1"
    assert all(cell.text and cell.text.isascii() for cell in exported.tables[0].rows[0].cells)
    leave(screen)


def with_drafts(make_desktop: Callable[[int, int], Desktop], text: Path) -> tuple[Desktop, Thing]:
    """A window with its drafts, at the first segment."""
    screen = make_desktop(1280, 800)
    app = screen.start_app(str(text))
    until(shows(app, "label", "^All drafts are ready"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")
    return screen, app


def test_text_typed_in_a_busy_window_stays_in_order(
    make_desktop: Callable[[int, int], Desktop], text: Path
) -> None:
    screen, app = with_drafts(make_desktop, text)
    with screen.busy():
        screen.press("ctrl+a")
        screen.type(OWN)
        screen.press("ctrl+Return", "ctrl+a")
        screen.type("A second one.")
        screen.press("ctrl+Return")
    until(lambda: is_at(screen, 3, "Machine draft"), "the third segment")
    table = until(lambda: found(frame(app), "table", "^Segments$"), "the table")
    cells = [each.name for each in table.children() if each.role == "cell"]
    assert [cells[at : at + 4 : 3] for at in (0, 4)] == [
        ["Segment 1, Confirmed", OWN],
        ["Segment 2, Confirmed", "A second one."],
    ]


def test_alt_opens_the_menus_of_a_busy_window(
    make_desktop: Callable[[int, int], Desktop], text: Path
) -> None:
    screen, app = with_drafts(make_desktop, text)
    with screen.busy():
        screen.press("Alt_L")
    (bar,) = (each for each in frame(app).all() if each.role == "menu bar")
    until(partial(chosen, screen, bar), "the menus")
    screen.press("Right")
    until(lambda: screen.focused().name == "Edit", "the next menu", 20)
    screen.press("Alt_L")
    until(lambda: is_at(screen, 1, "Machine draft"), "the editor again")
