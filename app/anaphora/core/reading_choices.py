"""The user's choices for reading a document; the project stores them, because export needs them, too."""

from __future__ import annotations

import json
from dataclasses import dataclass

from anaphora.core.untrusted import read_json

MAX_PATTERNS = 40
MAX_PATTERN_LENGTH = 400
MAX_COLUMNS = 1000
"""Maximum number of columns of a table; their numbers begin at 0."""
_MAX_BYTES = 2**16
"""Maximum size of the stored choices of a document."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table that are translated, by number from 0.

    Attributes:
        targets: for each source column, the column for its translations; -1 if they replace the source.
    """

    sources: tuple[int, ...]
    targets: tuple[int, ...]
    has_header: bool = False


@dataclass(frozen=True, slots=True)
class ReadingChoices:
    """Choices about one document.

    Attributes:
        columns: a table's columns; if None, those suggested by the header or the script of the cells.
        placeholders: patterns of text that is not translated, see `formats.base.own_placeholders`.
    """

    columns: Columns | None = None
    placeholders: tuple[str, ...] = ()

    def to_text(self) -> str:
        """The choices as JSON for a project file; "" if nothing was chosen."""
        values: dict[str, object] = {}
        if self.columns is not None:
            columns = self.columns
            values["columns"] = [[*columns.sources], [*columns.targets], columns.has_header]
        if self.placeholders:
            values["placeholders"] = [*self.placeholders]
        return json.dumps(values, ensure_ascii=False) if values else ""

    @classmethod
    def from_text(cls, text: str) -> ReadingChoices:
        """The inverse of `to_text`; raises ValueError for an invalid text."""
        if not text:
            return cls()
        try:
            values = read_json(text, _MAX_BYTES)
            columns = values.get("columns")
            patterns = tuple(values.get("placeholders", ()))[:MAX_PATTERNS]
            if not all(isinstance(each, str) and len(each) <= MAX_PATTERN_LENGTH for each in patterns):
                raise ValueError("a placeholder pattern is too long or not text")
            return cls(None if columns is None else _columns(columns), patterns)
        except (AttributeError, TypeError) as error:
            raise ValueError(f"the reading choices are malformed: {error}") from error


AS_SUGGESTED = ReadingChoices()
"""The choices of a user who has chosen nothing."""


def _columns(values: list[list[int]]) -> Columns:
    sources, targets, has_header = values
    if not all(type(each) is int and -1 <= each < MAX_COLUMNS for each in (*sources, *targets)):
        raise ValueError("a column number is out of range")
    separate = [target for target in targets if target >= 0]
    has_duplicates = len({*sources}) < len(sources) or len({*separate}) < len(separate)
    if len(sources) != len(targets) or not sources or min(sources) < 0 or has_duplicates:
        raise ValueError("the columns are missing, repeated or not paired")
    return Columns(tuple(sources), tuple(targets), bool(has_header))
