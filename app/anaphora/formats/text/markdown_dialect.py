"""Markdown's dialects: CommonMark as people write it, and what another one has otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, emphasis, strikethrough
from markdown_it.token import Token

from anaphora.core.long_work import go_on
from anaphora.formats.text.markdown_masks import mask
from anaphora_text.han import ALL_HAN
from anaphora_text.punctuation import WIDE_FORMS

_WITHIN_BLOCKS = ("paragraph", "reference", "blockquote", "list")
"""Blocks in which the parser tries, line by line, the possible ends."""
WIDE = re.compile(rf"[\u2018-\u201f\u2026{WIDE_FORMS}{ALL_HAN}]")


class Value(NamedTuple):
    """The words of an attribute: where they stand in their line, and its name."""

    row: int
    start: int
    end: int
    key: str


class Code(NamedTuple):
    """A text without code, as long as before and with the same lines, and the attributes that hold words."""

    text: str
    values: Sequence[Value] = ()


class MarkdownDialect:
    """CommonMark with tables, strikethrough and what is masked.

    Attributes:
        without: rules of the parser that do not hold.
        special: what may be markup in a new text.
    """

    without: tuple[str, ...] = ()
    special = re.compile(r"([\\`*_\[\]<>~&!$]|\{(?=[ ]?[#.]|[:{%]))")

    def __init__(self) -> None:
        # Escapes stay tokens of their own.
        self._parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("text_join")
        self._parser.block.ruler.before("table", "go_on", _go_on, {"alt": list(_WITHIN_BLOCKS)})
        for name, rule in (("emphasis", emphasis.tokenize), ("strikethrough", strikethrough.tokenize)):
            self._parser.inline.ruler.at(name, partial(_emphasis, rule))
        self._parser.inline.ruler.before("newline", "go_on", _go_on)
        self._parser.inline.ruler2.push("go_on", lambda _: go_on())
        self._parser.disable(list(self.without))
        self.references: dict[str, Any] = {}

    def code(self, text: str) -> Code:
        return Code(mask(text))

    def parse(self, text: str) -> Sequence[Token]:
        return self._parser.parse(text, self.references)

    def parsed(self, text: str) -> Sequence[Token]:
        """The inline tokens of a masked text."""
        return self._parser.parseInline(text, dict(self.references))[0].children or []

    def masked(self, text: str) -> str:
        return mask(text)

    def escaped(self, text: str) -> str:
        """A new text in which nothing is markup."""
        return self.special.sub(r"\\\1", text)

    def safe(self, text: str) -> str:
        """A new text in which nothing is code."""
        return text


def _go_on(*_: object) -> bool:
    """A rule of the parser's that finds nothing."""
    go_on()
    return False


def _emphasis(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """A rule of the parser's, which reads emphasis beside wide characters and bold as their authors mean it.

    CommonMark takes `**` between punctuation and a letter for one that cannot open, or cannot close. Chinese
    writes no space there: `使用**“甲”**和**“乙”**`.
    """
    start, known = state.pos, len(state.delimiters)
    found = rule(state, silent)
    before, after = state.src[max(start - 1, 0) : start], state.src[state.pos : state.pos + 1]
    is_meant = state.pos - start == 2 or WIDE.match(before) or WIDE.match(after)
    if found and is_meant and state.src[start] != "_":
        for each in state.delimiters[known:]:
            each.open, each.close = bool(after.strip()), bool(before.strip())
    return found
