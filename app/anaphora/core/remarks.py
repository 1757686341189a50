"""What a check says of a segment: a text for the reader that knows its kind."""

from __future__ import annotations

from enum import Enum


class RemarkKind(Enum):
    """What a remark is about."""

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
        kind: what it is about.
        key: the same in every language; what is dismissed is kept by it.
    """

    kind: RemarkKind
    key: str

    def __new__(cls, text: str, kind: RemarkKind = RemarkKind.ENGINE, key: str = "") -> Remark:
        """Of a plain text the text itself is the key."""
        made = super().__new__(cls, text)
        made.kind, made.key = kind, key or text
        return made

    @classmethod
    def of(cls, text: str) -> Remark:
        """A warning as a remark: as it is if it is one."""
        return text if isinstance(text, cls) else cls(text)
