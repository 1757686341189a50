"""Common steps of the tests in a real X window: finding things, using menus, closing the window."""

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
"""The lines of the text in most tests."""


def frame(app: Thing) -> Thing:
    return next(each for each in app.children() if each.role == "frame")


def is_at(screen: Desktop, segment: int, state: str) -> bool:
    """True if the editor of a segment in a state has the focus, with or without low confidence."""
    focused = screen.focused()
    name = f"Translation of segment {segment}, {state}"
    return focused is not None and focused.name in (name, f"{name}, low confidence")


def shows(app: Thing, role: str, name: str) -> Callable[[], Thing | None]:
    """Returns a function that finds a thing in the app's windows by its role and a pattern of its name."""
    return lambda: next((each for window in app.children() if (each := found(window, role, name))), None)


def numbers(window: Thing) -> list[str]:
    """The names of the segments in the table."""
    table = found(window, "table", "^Segments$")
    return [each.name for each in table.children() if each.name.startswith("Segment ")] if table else []


def choose(screen: Desktop, window: Thing, menu: str, *entries: str) -> None:
    """Choose an entry of the menus with the arrow keys.

    Alt and a letter would be unreliable: if Qt reads several keys at once, it executes a shortcut before
    plain keys that were pressed earlier, and the following Alt closes the menu again.
    """
    (bar,) = (each for each in window.all() if each.role == "menu bar")
    (place,) = (each for each in bar.children() if each.name == menu)
    # Alt opens and closes the menu bar; Qt ignores it while another key is released.
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
    """Press a key until an entry of a menu has the focus."""
    while (at := until(partial(chosen, screen, menu), f"an entry of {menu}")) != goal:
        screen.press(key)
        until(partial(has_left, screen, at), f"the entry after {at}")


def soon(found: Callable[[], Thing | None], seconds: float) -> Thing | None:
    """A thing found within some seconds, or None."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(GoneError):
            if (thing := found()) is not None:
                return thing
        time.sleep(0.05)
    return None


def has_left(screen: Desktop, entry: Thing) -> bool:
    """True if another thing has the focus."""
    return screen.focused() != entry


def chosen(screen: Desktop, menu: Thing) -> Thing | None:
    """The focused entry of an open menu."""
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
