"""What a page shows, or holds beside its text, and the reader leaves as it is."""

from __future__ import annotations

from collections import Counter

from anaphora.core.errors import Message
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.markup.tokens import TokenKind, partners, tokens, unescape
from anaphora_text.protected import TEMPLATE

PROTECTED = frozenset(("code", "kbd", "samp", "tt", "math", "var"))
"""Elements that stand in sentences as they are."""
CLOSED = frozenset(("pre", "xmp", "listing", "plaintext"))
"""Blocks that stay as they are."""
_CODE = Message("Code and formulas stay as they are; so many hold words to translate: {count}.")
_TEMPLATES = Message(
    "Code of templates stays as it is; so many places of it hold words to translate: {count}."
)
_SCRIPTS = Message("Scripts and styles stay as they are; so many hold words to translate: {count}.")
_LEFT = dict.fromkeys(PROTECTED | CLOSED, _CODE) | dict.fromkeys(("script", "style"), _SCRIPTS)


def left_out(text: str, is_xml: bool, words: SourceWords) -> Counter[Message]:
    """What holds words of a page's language and is not translated, how many of each."""
    templates = () if is_xml else TEMPLATE.finditer(text)
    found = Counter({_TEMPLATES: sum(words.in_code(match.group()) for match in templates), _CODE: 0})
    read = tokens(text, is_xml)
    pairs = partners(read)
    done = 0
    for index, token in enumerate(read):
        note = _LEFT.get(token.name.rpartition(":")[2].lower())
        if note is None or token.kind is not TokenKind.OPEN or index < done:
            continue
        done = pairs.get(index, index + 1)
        shown = (TokenKind.TEXT, TokenKind.CDATA, *((TokenKind.OTHER,) if note is _SCRIPTS else ()))
        inner = (text[each.start : each.end] for each in read[index + 1 : done + 1] if each.kind in shown)
        found[note] += words.in_code(unescape("".join(inner)))
    return found
