"""ICU messages ({count, plural, one {# file} other {# files}}) of which a keyword was lost or translated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from anaphora.checks.segment.check import Check, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora_text.icu import PLURAL_FORMS

_ARGUMENT = re.compile(
    r"\{\s*(?P<name>\w{1,64})\s*,\s*(?P<type>plural|selectordinal|select|number|date|time)\s*(?P<end>[,}])"
)
_KEY = re.compile(r"\s*(?P<key>offset:\s*\d+|[^\s{},]{1,64})\s*(?P<brace>\{)?")
_EXACT = re.compile(r"=\d+")


@dataclass(frozen=True)
class Message:
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


def messages(text: str) -> list[Message]:
    """The arguments of a text that say their type, those within branches, too."""
    if ", " not in text and "," not in text:
        return []
    ends = _closing_braces(text)
    return [_message(text, match, ends) for match in _ARGUMENT.finditer(text)]


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


def _message(text: str, match: re.Match[str], ends: dict[int, int]) -> Message:
    keys, braces = [], []
    place, end = match.end(), ends.get(match.start(), len(text))
    while match["end"] == "," and (key := _KEY.match(text, place, end)) is not None:
        place = key.end()
        if key["brace"]:
            keys.append(key["key"])
            closing = ends.get(key.start("brace"), end)
            braces += [key.start("brace"), closing]
            place = closing + 1
    return Message(match["name"], match["type"], tuple(keys), tuple(braces))


def without_branch_braces(text: str) -> str:
    """The text with blanks for the braces around branches, which are no placeholders: male {he}."""
    chars = list(text)
    for message in messages(text):
        for brace in message.braces:
            if brace < len(chars):
                chars[brace] = " "
    return "".join(chars)


def _find_missing(source: str, target: str, _: LanguagePair) -> Iterator[str]:
    left = messages(target)
    for message in messages(source):
        same = next((each for each in left if (each.name, each.type) == (message.name, message.type)), None)
        if same is None:
            yield f"{{{message.name}, {message.type}}}"
            continue
        left.remove(same)
        needed = message.keys if message.type == "select" else ("other",) * ("other" in message.keys)
        yield from (key for key in needed if key not in same.keys)


def _find_added(source: str, target: str, _: LanguagePair) -> Iterator[str]:
    known = {(each.name, each.type): each.keys for each in messages(source)}
    for message in messages(target):
        keys = known.get((message.name, message.type))
        if keys is None:
            continue
        for key in message.keys:
            is_plural = message.type != "select" and (key in PLURAL_FORMS or _EXACT.fullmatch(key))
            if key not in keys and not is_plural:
                yield key


MISSING = Check(
    "icu-keyword-missing", translate("Quality", "The keyword {0} is missing."), RemarkKind.TAGS, _find_missing
)
ADDED = Check(
    "icu-keyword-added", translate("Quality", "The source has no keyword {0}."), RemarkKind.TAGS, _find_added
)
