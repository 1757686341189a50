"""Addresses and keys (F5, Ctrl+Shift+P) that the translation lacks or alters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from anaphora.core.language_pair import LanguagePair
from anaphora.core.text import URL
from anaphora.features.checks.segment.check import MAX_FINDINGS, Check, Finding, RemarkKind, not_in, translate

_MAIL = re.compile(r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}")
_MODIFIERS = "Ctrl|Control|Alt|Shift|Cmd|Command|Option|Opt|Win|Windows|Meta|Super|Fn|[⌘⌥⌃⇧]"
KEYS = re.compile(
    rf"(?<![A-Za-z0-9_])(?:(?:{_MODIFIERS})(?:[ ]?[+＋-][ ]?(?:[A-Za-z][A-Za-z0-9]{{0,11}}|[0-9]|[←↑→↓]))+"
    r"|F(?:1[0-2]|[1-9]))(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
"""One key, or a combination of keys."""
_SAME = {"control": "ctrl", "command": "cmd", "option": "opt", "windows": "win", "＋": "+", "-": "+"}

URL_MISSING = Check(
    "address-missing", translate("Quality", "The address {0} is missing."), RemarkKind.NUMBERS
)
MAIL_MISSING = Check(
    "email-missing", translate("Quality", "The e-mail address {0} is missing."), RemarkKind.NUMBERS
)
KEY_MISSING = Check("key-missing", translate("Quality", "The key {0} is missing."), RemarkKind.TAGS)
CHECKS = (URL_MISSING, MAIL_MISSING, KEY_MISSING)


def find(source: str, target: str, _: LanguagePair) -> Iterator[Finding]:
    """Keys may be spelled differently, such as "Control-C"."""
    urls = (url.rstrip(".,;:!?)") for url in URL.findall(source))
    yield from ((URL_MISSING, url) for url in not_in(target, urls))
    lower = target.casefold()
    for address in islice(dict.fromkeys(_MAIL.findall(source)), MAX_FINDINGS):
        if address.casefold() not in lower:
            yield MAIL_MISSING, address
    pressed = {_plain(match.group()) for match in KEYS.finditer(target)}
    for keys in dict.fromkeys(match.group() for match in KEYS.finditer(source)):
        if _plain(keys) not in pressed:
            yield KEY_MISSING, keys


def _plain(keys: str) -> str:
    """The keys in one standard spelling."""
    text = keys.casefold().replace(" ", "")
    for name, short in _SAME.items():
        text = text.replace(name, short)
    return text
