"""Tables in text files: their delimiter, the positions of their cells, and the roles of their columns."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import NamedTuple

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import LANGUAGE_NAMES, language_of
from anaphora.core.text import has_han
from anaphora.formats.base.format import MAX_TABLE_CELLS, check_markup

DELIMITERS = (",", "\t", ";", "|")
_SAMPLE = 50
"""Number of rows from which the delimiter is determined."""
_COLUMNS = files("anaphora_resources").joinpath("columns.tsv").read_text("utf-8").splitlines()
ROLES = {name: role for role, names in (line.split("\t") for line in _COLUMNS) for name in names.split()}
"""Roles of columns by words of their names; more specific roles come first."""
_NO_LANGUAGES = ("id", "no")
"""Names that mean row numbers more often than Indonesian and Norwegian."""
_DELIMITER_LINE = re.compile(r"\A\ufeff?sep=(.)[ \t]*(?:\r\n|\n|\r|\Z)", re.IGNORECASE)
_RUN = re.compile(r"[^\W_]+")
_NAME = re.compile("|".join(sorted(filter(has_han, (*ROLES, *LANGUAGE_NAMES)), key=len, reverse=True)))
_NAMES = re.compile(f"(?:{_NAME.pattern})+")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class Cell(NamedTuple):
    """A cell of a table: its position in the file, including quotation marks, and its text."""

    start: int
    end: int
    text: str
    is_quoted: bool


def delimiter_of(text: str) -> str:
    """The declared delimiter, or else the one that splits most rows; "" if none splits half of them."""
    if declared := _DELIMITER_LINE.match(text):
        return declared[1]
    best_score, chosen = (0, 0), ""
    for delimiter in DELIMITERS:
        rows = (row for row in split_rows(text, delimiter) if any(cell.text.strip() for cell in row))
        widths = [len(row) for row in itertools.islice(rows, _SAMPLE)]
        split_count = sum(width > 1 for width in widths)
        score = (split_count, max(map(widths.count, widths), default=0))
        if 2 * split_count >= len(widths) and split_count and score > best_score:
            best_score, chosen = score, delimiter
    return chosen


def read_rows(text: str, delimiter: str) -> Iterator[list[Cell]]:
    """The rows of a table, without a line that declares the delimiter."""
    declared = _DELIMITER_LINE.match(text)
    return split_rows(text, delimiter, declared.end() if declared else 0)


def split_rows(text: str, delimiter: str, start: int = 0) -> Iterator[list[Cell]]:
    """All rows, even empty ones; an unpaired quotation mark is text. FormatError for too many cells."""
    mark = re.escape(delimiter)
    cell = re.compile(rf'(?:"((?:[^"]++|"")*+)"|([^\r\n{mark}]*+))({mark}|\r\n|\n|\r|\Z)')
    row: list[Cell] = []
    position = start
    for count in itertools.count(1):
        match = cell.match(text, position)
        assert match is not None  # an empty cell also matches
        quoted, plain, separator = match.groups()
        if quoted is None:
            row.append(Cell(position, position + len(plain), plain, False))
        else:
            row.append(Cell(position, position + len(quoted) + 2, quoted.replace('""', '"'), True))
        check_markup(count, MAX_TABLE_CELLS)
        if not separator:
            yield row
            return
        position = match.end()
        if separator != delimiter:
            yield row
            row = []
            if position == len(text):
                return


def language_named(name: str) -> str:
    """The code of the language in a name's first word: "de" for "German", "zh" for "zh-CN"; otherwise ""."""
    word = _first_word(name)
    if name.strip().lower() in _NO_LANGUAGES:
        return ""
    language = language_of(word)
    return LANGUAGE_NAMES.get(word) or (language.code if language.scripts else "")


def roles_of(header: Sequence[str], pair: LanguagePair) -> list[str]:
    """Each column's role ("source" …), if its name begins with a role or a language; otherwise ""."""
    words = map(_first_word, header)
    of_pair = {pair.source_language.code: "source", pair.target_language.code: "target"}
    return [
        ROLES.get(word) or (of_pair.get(LANGUAGE_NAMES.get(word) or language_of(word).code or "-", ""))
        for word in words
    ]


def has_title(rows: Iterable[Sequence[str]], column: int, pair: LanguagePair) -> bool:
    """True if the first filled cell of a column needs translation and no later one does, or vice versa."""
    needs = [pair.needs_translation(row[column]) for row in rows if column < len(row) and row[column]]
    return bool(needs[1:]) and needs[0] not in needs[1:]


def words_of(name: str) -> list[str]:
    """The words of a name in lower case: "caseSensitive" and "中文说明" have two each."""
    runs = ((run, _NAME if _NAMES.fullmatch(run) else _CAMEL) for run in _RUN.findall(name))
    return [word.lower() for run, pattern in runs for word in pattern.findall(run) or [run]]


def _first_word(name: str) -> str:
    return "".join(_RUN.findall(name.lower())[:1])
