"""Format strings of programs, and ICU messages ({count, plural, one {# file} other {# files}})."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from anaphora.checks.segment.check import Check, Said, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora_text.icu import PLURAL_FORMS

_PRINTF = re.compile(r"%(?:\d++\$|\(\w++\))?[-+0#]*+\d*+(?:\.\d++)?(?:hh|h|ll|l|z)?[sdiufxXeEgGc@]")
_BRACES = re.compile(r"\$\{\w+\}|\{\{\s*\w+\s*\}\}|\{[A-Za-z_]\w*\}")
_ARGUMENT = re.compile(
    r"\{\s*(?P<name>\w{1,64})\s*,\s*(?P<type>plural|selectordinal|select|number|date|time)\s*(?P<end>[,}])"
)
_KEY = re.compile(r"\s*(?P<key>offset:\s*\d+|[^\s{},]{1,64})\s*(?P<brace>\{)?")
_EXACT = re.compile(r"=\d+")


def _exchange(source: str, target: str, _: str) -> str:
    """Where one is missing and another one is there in its place."""
    missing, added = _differing(source, target)
    return target.replace(added[0], missing[0]) if len(missing) == len(added) == 1 else target


MISSING = Check(
    "format-string-missing",
    translate("Quality", "The format string {0} is missing."),
    RemarkKind.TAGS,
    _exchange,
)
ADDED = Check(
    "format-string-added",
    translate("Quality", "The source has no format string {0}."),
    RemarkKind.TAGS,
    _exchange,
)
KEYWORD_MISSING = Check(
    "icu-keyword-missing", translate("Quality", "The keyword {0} is missing."), RemarkKind.TAGS
)
KEYWORD_ADDED = Check(
    "icu-keyword-added", translate("Quality", "The source has no keyword {0}."), RemarkKind.TAGS
)
CHECKS = (MISSING, ADDED, KEYWORD_MISSING, KEYWORD_ADDED)


@dataclass(frozen=True)
class _Message:
    """An argument of an ICU message.

    Attributes:
        name, type: "count" and "plural" of {count, plural, …}.
        keys: those of its branches, in order.
        braces: where the braces of its branches stand.
    """

    name: str
    type: str
    keys: tuple[str, ...]
    braces: tuple[int, ...]


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Said]:
    """A plural has the forms of its own language; a select has its source's."""
    if pair.needs_translation(source):
        missing, added = _differing(source, target)
        yield from ((MISSING, text) for text in missing)
        yield from ((ADDED, text) for text in added)
    messages, left = _messages(source), _messages(target)
    known = {(each.name, each.type): each.keys for each in messages}
    for message in left:
        keys = known.get((message.name, message.type))
        for key in message.keys if keys is not None else ():
            is_plural = message.type != "select" and (key in PLURAL_FORMS or _EXACT.fullmatch(key))
            if key not in (keys or ()) and not is_plural:
                yield KEYWORD_ADDED, key
    for message in messages:
        same = next((each for each in left if (each.name, each.type) == (message.name, message.type)), None)
        if same is None:
            yield KEYWORD_MISSING, f"{{{message.name}, {message.type}}}"
            continue
        left.remove(same)
        needed = message.keys if message.type == "select" else ("other",) * ("other" in message.keys)
        yield from ((KEYWORD_MISSING, key) for key in needed if key not in same.keys)


def _differing(source: str, target: str) -> tuple[list[str], list[str]]:
    """Format strings that are missing, and that are too many."""
    wanted, found = (
        Counter(match.group() for pattern in (_PRINTF, _BRACES) for match in pattern.finditer(text))
        for text in map(_without_branch_braces, (source, target))
    )
    return list(wanted - found), list(found - wanted)


def _without_branch_braces(text: str) -> str:
    """The text with blanks for the braces around branches, which are no placeholders: male {he}."""
    chars = list(text)
    for message in _messages(text):
        for brace in message.braces:
            if brace < len(chars):
                chars[brace] = " "
    return "".join(chars)


def _messages(text: str) -> list[_Message]:
    """The arguments of a text that say their type, those within branches, too."""
    found = [*_ARGUMENT.finditer(text)]
    ends = _closing_braces(text) if found else {}
    return [_message(text, match, ends) for match in found]


def _closing_braces(text: str) -> dict[int, int]:
    """Where each brace that is closed is closed."""
    opened: list[int] = []
    ends = {}
    for match in re.finditer(r"[{}]", text):
        if match.group() == "{":
            opened.append(match.start())
        elif opened:
            ends[opened.pop()] = match.start()
    return ends


def _message(text: str, match: re.Match[str], ends: dict[int, int]) -> _Message:
    keys, braces = [], []
    place, end = match.end(), ends.get(match.start(), len(text))
    while match["end"] == "," and (key := _KEY.match(text, place, end)) is not None:
        place = key.end()
        if key["brace"]:
            keys.append(key["key"])
            closing = ends.get(key.start("brace"), end)
            braces += [key.start("brace"), closing]
            place = closing + 1
    return _Message(match["name"], match["type"], tuple(keys), tuple(braces))
