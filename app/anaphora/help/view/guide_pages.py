"""The pages of the user's guide, in one language, with the keys and menu items that are in force."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_PLACE = re.compile(r"\{(=?)(\w+)\}")
"""`{confirm}` is the key of an action, `{=confirm}` its place in the menus."""
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class GuidePage:
    """One page.

    Attributes:
        name: of its file without suffix; the same in every language.
        title: its first heading.
        text: Markdown.
    """

    name: str
    title: str
    text: str

    def holds(self, words: str) -> bool:
        """Whether each of some words, separated by blanks, occurs; capitals do not matter."""
        text = self.text.casefold()
        return all(word in text for word in words.casefold().split())


def read_pages(folder: Path, key: Callable[[str], str], item: Callable[[str], str]) -> list[GuidePage]:
    """Read the pages of a folder in the order of their names.

    Args:
        folder: with a Markdown file for each page.
        key: gives the key of an action by its name; empty where it has none.
        item: gives an action's place in the menus by its name.
    """

    def fill(place: re.Match[str]) -> str:
        wants_item, name = place.groups()
        shown = "" if wants_item else key(name)
        return f"`{shown}`" if shown else f"*{item(name)}*"

    return [
        _page(path.stem, _PLACE.sub(fill, path.read_text("utf-8"))) for path in sorted(folder.glob("*.md"))
    ]


def _page(name: str, text: str) -> GuidePage:
    title = _TITLE.search(text)
    return GuidePage(name, title[1] if title else name, text)
