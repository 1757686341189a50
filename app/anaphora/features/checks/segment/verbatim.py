"""Addresses, keys and format strings, which stay as they are, and characters that may damage a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from anaphora.core.language_pair import LanguagePair
from anaphora.core.text import URL
from anaphora.features.checks.segment.check import MAX_FINDINGS, Check, Finding, RemarkKind, not_in, translate
from anaphora.formats.base.placeholders import numbered
from anaphora.formats.base.target_language import clean_target

_MAIL = re.compile(r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}")
_MODIFIERS = "Ctrl|Control|Alt|Shift|Cmd|Command|Option|Opt|Win|Windows|Meta|Super|Fn|[⌘⌥⌃⇧]"
KEYS = re.compile(
    rf"(?<![A-Za-z0-9_])(?:(?:{_MODIFIERS})(?:[ ]?[+＋-][ ]?(?:[A-Za-z][A-Za-z0-9]{{0,11}}|[0-9]|[←↑→↓]))+"
    r"|F(?:1[0-2]|[1-9]))(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
_SHORT_NAMES = {"control": "ctrl", "command": "cmd", "option": "opt", "windows": "win", "＋": "+", "-": "+"}

URL_MISSING = Check(
    "address-missing", translate("Quality", "The web address {0} is missing."), RemarkKind.NUMBERS
)
MAIL_MISSING = Check(
    "email-missing", translate("Quality", "The e-mail address {0} is missing."), RemarkKind.NUMBERS
)
KEY_MISSING = Check("key-missing", translate("Quality", "The keyboard key {0} is missing."), RemarkKind.TAGS)


def find_addresses_and_keys(source: str, target: str) -> Iterator[Finding]:
    """Missing addresses and keys; keys may be spelled differently, such as "Control-C"."""
    urls = (url.rstrip(".,;:!?)") for url in URL.findall(source))
    yield from ((URL_MISSING, url) for url in not_in(target, urls))
    lower = target.casefold()
    for address in islice(dict.fromkeys(_MAIL.findall(source)), MAX_FINDINGS):
        if address.casefold() not in lower:
            yield MAIL_MISSING, address
    pressed = {_standard_spelling(match.group()) for match in KEYS.finditer(target)}
    for keys in dict.fromkeys(match.group() for match in KEYS.finditer(source)):
        if _standard_spelling(keys) not in pressed:
            yield KEY_MISSING, keys


def _standard_spelling(keys: str) -> str:
    text = keys.casefold().replace(" ", "")
    for name, short in _SHORT_NAMES.items():
        text = text.replace(name, short)
    return text


_DIRECTION_MARKS = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_TIMES = re.compile(r"^[^\S\n]*\d{1,3}:\d{1,2}:\d{1,2}[,.:]\d{1,3}[^\S\n]*-->.*", re.MULTILINE)
_CODE = re.compile(r"U\+([0-9A-F]{4,6})")


def _clean(source: str, target: str, code: str) -> str:
    return clean_target(target, source)


def _remove_mark(source: str, target: str, code: str) -> str:
    match = _CODE.fullmatch(code)
    return clean_target(target.replace(chr(int(match[1], 16)), ""), source) if match else target


FORBIDDEN = Check(
    "character-forbidden",
    translate("Quality", "The file cannot store this character, so it will be omitted: {0}."),
    RemarkKind.WORDING,
    _clean,
)
DIRECTION = Check(
    "direction-mark",
    translate("Quality", "Direction control character not in the source: {0}."),
    RemarkKind.WORDING,
    _remove_mark,
)
TIME_LINE = Check(
    "time-line",
    translate("Quality", "A line looks like a subtitle time: “{0}”."),
    RemarkKind.WORDING,
)


def find_characters(source: str, target: str) -> Iterator[Finding]:
    """Characters that files cannot store, and direction marks and subtitle times that the source lacks."""
    lost = Counter(target) - Counter(clean_target(target, source))
    yield from ((FORBIDDEN, _code(char)) for char in lost if char not in "\r\n\x0b\x0c\x85\u2028\u2029")
    marks = dict.fromkeys(char for char in target if char in _DIRECTION_MARKS)
    yield from ((DIRECTION, _code(char)) for char in marks if char not in source)
    times = (match.group().strip() for match in _TIMES.finditer(target))
    yield from ((TIME_LINE, time) for time in not_in(source, times))


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"


_PRINTF = re.compile(r"(?<!%)%(?:\d++\$|\(\w++\))?[-+0#]*+\d*+(?:\.\d++)?(?:hh|h|ll|l|z)?[sdiufxXeEgGc@]")
_BRACES = re.compile(r"\$\{\w+\}|\{\{\s*\w+\s*\}\}|\{[A-Za-z_]\w*\}")


def _exchange(source: str, target: str, _: str) -> str:
    """Replace the added format string by the missing one, if there is one of each."""
    missing, added = _differing_strings(source, target)
    return target.replace(added[0], missing[0]) if len(missing) == len(added) == 1 else target


FORMAT_MISSING = Check(
    "format-string-missing",
    translate("Quality", "The format string {0} is missing."),
    RemarkKind.TAGS,
    _exchange,
)
FORMAT_ADDED = Check(
    "format-string-added",
    translate("Quality", "The source has no format string {0}."),
    RemarkKind.TAGS,
    _exchange,
)


def find_format_strings(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    if pair.needs_translation(source):
        missing, added = _differing_strings(source, target)
        yield from ((FORMAT_MISSING, text) for text in missing)
        yield from ((FORMAT_ADDED, text) for text in added)


def _differing_strings(source: str, target: str) -> tuple[list[str], list[str]]:
    """The format strings that the target lacks, and those that only the target has."""
    wanted, found = (
        Counter(
            each.replace("%1$", "%") for kind in (_PRINTF, _BRACES) for each in numbered(kind.findall(text))
        )
        for text in (source, target)
    )
    return list(wanted - found), list(found - wanted)


CHECKS = (
    *(FORBIDDEN, DIRECTION, TIME_LINE, URL_MISSING, MAIL_MISSING, KEY_MISSING),
    *(FORMAT_MISSING, FORMAT_ADDED),
)


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    yield from find_characters(source, target)
    yield from find_addresses_and_keys(source, target)
    yield from find_format_strings(source, target, pair)
