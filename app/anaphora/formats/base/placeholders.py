"""Placeholders that programs fill at run time, in the notations of several toolkits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from itertools import count

from anaphora_text.han import ALL_HAN
from anaphora_text.protected import TEMPLATE_OUTPUT, TEMPLATE_STATEMENT

_LENGTH_MODIFIER = r"(?:hh?|ll?|[qLzjt])?"
_PRINTF = (
    r"%(?:[0-9]{1,2}\$)?#@\w{1,80}@|%(?:[0-9]{1,2}\$|\([\w.-]{1,80}\)|<[\w.-]{1,80}>)"
    r"[-+ #0,]*[0-9]*(?:\.[0-9]+)?" + _LENGTH_MODIFIER + r"[a-zA-Z@]"
    r"|(?<![0-9])%[-+#0]*(?:\*|[0-9]+)?(?:\.(?:\*|[0-9]+))?" + _LENGTH_MODIFIER + r"[diouxXeEfFgGaAcCsSpn@]"
    r"|%%"
)
"""Placeholders of C and related languages; the "%" in "5%d" is a per cent sign, that in "5%1$d" is not."""
_BRACES = (
    r"\{\{[^{}]{0,200}\}\}|[%$#]?\{[\w.$:-]{0,80}\}"
    r"|\{\w{1,64}\s*,\s*(?!choice\b)[^{}']{1,120}\}|\$\{[^{}]{1,120}\}"
)
_LINKS = r"\$t\((?:[^()]|\([^()]*\)){1,200}\)|@(?:\.[a-z]{1,20})?:(?:\([^()\s]{1,80}\)|[A-Za-z][\w.-]{0,80})"
"""Links to other texts of the catalogue in i18next and Vue."""
_ENTITIES = r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});"
_CHROME = r"\$[A-Za-z_]\w{0,60}\$"
_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufdd0]"
"""Characters that a translator cannot type; each becomes a tag."""

_DATES = r"(?<![0-9%])%[-_0^#]?[BDHIMPRTYZbhjklmyz](?![A-Za-z])"
"""Directives of strftime that are not in `_PRINTF`; the "%" in "5%Y" and in "%Bar" is a per cent sign."""

SHARED = f"{TEMPLATE_OUTPUT}|{TEMPLATE_STATEMENT}|{_ENTITIES}|{_DATES}"
"""Placeholders that most notations have in common."""

_START = rf"(?=[%{{}}<$#@&'\\]|{_CONTROLS})"
"""Matches before a character with which a placeholder may begin, to make the search faster."""


def _any_of(*kinds: str) -> re.Pattern[str]:
    return re.compile(f"{_START}(?:{'|'.join(kinds)})")


COMMON = _any_of(_PRINTF, SHARED, _BRACES, _LINKS, _CHROME, _CONTROLS)
_FORMAT = rf"\{{[0-9]+\s*,\s*(?:number|date|time)\s*,[^{{}}{ALL_HAN}]{{1,80}}\}}"
JAVA = _any_of(r"(?<!')(?:'')*'[{}](?:[^']|''){0,200}'(?!')", _FORMAT, _PRINTF, SHARED, _BRACES, _CONTROLS)
TABLE = _any_of(_PRINTF, SHARED, _BRACES, _LINKS, _CHROME, _CONTROLS, r"\\[nrt](?![A-Za-z])")
"""Placeholders in cells of tables, including escapes with a backslash."""
QT = _any_of(r"%L?(?:[1-9][0-9]?|n)", _BRACES, _ENTITIES, _CONTROLS)
APPLE = _any_of(r"%arg(?![A-Za-z])", _PRINTF, _ENTITIES, _CONTROLS)
PHRASE = re.compile(
    rf"{_ENTITIES}|" r"\{(?:[0-9]{1,4}|[biu_^]{1,5})>|<(?:[0-9]{1,4}|[biu_^]{1,5})\}|\{[0-9]{1,4}\}"
)
"""Phrase's tags in the texts of .mxliff files, and HTML entities."""
ENTITY = re.compile(_ENTITIES)
UNTRANSLATABLE = re.compile(
    r"(?:https?|ftp|mailto|tel|data):\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|#[0-9A-Fa-f]{3,8}|:[a-z_]\w{0,60}:?"
)
"""Addresses, colours and Ruby's symbols; a string that contains nothing else is not translated."""

_NEXT = re.compile(r"%(?:[-+ #'I0-9.]*(?:[hlqLjzt]*[diouxXeEfFgGcCsSp@]|<PRI\w+>)|#@\w+@)|\{(?::[^{}]*)?\}")
"""A placeholder that takes the next argument."""
_NOT_NEXT = re.compile(rf"%[0-9]+\$|%[^A-Za-z]*\*|(?!%m){_DATES}|%[aA]\b")
"""A placeholder with a number, with a width from an argument, or in a date."""


def numbered(placeholders: Sequence[str]) -> list[str]:
    """Number the placeholders that take arguments in order ("%2$d"), unless there is only one, or a date."""
    numbers = count(1)
    if sum(map(bool, map(_NEXT.fullmatch, placeholders))) < 2 or any(map(_NOT_NEXT.match, placeholders)):
        return [*placeholders]
    return [
        f"{each[0]}{next(numbers)}${each[1:]}" if _NEXT.fullmatch(each) else each for each in placeholders
    ]


def presets() -> list[tuple[str, str]]:
    """(name in the dialog, pattern) of each suggestion for user-defined patterns."""
    text = files("anaphora_resources").joinpath("placeholders.tsv").read_text("utf-8")
    return [(name, pattern) for name, _, pattern in (line.partition("\t") for line in text.splitlines())]
