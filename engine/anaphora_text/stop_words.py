"""Common words that are left out of word caches and topic models."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "words"


def read_table(name: str) -> str:
    """A table of words of this package."""
    return (_FOLDER / name).read_text(encoding="utf-8")


def read_pairs(name: str) -> dict[str, str]:
    """A table of two columns."""
    return dict(line.split("\t") for line in read_table(name).splitlines())


STOP_WORDS = frozenset(read_table("stop_en.txt").split())
CHINESE_STOP_WORDS = frozenset(read_table("stop_zh.txt").split())
