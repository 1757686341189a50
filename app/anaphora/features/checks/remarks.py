"""Remarks of the checks about segments."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum


class RemarkKind(Enum):
    TAGS = "tags"
    NUMBERS = "numbers"
    TERMS = "terms"
    CONSISTENCY = "consistency"
    NAMES = "names"
    WORDING = "wording"
    LENGTH = "length"
    LEFT_OVER = "left over"
    ENGINE = "engine"


class Remark(str):
    """A warning in the user's language.

    Attributes:
        template: the check's message with placeholders for `values`; empty for the engine's remarks.
        values: the texts in the message. They may be followed by the full text of a shortened one, or by
            the fixes of a term: pairs of target words and their replacement.
    """

    kind: RemarkKind
    key: str
    template: str
    values: tuple[str, ...]

    def __new__(cls, text: str) -> Remark:
        """A remark whose key is its text."""
        new = super().__new__(cls, text)
        new.kind, new.key, new.template, new.values = RemarkKind.ENGINE, text, "", ()
        return new

    @classmethod
    def from_template(
        cls, kind: RemarkKind, localise: Callable[[str], str], template: str, values: tuple[str, ...]
    ) -> Remark:
        """A remark from a template, which `localise` translates into the user's language."""
        new = cls(localise(template).format(*values))
        new.kind, new.key, new.template, new.values = kind, template.format(*values), template, values
        return new

    def localised(self, localise: Callable[[str], str]) -> Remark:
        return self.from_template(self.kind, localise, self.template, self.values) if self.template else self

    @classmethod
    def of(cls, text: str) -> Remark:
        """A warning as a remark; returns a remark unchanged."""
        return text if isinstance(text, cls) else cls(text)
