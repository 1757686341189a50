"""Work by keyboard in a real X window in temporary states: during drafting, with filters and in the terms."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import pytest

desktop = pytest.importorskip("desktop", reason="needs jeepney")
if os.environ.get("ANAPHORA_REAL_WINDOW") != "1":
    pytest.skip("wants a machine of its own: ANAPHORA_REAL_WINDOW=1 runs it", allow_module_level=True)
if desktop.missing():
    pytest.skip(f"needs {' '.join(desktop.missing())}", allow_module_level=True)

from by_keyboard import LINES, choose, frame, has_left, is_at, leave, numbers, shows  # noqa: E402
from desktop import SELECTED, Desktop, Thing, found, until  # noqa: E402

pytestmark = pytest.mark.slow
WHO, VERBS = ("节点", "用户", "服务器", "系统", "程序", "客户"), ("读取", "检查", "复制", "写入", "删除")
PARTS = ("账本", "区块", "交易", "文件", "目录", "记录", "消息", "请求", "缓存", "模型")
OWN = "The register keeps every transaction."


def opened(make_desktop: Callable[[int, int], Desktop], text: Path) -> tuple[Desktop, Thing]:
    """A window with its drafts, at the first segment."""
    screen = make_desktop(1440, 900)
    app = screen.start_app(str(text))
    until(shows(app, "label", "^All drafts are ready"), "the drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment")
    return screen, app


def confirm(screen: Desktop, translation: str) -> None:
    """Write a translation in place of the draft, and confirm it."""
    editor = screen.focused()
    assert editor is not None
    screen.press("ctrl+a")
    screen.type(translation)
    until(lambda: editor.text == translation, "what is typed")
    screen.press("ctrl+Return")


def cells(app: Thing) -> list[list[str]]:
    """The rows of the table as screen readers get them."""
    table = until(lambda: found(frame(app), "table", "^Segments$"), "the table")
    names = [each.name for each in table.children() if each.role == "cell"]
    return [names[at : at + 4] for at in range(0, len(names), 4)]


def press_until(screen: Desktop, key: str, name: str) -> None:
    """Press a key until a widget has the focus."""
    for _ in range(40):
        at = until(screen.focused, "the keyboard")
        if re.search(name, at.name):
            return
        screen.press(key)
        until(partial(has_left, screen, at), f"what is behind {at}")
    raise AssertionError(f"{key} does not lead to {name}")


def test_work_goes_on_while_drafts_come(make_desktop: Callable[[int, int], Desktop], tmp_path: Path) -> None:
    text = tmp_path / "long.zh.txt"
    lines = ("".join((*words, "，并且报告结果。\n")) for words in product(WHO, VERBS, PARTS))
    text.write_text("".join(lines), "utf-8")
    screen = make_desktop(1440, 900)
    app = screen.start_app(str(text))
    until(shows(app, "label", r"^Drafting: \d+ of 300"), "the first drafts")
    until(lambda: is_at(screen, 1, "Machine draft"), "the first segment, drafted first")
    confirm(screen, OWN)
    until(lambda: is_at(screen, 2, "Machine draft"), "the second segment")
    assert shows(app, "label", "^Drafting: ")() is not None, "others are still on their way"
    until(shows(app, "label", "^1 of 300"), "the count")
    until(shows(app, "label", "^All drafts are ready"), "all drafts")
    assert cells(app)[0][::3] == ["Segment 1, Confirmed", OWN]
    leave(screen)


def test_filters_are_chosen_by_chips(make_desktop: Callable[[int, int], Desktop], text: Path) -> None:
    screen, app = opened(make_desktop, text)
    confirm(screen, OWN)
    until(lambda: is_at(screen, 2, "Machine draft"), "the second segment")
    until(shows(app, "page tab", "^Unconfirmed +4"), "the count of the chip")
    screen.press("shift+F6")
    until(lambda: screen.focused().name.startswith("All"), "the chips")
    # The arrow keys choose the chips one by one, like tabs.
    screen.press("Right")
    until(lambda: len(numbers(frame(app))) == 4, "what is unconfirmed")
    chip = until(shows(app, "page tab", "^Unconfirmed"), "the chip")
    assert chip.has(SELECTED)
    # Confirming under a filter hides nothing; the first chip shows all segments again.
    press_until(screen, "F6", "^Translation of segment 2")
    screen.press("ctrl+Return")
    until(lambda: is_at(screen, 3, "Machine draft"), "the third segment")
    assert len(numbers(frame(app))) == 4
    screen.press("shift+F6")
    until(lambda: screen.focused().name.startswith("Unconfirmed"), "the chips")
    screen.press("Left")
    until(lambda: len(numbers(frame(app))) == len(LINES), "everything again")
    leave(screen)


def test_a_term_is_used_everywhere(make_desktop: Callable[[int, int], Desktop], text: Path) -> None:
    screen, app = opened(make_desktop, text)
    choose(screen, frame(app), "View", "Terms")
    terms = until(shows(app, "tree", "^Recurring terms"), "the table of terms")
    until(lambda: [each for each in terms.children() if "账本" in each.name], "the term")
    press_until(screen, "F6", "^Recurring terms|账本")
    for _ in range(10):
        if (at := screen.focused()) is not None and "账本" in at.name:
            break
        screen.press("Down")
    press_until(screen, "Tab", "^Translation of the term")
    screen.press("ctrl+a")
    screen.type("register")
    press_until(screen, "Tab", "^Use everywhere")
    screen.press("space")
    until(shows(app, "dialog", "^Use one translation"), "what would change")
    until(shows(app, "push button", r"^Change (1 segment|\d+ segments)"), "the drafts written anew")
    screen.press("Return")
    until(lambda: sum("register" in row[3].lower() for row in cells(app)) >= 3, "the term in its sentences")
    leave(screen)
