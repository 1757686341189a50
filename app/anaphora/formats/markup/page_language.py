"""Change the declared language of a page or a book's package file: attributes, metadata, dc:language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from anaphora.formats.base.splicing import spliced
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.markup.tokens import Attribute, Token, TokenKind, attributes, tokens

_ROOTS = ("html", "package", "ncx", "svg")
_LOCALES = ("og:locale", "content-language", "language", "dc.language", "dcterms.language")
_BOOK_LANGUAGE = re.compile(r"(<(\w+:)language\b[^<>]*>\s*+)([^<>\s]*+)(?=\s*+</\2language\s*>)")
Change = tuple[int, int, str]


def with_language(text: str, is_xml: bool, target: TargetLanguage) -> str:
    """A translated page with the target's language declared.

    The root element of HTML always declares the language; other elements declare it if they declared the
    source's language and have no `translate` attribute.
    """
    changes: list[Change] = []
    waits_for_root = True
    for token in tokens(text, is_xml):
        if token.kind not in (TokenKind.OPEN, TokenKind.EMPTY):
            continue
        name = token.name.rpartition(":")[2].lower()
        if waits_for_root and name in _ROOTS:
            changes += _root_edits(text, token, name, is_xml, target)
        elif name == "meta":
            changes += _meta_edits(attributes(text, token), target)
        elif "lang" in text[token.start : token.end].lower():
            named = attributes(text, token)
            changes += _language_edits(named, target) if "translate" not in named else ()
        waits_for_root = False
    return spliced(text, changes)


def with_book_language(text: str, target: TargetLanguage) -> str:
    """A book's package file with the target's language in place of the source's or of the only language."""
    named = list(_BOOK_LANGUAGE.finditer(text))
    changes = [
        (match.start(3), match.end(3), target.tag)
        for match in named
        if target.replaces(match[3]) or (len(named) == 1 and (not match[3] or target.differs_from(match[3])))
    ]
    return spliced(text, changes)


def _root_edits(text: str, token: Token, name: str, is_xml: bool, target: TargetLanguage) -> Iterator[Change]:
    named = attributes(text, token)
    place = token.start + 1 + len(token.name)
    wanted = ("lang", "xml:lang") if is_xml and name == "html" else ("xml:lang",) if is_xml else ("lang",)
    if name == "html" and not any(each in named for each in ("lang", "xml:lang")):
        yield place, place, "".join(f' {each}="{target.tag}"' for each in wanted)
    for each in ("lang", "xml:lang"):
        if each in named and target.differs_from(named[each].value):
            yield named[each].start, named[each].end, target.tag
    if name == "html":
        yield from _direction_edits(named, place, target)


def _direction_edits(named: Mapping[str, Attribute], place: int, target: TargetLanguage) -> Iterator[Change]:
    direction = named.get("dir")
    if direction is None and target.is_right_to_left:
        yield place, place, ' dir="rtl"'
    elif direction is not None and direction.value.lower() in ("ltr", "rtl"):
        wanted = "rtl" if target.is_right_to_left else "ltr"
        if direction.value.lower() != wanted:
            yield direction.start, direction.end, wanted


def _meta_edits(named: Mapping[str, Attribute], target: TargetLanguage) -> Iterator[Change]:
    keys = (named[key].value.strip().lower() for key in ("property", "http-equiv", "name") if key in named)
    content = named.get("content")
    if content is not None and target.replaces(content.value) and any(key in _LOCALES for key in keys):
        yield content.start, content.end, target.spelled_like(content.value)


def _language_edits(named: Mapping[str, Attribute], target: TargetLanguage) -> Iterator[Change]:
    for name in ("lang", "xml:lang"):
        if name in named and target.replaces(named[name].value):
            yield named[name].start, named[name].end, target.tag
