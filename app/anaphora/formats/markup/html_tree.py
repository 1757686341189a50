"""HTML pages as libxml2 reads them: for counting, and for what they show and the reader leaves as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.errors import Message
from anaphora.formats.base import remarks, xml
from anaphora.formats.base.readings import NOTE as READINGS
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.markup.tokens import REFERENCE, unescape
from anaphora_text.protected import TEMPLATE

PROTECTED = frozenset(("code", "kbd", "samp", "tt", "math", "var"))
"""Elements that stand in sentences as they are."""
CLOSED = frozenset(("pre", "xmp", "listing", "plaintext"))
"""Blocks that stay as they are."""
_DECLARED = re.compile(r"<\?xml[^>]*\?>|<![A-Z][^>\[]*+(?:\[[^\]]*+\]?\s*+)?+>")
_FIELDS = ("", "text", "search")
_OLD_BROWSERS = re.compile(r"<!--\[if[^\]>]{0,200}\]>")
_FOR_SCRIPTS = ("data-", "on", ":", "@", "v-", "x-", "ng-", "th:")
"""Attributes that a script or a template reads begin so."""
_NOTES = (
    Message(
        "Preformatted text (code) stays as it is; so many blocks of it hold words to translate: {count}."
    ),
    Message("Code and formulas in sentences stay as they are; so many hold words to translate: {count}."),
    Message("What stands in the fields of forms stays as it is; so many hold words to translate: {count}."),
    Message("Pages within the page (iframes) stay as they are; so many hold words to translate: {count}."),
    Message("Code of templates stays as it is; so many places of it hold words to translate: {count}."),
    READINGS,
    Message(
        "Scripts, styles and comments for old browsers stay as they are; so many hold words to translate: "
        "{count}."
    ),
    Message("Attributes for scripts stay as they are; so many hold words to translate: {count}."),
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What holds words of the page's language and is not translated, how many of each.

    Attributes:
        blocks: preformatted text. code: in sentences. values: of fields to type in. pages: within the page.
        templates: code of templates. readings: beside the letters of a ruby. scripts: styles, too, and
            comments that only old browsers show. attributes: that scripts and templates read.
    """

    blocks: int = 0
    code: int = 0
    values: int = 0
    pages: int = 0
    templates: int = 0
    readings: int = 0
    scripts: int = 0
    attributes: int = 0

    def __add__(self, other: LeftOut) -> LeftOut:
        return LeftOut(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    def notes(self) -> tuple[Message, ...]:
        """Sentences on them for `Parsed.notes`."""
        return remarks.counted(zip(_NOTES, astuple(self), strict=True))


def left_out(tree: xml.Element | None, words: SourceWords, text: str = "") -> LeftOut:
    """What a page leaves as it is (see `read_tree`).

    Args:
        text: its source, if it may be a template.
    """
    templates = sum(words.in_code(match.group()) for match in TEMPLATE.finditer(text))
    if tree is None:
        return LeftOut(templates=templates)
    return LeftOut(
        sum(words.in_code("".join(block.itertext())) for block in _outermost(tree, CLOSED)),
        sum(words.in_code("".join(code.itertext())) for code in _outermost(tree, PROTECTED)),
        sum(
            field.get("type", "").strip().lower() in _FIELDS and words.in_text(field.get("value", ""))
            for field in tree.iter("{*}input")
        ),
        sum(words.in_markup(frame.get("srcdoc", "")) for frame in tree.iter("{*}iframe")),
        templates,
        sum(words.in_text("".join(reading.itertext())) for reading in tree.iter("{*}rt")),
        sum(words.in_code(script.text or "") for script in tree.iter("{*}script", "{*}style"))
        + sum(map(words.in_code, _for_old_browsers(text))),
        sum(
            name.startswith(_FOR_SCRIPTS) and words.in_code(value)
            for element in tree.iter("{*}*")
            for name, value in element.items()
        ),
    )


def _for_old_browsers(text: str) -> Iterator[str]:
    """What stands in comments that have a condition."""
    done = 0
    for start in _OLD_BROWSERS.finditer(text):
        if start.start() >= done:
            end = text.find("-->", start.end())
            done = end if end >= 0 else len(text)
            yield text[start.end() : done]


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


def _outermost(tree: xml.Element, names: frozenset[str]) -> Iterator[xml.Element]:
    """The elements of these names that stand in no code."""
    code = tuple(f"{{*}}{name}" for name in (*PROTECTED, *CLOSED))
    for element in tree.iter(*(f"{{*}}{name}" for name in names)):
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
