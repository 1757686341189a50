"""Markdown's dialects: CommonMark with common extensions, and hooks for other dialects."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, emphasis, strikethrough
from markdown_it.token import Token

from anaphora.core.long_work import check_cancelled
from anaphora.formats.text.markdown_masks import mask
from anaphora_text.han import ALL_HAN
from anaphora_text.punctuation import WIDE_FORMS

_WITHIN_BLOCKS = ("paragraph", "reference", "blockquote", "list")
"""Blocks whose end the parser finds by testing the rules on each line."""
WIDE = re.compile(rf"[\u2018-\u201f\u2026{WIDE_FORMS}{ALL_HAN}]")


class Value(NamedTuple):
    """The words of an attribute of a tag: their row, their offsets in the line, and the attribute's name."""

    row: int
    start: int
    end: int
    key: str


class Code(NamedTuple):
    """A text in which code is masked (its length and lines stay), and the words of its tags' attributes."""

    text: str
    values: Sequence[Value] = ()


class MarkdownDialect:
    """CommonMark with tables, strikethrough and masked extensions.

    Attributes:
        disabled_rules: rules of the parser that the dialect does not have.
        special: characters that may be markup in a new text.
        references: the link definitions of the parsed texts.
    """

    disabled_rules: tuple[str, ...] = ()
    special = re.compile(r"([\\`*_\[\]<>~&!$]|\{(?=[ ]?[#.]|[:{%]))")

    def __init__(self) -> None:
        # Without text_join, escapes stay separate tokens.
        self._parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("text_join")
        self._parser.block.ruler.before("table", "cancel", _check_cancelled, {"alt": list(_WITHIN_BLOCKS)})
        for name, rule in (("emphasis", emphasis.tokenize), ("strikethrough", strikethrough.tokenize)):
            self._parser.inline.ruler.at(name, partial(_emphasis, rule))
        self._parser.inline.ruler.before("newline", "cancel", _check_cancelled)
        self._parser.inline.ruler2.push("cancel", lambda _: check_cancelled())
        self._parser.disable(list(self.disabled_rules))
        self.references: dict[str, Any] = {}

    def code(self, text: str) -> Code:
        """Mask the code in a whole text, before its blocks are parsed."""
        return Code(mask(text))

    def parse(self, text: str) -> Sequence[Token]:
        return self._parser.parse(text, self.references)

    def parse_inline(self, text: str) -> Sequence[Token]:
        """The inline tokens of a masked text."""
        return self._parser.parseInline(text, dict(self.references))[0].children or []

    def mask_inline(self, text: str) -> str:
        """Mask the code in the text of one block."""
        return mask(text)

    def escape(self, text: str) -> str:
        """Escape a new text so that nothing in it is markup."""
        return self.special.sub(r"\\\1", text)

    def escape_code(self, text: str) -> str:
        """Escape only the characters of a new text that always begin code in the dialect."""
        return text


def _check_cancelled(*_: object) -> bool:
    """A rule of the parser that matches nothing; it stops cancelled work."""
    check_cancelled()
    return False


def _emphasis(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """A rule of the parser that needs no spaces around bold text, or around emphasis beside wide characters.

    In CommonMark, `**` cannot open emphasis between a letter and punctuation, nor close it between
    punctuation and a letter. Chinese has no spaces at these places: `使用**“甲”**和**“乙”**`.
    """
    start, delimiter_count = state.pos, len(state.delimiters)
    matched = rule(state, silent)
    before, after = state.src[max(start - 1, 0) : start], state.src[state.pos : state.pos + 1]
    is_accepted = state.pos - start == 2 or WIDE.match(before) or WIDE.match(after)
    if matched and is_accepted and state.src[start] != "_":
        for each in state.delimiters[delimiter_count:]:
            each.open, each.close = bool(after.strip()), bool(before.strip())
    return matched
