"""Every state of the window, reached by keyboard in a real X window and read as a screen reader reads it."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
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

from desktop import SHOWING, Desktop, GoneError, Thing, found, until  # noqa: E402

pytestmark = pytest.mark.slow
LINES = (
    "账本保存每个交易。",
    "我们比较模型的性能。",
    "每个节点读取账本。",
    "账本保存每个交易。",
    "区块链是一种分布式账本。",
)
OWN = "The register keeps every transaction."


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.zh.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def make_desktop(tmp_path: Path) -> Iterator[Callable[[int, int], Desktop]]:
    made: list[Desktop] = []

    def make(width: int, height: int) -> Desktop:
        made.append(Desktop(tmp_path, (width, height)))
        return made[-1]

    yield make
    for each in made:
        print(each.outline())
        each.close()


def frame(app: Thing) -> Thing:
    return next(each for each in app.children() if each.role == "frame")


def is_at(screen: Desktop, segment: int, state: str) -> bool:
    focused = screen.focused()
    return focused is not None and focused.name == f"Translation of segment {segment}, {state}"


def says(app: Thing, role: str, name: str) -> Callable[[], Thing | None]:
    return lambda: next((each for window in app.children() if (each := found(window, role, name))), None)


def numbers(window: Thing) -> list[str]:
    """The segments that the table shows."""
    table = found(window, "table", "^Segments$")
    return [each.name for each in table.children() if each.name.startswith("Segment ")] if table else []


def is_darker(screen: Desktop, lightest: int) -> bool:
    return lightness(screen) < lightest


def choose(screen: Desktop, window: Thing, menu: str, *entries: str) -> None:
    """Walk through the menus to an entry, by the arrows.

    Not by Alt and a letter: of keys that it reads at once Qt carries out a shortcut before the plain keys in
    front of it, and Alt, which follows then, closes the menu again.
    """
    (bar,) = (each for each in window.all() if each.role == "menu bar")
    (place,) = (each for each in bar.children() if each.name == menu)
    # Alt leads to the menus, and away from them; alone it counts for nothing while another key is let go.
    screen.press("Alt_L")
    while soon(partial(chosen, screen, bar), 10) is None:
        screen.press("Alt_L")
    walk(screen, bar, place, "Right")
    screen.press("Down")
    for entry in entries:
        (opened,) = (each for each in place.children() if each.role == "popup menu")
        until(partial(opened.has, SHOWING), f"the menu {place.name}")
        (place,) = (each for each in opened.children() if each.name == entry)
        walk(screen, opened, place, "Down")
        screen.press("Return" if entry == entries[-1] else "Right")


def walk(screen: Desktop, menu: Thing, goal: Thing, key: str) -> None:
    """Press a key until an entry of a menu has the keyboard."""
    while (at := until(partial(chosen, screen, menu), f"an entry of {menu}")) != goal:
        screen.press(key)
        until(partial(has_left, screen, at), f"the entry behind {at}")


def soon(found: Callable[[], Thing | None], seconds: float) -> Thing | None:
    """What is found within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(GoneError):
            if (thing := found()) is not None:
                return thing
        time.sleep(0.05)
    return None


def has_left(screen: Desktop, entry: Thing) -> bool:
    return screen.focused() != entry


def chosen(screen: Desktop, menu: Thing) -> Thing | None:
    """The entry of an open menu that the arrows have come to."""
    at = screen.focused()
    return at if at in menu.children() else None


def lightness(screen: Desktop) -> int:
    """What half of the screen is darker than, from 0 to 255."""
    picture = screen.picture().scaled(160, 100).convertToFormat(QImage.Format.Format_Grayscale8)
    return sorted(picture.pixelColor(x, y).lightness() for x in range(160) for y in range(100))[8000]


def test_a_session_by_keyboard(make_desktop: Callable[[int, int], Desktop], text: Path) -> None:
    screen = make_desktop(1440, 900)
    app = screen.start_app()
    window = frame(app)

    # Start, and drafting.
    until(says(app, "label", "You edit and confirm"), "what this is")
    until(screen.focused, "the keyboard")
    screen.press("ctrl+o")
    until(lambda: re.search("[Ff]ile name", screen.focused().name), "the chooser of files")
    screen.type(str(text))
    screen.press("Return")
    until(lambda: window.name == "ledger.zh.txt – Anaphora", "the document")
    until(says(app, "label", "^Everything is drafted"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")

    # A screen reader hears each segment's number, state, source and target.
    table = until(lambda: found(window, "table", "^Segments$"), "the table")
    cells = [each.name for each in table.children() if each.role == "cell"]
    rows = [cells[at : at + 4] for at in range(0, len(cells), 4)]
    assert [row[:3] for row in rows] == [
        [f"Segment {number}, Machine draft", source, "Machine draft"]
        for number, source in enumerate(LINES, 1)
    ]
    assert all(row[3] for row in rows)
    editor = screen.focused()
    assert editor is not None and editor.text == rows[0][3] and editor.caret == 0

    # Editing and confirming.
    screen.press("ctrl+a")
    screen.type(OWN)
    until(lambda: editor.text == OWN, "what is typed")
    screen.press("ctrl+Return")
    until(lambda: is_at(screen, 2, "Machine draft"), "the second segment")
    until(says(app, "label", "^1 of 5 confirmed"), "the count")

    # Reviewing changes: a draft has followed.
    until(says(app, "check box", "^Changed +[12]"), "the chip")
    screen.press("F4")
    until(lambda: is_at(screen, 3, "Machine draft"), "the changed draft")
    until(says(app, "label", "^This draft has changed"), "what has changed")

    # Filters: the chips by Tab and Space, the field by its key.
    screen.press("ctrl+shift+l")
    until(lambda: screen.focused().name == "Filter by text", "the field of the filter")
    screen.type("register")
    until(lambda: len(numbers(window)) == 3, "what the filter shows")
    screen.press("Escape")
    until(lambda: len(numbers(window)) == len(LINES), "everything again")

    # Preview: the exported document beside the table.
    screen.press("ctrl+shift+p")
    preview = until(lambda: found(window, "label", "^Preview of the exported document"), "the preview")
    until(lambda: OWN in preview.text, "the confirmed sentence in it")
    screen.press("ctrl+shift+p")

    # Terms: the table of what recurring terms are called.
    choose(screen, window, "View", "Terms")
    until(lambda: found(window, "tree", "^Recurring terms"), "the table of terms")

    # Export.
    screen.press("ctrl+s")
    until(says(app, "dialog", "Export"), "the dialog")
    screen.press("Return")
    target = text.with_name("ledger.en.txt")
    until(target.exists, "the exported file")
    assert target.read_text("utf-8").startswith(OWN)
    until(lambda: is_at(screen, 3, "Machine draft"), "the editor again")

    # Colours.
    light = lightness(screen)
    for name, lightest in (("Dark", 80), ("High contrast", 5)):
        choose(screen, window, "View", "Colours", name)
        until(partial(is_darker, screen, lightest), name)
    choose(screen, window, "View", "Colours", "Light")
    until(lambda: lightness(screen) == light, "the light colours")

    # Chinese, and back.
    choose(screen, window, "View", "Language", "简体中文(C)")
    until(says(app, "menu item", "^文档"), "the menus in Chinese")
    until(says(app, "check box", "^全部"), "the chips in Chinese")
    choose(screen, window, "视图(V)", "语言(L)", "English")
    until(says(app, "menu item", "^Document"), "the menus in English")

    # Everything is kept when it ends.
    screen.press("ctrl+q")
    until(lambda: not screen.apps(), "the end")


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), "1.25"), ((3840, 2160), "2")])
def test_small_and_large_screens(
    make_desktop: Callable[[int, int], Desktop], text: Path, size: tuple[int, int], scale: str
) -> None:
    screen = make_desktop(*size)
    app = screen.start_app(str(text), QT_SCALE_FACTOR=scale)
    window = frame(app)
    until(says(app, "label", "^Everything is drafted"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")
    left, top, width, height = window.place
    assert left >= 0 and top >= 0 and left + width <= size[0] and top + height <= size[1]
    editor = screen.focused()
    screen.press("ctrl+a")
    screen.type(OWN)
    until(lambda: editor.text == OWN, "what is typed")
    screen.press("ctrl+Return", "ctrl+Up")
    until(lambda: is_at(screen, 1, "Confirmed"), "the confirmed segment")
    x, y, wide, high = screen.focused().place
    assert left <= x and x + wide <= left + width and top <= y and y + high <= top + height
    screen.press("ctrl+s")
    dialog = until(says(app, "dialog", "Export"), "the dialog")
    x, y, wide, high = dialog.place
    assert x >= 0 and x + wide <= size[0] and y >= 0 and y + high <= size[1]
    screen.press("Return")
    until(text.with_name("ledger.en.txt").exists, "the exported file")


def test_a_window_stays_on_its_monitor_and_comes_back_when_that_is_gone(
    make_desktop: Callable[[int, int], Desktop], text: Path
) -> None:
    screen = make_desktop(2560, 800)
    screen.split(1280, 1280)
    window = frame(screen.start_app(str(text)))
    until(says(screen.apps()[0], "label", "^Everything is drafted"), "the drafts")
    assert is_within(window, 0, 1280), "opens on one monitor, not across both"
    screen.move_window(1281, 5)
    until(lambda: is_within(window, 1280, 2560), "the other monitor")
    screen.press("ctrl+s")
    dialog = until(says(screen.apps()[0], "dialog", "Export"), "the dialog")
    until(lambda: is_within(dialog, 1280, 2560), "the dialog beside its window")
    screen.press("Return")
    until(text.with_name("ledger.en.txt").exists, "the exported file")
    leave(screen)

    window = frame(screen.start_app(str(text)))
    until(lambda: is_within(window, 1280, 2560), "where it was")
    leave(screen)

    screen.split(1280)
    window = frame(screen.start_app(str(text)))
    until(lambda: is_within(window, 0, 1280), "the monitor that is left")


def is_within(thing: Thing, left: int, right: int) -> bool:
    x, y, wide, high = thing.place
    return left <= x and x + wide <= right and y >= 0 and y + high <= 800


def leave(screen: Desktop) -> None:
    """Close the window, whatever it says of what is not confirmed."""
    screen.press("ctrl+q")
    if soon(lambda: next(iter(closing(screen)), None), 5) is not None:
        screen.press("Return")
    until(lambda: not screen.apps(), "the end")


def closing(screen: Desktop) -> list[Thing]:
    """The dialog that says what is not confirmed, while it is there."""
    return [each for app in screen.apps() for each in app.children() if each.role == "dialog"]


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


def test_a_contract_from_its_first_segment_to_the_reviewed_export(
    make_desktop: Callable[[int, int], Desktop], contract: Path
) -> None:
    screen = make_desktop(1440, 900)
    app = screen.start_app(str(contract))
    window = frame(app)
    until(says(app, "label", "^Everything is drafted"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")

    # A comment, and back to the text without a mouse.
    screen.press("ctrl+shift+m")
    until(lambda: screen.focused().name == "Add a comment", "the field of the comment")
    screen.type("Title as in the framework contract")
    screen.press("Return")
    until(says(app, "cell", "^Segment 1, Machine draft, with comments"), "the comment")
    until(lambda: is_at(screen, 1, "Machine draft"), "the editor again")

    # The source is looked up from the keyboard.
    screen.press("F6")
    until(lambda: screen.focused().name == "Source of segment 1", "the source")
    screen.press("ctrl+a", "ctrl+k")
    until(lambda: screen.focused().text == "买卖合同", "the concordance of the source")
    screen.press("Escape")
    until(lambda: is_at(screen, 1, "Machine draft"), "the editor again")

    # Every segment is read and confirmed.
    for number in range(1, len(CONTRACT) + 3):
        screen.press("ctrl+Return")
        until(partial(is_at, screen, number + 1, "Machine draft"), f"segment {number + 1}")
    screen.press("ctrl+Return")
    until(says(app, "label", "^8 of 8 confirmed"), "the count")
    until(says(app, "push button", "^Export…"), "the way on")
    until(says(app, "label", "^History of the current segment"), "the history")

    # A reviewer changes one translation; it is asked about and taken over.
    choose(screen, window, "Document", "Export for review…")
    until(lambda: re.search("[Ff]ile name", screen.focused().name), "the chooser of files")
    screen.press("Return")
    returned = contract.with_name("contract.zh.review.docx")
    until(returned.exists, "the review file")
    (sheet,) = docx.Document(str(returned)).tables
    (row,) = (each for each in sheet.rows if each.cells[1].text == CONTRACT[3])
    row.cells[2].text = REVIEWED
    sheet.part.package.save(str(returned))
    choose(screen, window, "Document", "Take in a review…")
    until(lambda: re.search("[Ff]ile name", screen.focused().name), "the chooser of files")
    screen.type(str(returned))
    screen.press("Return")
    until(says(app, "dialog", "^Take a review over"), "what has come back")
    screen.press("Return")
    table = until(lambda: found(window, "table", "^Segments$"), "the table")
    until(lambda: any(each.name == REVIEWED for each in table.children()), "what the reviewer wrote")

    # What is exported is what was reviewed, in the document's structure.
    screen.press("ctrl+s")
    until(says(app, "dialog", "Export"), "the dialog")
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
    until(says(app, "label", "^Everything is drafted"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")
    return screen, app


def test_what_is_typed_while_the_window_is_busy_stays_in_order(
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


def test_alt_leads_into_the_menus_of_a_busy_window(
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
