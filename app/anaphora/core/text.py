"""Small questions about a text that several layers ask."""

from __future__ import annotations

import re

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""One Chinese character."""


def has_han(text: str) -> bool:
    """Whether the text holds a Chinese character."""
    return HAN.search(text) is not None


def needs_translation(source: str) -> bool:
    """Whether a Chinese→English engine has anything to do: text without Chinese is copied as it stands."""
    return has_han(source)
