"""Common steps of the tests in a real X window: find things, walk through menus, leave."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from functools import partial

from desktop import SHOWING, Desktop, GoneError, Thing, found, until

LINES = (
    "账本保存每个交易。",
    "我们比较模型的性能。",
    "每个节点读取账本。",
    "账本保存每个交易。",
    "区块链是一种分布式账本。",
)
"""Of the text that most tests work on."""


def frame(app: Thing) -> Thing:
    """The window."""
    return next(each for each in app.children() if each.role == "frame")


def is_at(screen: Desktop, segment: int, state: str) -> bool:
    """True if the keyboard is in the editor of a segment in a state, with or without low confidence."""
    focused = screen.focused()
    wanted = f"Translation of segment {segment}, {state}"
    return focused is not None and focused.name in (wanted, f"{wanted}, low confidence")


def says(app: Thing, role: str, name: str) -> Callable[[], Thing | None]:
    """Looks for a thing in all windows of the app by its role and a pattern of its name."""
    return lambda: next((each for window in app.children() if (each := found(window, role, name))), None)


def numbers(window: Thing) -> list[str]:
    """The segments that the table shows."""
    table = found(window, "table", "^Segments$")
    return [each.name for each in table.children() if each.name.startswith("Segment ")] if table else []


def choose(screen: Desktop, window: Thing, menu: str, *entries: str) -> None:
    """Walk through the menus to an entry, by the arrows.

    Not by Alt and a letter: if Qt reads several keys at once, it carries out a shortcut before plain keys
    that were pressed earlier, and Alt, which follows then, closes the menu again.
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
    """A thing found within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(GoneError):
            if (thing := found()) is not None:
                return thing
        time.sleep(0.05)
    return None


def has_left(screen: Desktop, entry: Thing) -> bool:
    """True if another thing has the keyboard."""
    return screen.focused() != entry


def chosen(screen: Desktop, menu: Thing) -> Thing | None:
    """The entry of an open menu that the arrows have come to."""
    at = screen.focused()
    return at if at in menu.children() else None


def leave(screen: Desktop) -> None:
    """Close the window, despite unconfirmed segments."""
    screen.press("ctrl+q")
    if soon(lambda: next(iter(closing(screen)), None), 5) is not None:
        screen.press("Return")
    until(lambda: not screen.apps(), "the end")


def closing(screen: Desktop) -> list[Thing]:
    """The dialog about unconfirmed segments, while it is open."""
    return [each for app in screen.apps() for each in app.children() if each.role == "dialog"]
