"""The user's choices for reading a document, kept with it because writing needs them too."""

from __future__ import annotations

import json
from dataclasses import dataclass

from anaphora.core.untrusted import read_json

MOST_PATTERNS = 40
LONGEST_PATTERN = 400
MOST_COLUMNS = 1000
_LONGEST = 2**16


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table that are translated, by their numbers from 0.

    Attributes:
        targets: where the translations of each go; -1: into the source's own place.
    """

    sources: tuple[int, ...]
    targets: tuple[int, ...]
    has_header: bool = False


@dataclass(frozen=True, slots=True)
class ReadingChoices:
    """Choices about one document.

    Attributes:
        columns: of a table; None: those that its names and letters suggest.
        placeholders: patterns of what stays as it is, see `anaphora_text.placeholders`.
    """

    columns: Columns | None = None
    placeholders: tuple[str, ...] = ()

    def to_text(self) -> str:
        """For a project file; empty if nothing was chosen."""
        said: dict[str, object] = {}
        if self.columns is not None:
            columns = self.columns
            said["columns"] = [[*columns.sources], [*columns.targets], columns.has_header]
        if self.placeholders:
            said["placeholders"] = [*self.placeholders]
        return json.dumps(said, ensure_ascii=False) if said else ""

    @classmethod
    def from_text(cls, text: str) -> ReadingChoices:
        """The inverse of `to_text`.

        Raises:
            ValueError: it is nothing of the kind.
        """
        if not text:
            return cls()
        try:
            said = read_json(text, _LONGEST)
            columns = said.get("columns")
            patterns = tuple(said.get("placeholders", ()))[:MOST_PATTERNS]
            if not all(isinstance(each, str) and len(each) <= LONGEST_PATTERN for each in patterns):
                raise ValueError("a pattern makes no sense")
            return cls(None if columns is None else _columns(columns), patterns)
        except (AttributeError, TypeError) as error:
            raise ValueError(f"choices make no sense: {error}") from error


AS_SUGGESTED = ReadingChoices()
"""Nothing was chosen."""


def _columns(said: list[list[int]]) -> Columns:
    sources, targets, has_header = said
    if not all(type(each) is int and -1 <= each < MOST_COLUMNS for each in (*sources, *targets)):
        raise ValueError("a column makes no sense")
    found = Columns(tuple(sources), tuple(targets), bool(has_header))
    own = [target for target in found.targets if target >= 0]
    are_twice = len({*found.sources}) < len(found.sources) or len({*own}) < len(own)
    if len(found.sources) != len(found.targets) or not found.sources or min(found.sources) < 0 or are_twice:
        raise ValueError("columns make no sense")
    return found
