"""Keys to press, alone or together (F5, Ctrl+Shift+P), that the translation lacks or has altered."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.checks.segment.check import Check, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind

_MODIFIERS = "Ctrl|Control|Alt|Shift|Cmd|Command|Option|Opt|Win|Windows|Meta|Super|Fn|[⌘⌥⌃⇧]"
KEYS = re.compile(
    rf"(?<![A-Za-z0-9_])(?:(?:{_MODIFIERS})(?:[ ]?[+＋-][ ]?(?:[A-Za-z][A-Za-z0-9]{{0,11}}|[0-9]|[←↑→↓]))+"
    r"|F(?:1[0-2]|[1-9]))(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
"""One key, or several that are pressed together."""
_SAME = {"control": "ctrl", "command": "cmd", "option": "opt", "windows": "win", "＋": "+", "-": "+"}


def _find(source: str, target: str, _: LanguagePair) -> Iterator[str]:
    pressed = {_plain(match.group()) for match in KEYS.finditer(target)}
    for keys in dict.fromkeys(match.group() for match in KEYS.finditer(source)):
        if _plain(keys) not in pressed:
            yield keys


def _plain(keys: str) -> str:
    """The keys, however they are spelled."""
    text = keys.casefold().replace(" ", "")
    for name, short in _SAME.items():
        text = text.replace(name, short)
    return text


CHECK = Check("key-missing", translate("Quality", "The key {0} is missing."), RemarkKind.TAGS, _find)
