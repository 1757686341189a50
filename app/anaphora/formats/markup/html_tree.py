"""HTML pages as libxml2 reads them, for what they show and the reader leaves as it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.errors import Message
from anaphora.formats.base import xml
from anaphora.formats.base.readings import NOTE as READINGS
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.markup.tokens import REFERENCE, unescape
from anaphora_text.protected import TEMPLATE

PROTECTED = frozenset(("code", "kbd", "samp", "tt", "math", "var"))
"""Elements that stand in sentences as they are."""
CLOSED = frozenset(("pre", "xmp", "listing", "plaintext"))
"""Blocks that stay as they are."""
_DECLARED = re.compile(r"<\?xml[^>]*\?>|<![A-Z][^>\[]*+(?:\[[^\]]*+\]?\s*+)?+>")
_CODE = Message("Code and formulas stay as they are; so many hold words to translate: {count}.")
_TEMPLATES = Message(
    "Code of templates stays as it is; so many places of it hold words to translate: {count}."
)
_SCRIPTS = Message("Scripts and styles stay as they are; so many hold words to translate: {count}.")


def left_out(tree: xml.Element | None, words: SourceWords, text: str = "") -> Counter[Message]:
    """What holds words of a page's language (see `read_tree`) and is not translated, how many of each.

    Args:
        text: its source, if it may be a template.
    """
    found = Counter({_TEMPLATES: sum(words.in_code(match.group()) for match in TEMPLATE.finditer(text))})
    if tree is not None:
        for note, elements in (
            (_CODE, _outermost(tree)),
            (_SCRIPTS, tree.iter("{*}script", "{*}style")),
        ):
            found[note] = sum(words.in_code("".join(each.itertext())) for each in elements)
        found[READINGS] = sum(words.in_text("".join(each.itertext())) for each in tree.iter("{*}rt"))
    return found


def read_tree(text: str, is_xml: bool) -> xml.Element | None:
    """The page as libxml2 reads it; None where it cannot."""
    text = _plain_references(text if is_xml else TEMPLATE.sub(" ", text))
    safe = {"no_network": True, "huge_tree": False, "remove_comments": True, "encoding": "utf-8"}
    if is_xml:
        parser = etree.XMLParser(resolve_entities=False, load_dtd=False, recover=True, **safe)
    else:
        parser = etree.HTMLParser(**safe)
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _outermost(tree: xml.Element) -> Iterator[xml.Element]:
    """The elements of code that stand in no other."""
    code = tuple(f"{{*}}{name}" for name in (*PROTECTED, *CLOSED))
    for element in tree.iter(*code):
        if next(element.iterancestors(*code), None) is None:
            yield element


def _plain_references(text: str) -> str:
    """A page without declarations (they may define entities), its references resolved.

    Those that stand for markup stay; those that stand for no character (`&#xD800;`) would trip libxml2.
    """
    text = _DECLARED.sub("", text)
    return REFERENCE.sub(_resolved, text)


def _resolved(match: re.Match[str]) -> str:
    text = unescape(match.group())
    return match.group() if text in "&<>\"'" else text
