"""A separate desktop and a text for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from desktop import Desktop


@pytest.fixture
def make_desktop(tmp_path: Path) -> Iterator[Callable[[int, int], Desktop]]:
    from desktop import Desktop

    made: list[Desktop] = []

    def make(width: int, height: int) -> Desktop:
        made.append(Desktop(tmp_path, (width, height)))
        return made[-1]

    yield make
    for each in made:
        print(each.outline())
        each.close()


@pytest.fixture
def text(tmp_path: Path) -> Path:
    from by_keyboard import LINES

    path = tmp_path / "ledger.zh.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path
