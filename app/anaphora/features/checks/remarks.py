"""A remark of a check about a segment: a text for the reader with its kind."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum


class RemarkKind(Enum):
    """Kinds of remarks."""

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
    """A warning in the reader's language.

    Attributes:
        template: the check's text before `values` are put in; empty for what is not a check's.
        values: what the check names; after that the whole of a long text that is cut off in it, or what
            mends a term: words of the target and what is to stand there, in turns.
    """

    kind: RemarkKind
    key: str
    template: str
    values: tuple[str, ...]

    def __new__(cls, text: str) -> Remark:
        """A remark whose key is its text."""
        made = super().__new__(cls, text)
        made.kind, made.key, made.template, made.values = RemarkKind.ENGINE, text, "", ()
        return made

    @classmethod
    def made(
        cls, kind: RemarkKind, localise: Callable[[str], str], template: str, values: tuple[str, ...]
    ) -> Remark:
        """A remark made from a template, which `localise` gives in the reader's language."""
        made = cls(localise(template).format(*values))
        made.kind, made.key, made.template, made.values = kind, template.format(*values), template, values
        return made

    def said(self, localise: Callable[[str], str]) -> Remark:
        return self.made(self.kind, localise, self.template, self.values) if self.template else self

    @classmethod
    def of(cls, text: str) -> Remark:
        """A warning as a remark: as it is if it is one."""
        return text if isinstance(text, cls) else cls(text)
