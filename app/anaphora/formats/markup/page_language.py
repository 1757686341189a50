"""Declare the target's language in a page, or in the package file of an EPUB book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from anaphora.formats.base.splicing import spliced
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.markup.tokens import Attribute, Token, TokenKind, attributes, tokens

_ROOTS = ("html", "package", "ncx", "svg")
"""Names of root elements that declare the language of a file."""
_LOCALES = ("og:locale", "content-language", "language", "dc.language", "dcterms.language")
_BOOK_LANGUAGE = re.compile(r"(<(\w+:)language\b[^<>]*>\s*+)([^<>\s]*+)(?=\s*+</\2language\s*>)")
Change = tuple[int, int, str]


def with_language(text: str, is_xml: bool, target: TargetLanguage) -> str:
    """A translated page with the target's language declared.

    In a root element (`_ROOTS`), the target's language replaces any other language. A root `html` without a
    language gets it too, and every root `html` gets the right text direction. In metadata (`_LOCALES`) and in
    other elements without a `translate` attribute, the target's language replaces only the source's.
    """
    changes: list[Change] = []
    is_first_element = True
    for token in tokens(text, is_xml):
        if token.kind not in (TokenKind.OPEN, TokenKind.EMPTY):
            continue
        name = token.name.rpartition(":")[2].lower()
        if is_first_element and name in _ROOTS:
            changes += _root_edits(text, token, name, is_xml, target)
        elif name == "meta":
            changes += _meta_edits(attributes(text, token), target)
        elif "lang" in text[token.start : token.end].lower():
            by_name = attributes(text, token)
            changes += _language_edits(by_name, target) if "translate" not in by_name else ()
        is_first_element = False
    return spliced(text, changes)


def with_book_language(text: str, target: TargetLanguage) -> str:
    """Replace the source's language, or the only declared one, in a book's package file by the target's."""
    tags = list(_BOOK_LANGUAGE.finditer(text))
    changes = [
        (match.start(3), match.end(3), target.tag)
        for match in tags
        if target.replaces(match[3]) or (len(tags) == 1 and (not match[3] or target.differs_from(match[3])))
    ]
    return spliced(text, changes)


def _root_edits(text: str, token: Token, name: str, is_xml: bool, target: TargetLanguage) -> Iterator[Change]:
    by_name = attributes(text, token)
    position = token.start + 1 + len(token.name)
    wanted = ("lang", "xml:lang") if is_xml and name == "html" else ("xml:lang",) if is_xml else ("lang",)
    if name == "html" and not any(each in by_name for each in ("lang", "xml:lang")):
        yield position, position, "".join(f' {each}="{target.tag}"' for each in wanted)
    for each in ("lang", "xml:lang"):
        if each in by_name and target.differs_from(by_name[each].value):
            yield by_name[each].start, by_name[each].end, target.tag
    if name == "html":
        yield from _direction_edits(by_name, position, target)


def _direction_edits(
    by_name: Mapping[str, Attribute], position: int, target: TargetLanguage
) -> Iterator[Change]:
    direction = by_name.get("dir")
    if direction is None and target.is_right_to_left:
        yield position, position, ' dir="rtl"'
    elif direction is not None and direction.value.lower() in ("ltr", "rtl"):
        wanted = "rtl" if target.is_right_to_left else "ltr"
        if direction.value.lower() != wanted:
            yield direction.start, direction.end, wanted


def _meta_edits(by_name: Mapping[str, Attribute], target: TargetLanguage) -> Iterator[Change]:
    keys = (
        by_name[key].value.strip().lower() for key in ("property", "http-equiv", "name") if key in by_name
    )
    content = by_name.get("content")
    if content is not None and target.replaces(content.value) and any(key in _LOCALES for key in keys):
        yield content.start, content.end, target.spelled_like(content.value)


def _language_edits(by_name: Mapping[str, Attribute], target: TargetLanguage) -> Iterator[Change]:
    for name in ("lang", "xml:lang"):
        if name in by_name and target.replaces(by_name[name].value):
            yield by_name[name].start, by_name[name].end, target.tag
