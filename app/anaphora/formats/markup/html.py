"""HTML pages: translations of texts and attributes are spliced at their offsets; broken markup stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.resources import files

from anaphora.core.errors import Message
from anaphora.core.notes import Note
from anaphora.core.structure import element_notes
from anaphora.formats.base.encoding import DecodedText, decode_declared
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.opened import Opened, with_counts
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import SourceWords, TargetLanguage
from anaphora.formats.markup.blocks import PagePart, find_runs
from anaphora.formats.markup.dialect import Dialect, Element, Role
from anaphora.formats.markup.page_language import with_language
from anaphora.formats.markup.texts import escape
from anaphora.formats.markup.tokens import Attribute, TokenKind, partners, tokens, unescape
from anaphora_text.protected import TEMPLATE

PROTECTED = frozenset(("code", "kbd", "samp", "tt", "math", "var"))
"""Inline elements whose content is not translated."""
CLOSED = frozenset(("pre", "xmp", "listing", "plaintext"))
"""Blocks that are not translated."""
_CODE = Message("Code and formulas are not translated. Places that contain text: {count}.")
_TEMPLATES = Message("Template code is not translated. Places that contain text: {count}.")
_SCRIPTS = Message("Scripts and styles are not translated. Places that contain text: {count}.")
_UNTRANSLATED = dict.fromkeys(PROTECTED | CLOSED, _CODE) | dict.fromkeys(("script", "style"), _SCRIPTS)


def omission_notes(pages: Iterable[str], is_xml: bool, words: SourceWords) -> tuple[Message, ...]:
    """Notes on untranslated code with words of the document's language; in XML, templates do not count."""
    counts = Counter({_TEMPLATES: 0, _CODE: 0})
    for text in pages:
        templates = () if is_xml else TEMPLATE.finditer(text)
        counts[_TEMPLATES] += sum(words.in_code(match.group()) for match in templates)
        read = tokens(text, is_xml)
        pairs = partners(read)
        done = 0
        for index, token in enumerate(read):
            note = _UNTRANSLATED.get(token.name.rpartition(":")[2].lower())
            if note is None or token.kind is not TokenKind.OPEN or index < done:
                continue
            done = pairs.get(index, index + 1)
            kinds = (TokenKind.TEXT, TokenKind.CDATA, *((TokenKind.OTHER,) if note is _SCRIPTS else ()))
            inner = (text[each.start : each.end] for each in read[index + 1 : done + 1] if each.kind in kinds)
            counts[note] += words.in_code(unescape("".join(inner)))
    return with_counts(counts.items())


_HIDDEN = ("script", "style", "noembed", "iframe")
_ELEMENTS = files("anaphora_resources").joinpath("html_elements.tsv").read_text("utf-8").splitlines()
_ROLES = {
    **{
        name: Role(role) for role, names in (line.split("\t") for line in _ELEMENTS) for name in names.split()
    },
    **dict.fromkeys(PROTECTED, Role.PROTECTED),
    **dict.fromkeys(CLOSED, Role.CLOSED),
}
_LABELS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underlined", "s": "struck out",
    "del": "struck out", "ins": "inserted", "a": "link", "img": "picture", "code": "code", "kbd": "key",
    "sub": "subscript", "sup": "superscript", "mark": "highlighted", "small": "small", "math": "formula",
    "input": "field", "svg": "drawing",
}  # fmt: skip
_NOTES = {"title": "Title of the page", "option": "A choice in a list", "text": "Text in a drawing"}
_TRANSLATABLE = {
    "alt": "Alternative text of a picture",
    "title": "Tooltip",
    "xlink:title": "Tooltip",
    "placeholder": "Hint in an empty field",
    "aria-label": "Label for screen readers",
    "aria-description": "Description for screen readers",
    "aria-roledescription": "Description for screen readers",
    "aria-placeholder": "Hint in an empty field",
    "aria-valuetext": "Value for screen readers",
}
_SPOKEN_FORMULA = re.compile(r"[^\W\d_a-zA-Z]|(?<![a-zA-Z])[a-zA-Z]{3,}+\s++[a-zA-Z]{2}")
"""Matches a description of a formula in words, but not a formula's code."""
_META = re.compile(
    r"description|keywords|subject|(?:og|twitter):(?:title|description|site_name|image:alt)|application-name"
    r"|apple-mobile-web-app-title",
    re.IGNORECASE,
)
_LINE_BREAKS = {
    "textarea": "\n", "title": " ", "option": " ", "select": " ", "datalist": " ", "svg": " ",
    "text": " ", "desc": " ",
}  # fmt: skip
"""The text that replaces a translation's line breaks in elements that must not contain `<br>`."""
_ALTERNATIVES = {
    "gb2312": ("gbk", "gb18030"),
    "gbk": ("gbk", "gb18030"),
    "big5": ("big5", "big5hkscs"),
    "iso8859-1": ("cp1252", "iso8859-1"),
}
"""The encodings that browsers use in place of a declared one, see `decode_declared`."""


class HtmlDialect(Dialect):
    text_anywhere = True
    codes = TEMPLATE

    def __init__(self, is_xml: bool = False) -> None:
        self.is_xml = is_xml

    def role(self, element: Element) -> Role:
        name = self._name(element)
        role = _ROLES.get(name, Role.INLINE)
        if name in ("html", "body", *_HIDDEN) or not _is_protected(element.attributes()):
            return role
        return Role.CLOSED if role in (Role.BLOCK, Role.CLOSED) else Role.PROTECTED

    def label(self, element: Element) -> str:
        name = self._name(element)
        return _LABELS.get(name, name)

    def note(self, element: Element) -> str:
        if self._name(element) == "title" and self._local(element.holder) == "svg":
            return "Title of a picture"
        return _NOTES.get(self._name(element), "")

    def attribute_texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        attributes = element.attributes()
        if not attributes or _is_protected(attributes):
            return
        for name, note in _TRANSLATABLE.items():
            if name in attributes:
                yield attributes[name], note
        formula = unescape(attributes["alttext"].value) if "alttext" in attributes else "\\"
        if "\\" not in formula and _SPOKEN_FORMULA.search(formula):
            yield attributes["alttext"], "Alternative text of a formula"
        yield from _special_attributes(self._name(element), attributes)

    def structure(self, element: Element, ancestors: Sequence[str]) -> tuple[Note, ...]:
        return element_notes(self._name(element))

    def to_source(self, text: str, entities: dict[str, str], holder: str) -> str:
        name = self._local(holder)
        line_break = _LINE_BREAKS.get(name, "<br/>" if self.is_xml else "<br>")
        return line_break.join(escape(text, entities).split("\n"))

    def _name(self, element: Element) -> str:
        return self._local(element.name)

    def _local(self, name: str) -> str:
        return name.rpartition(":")[2].lower() if self.is_xml else name


class Html:
    name = "html"
    label = "HTML page"
    extensions: tuple[str, ...] = (".html", ".htm", ".xhtml")

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        decoded = decode_html(data, options.language, options.encoding)
        dialect = dialect_of(decoded.text)
        page = PagePart("", decoded, dialect, find_runs(decoded.text, dialect))

        def fill(fillings: Fillings) -> bytes:
            return page.fill(fillings) or data

        blocks, words = tuple(run.block() for run in page.runs), SourceWords(options.language)
        notes = partial(omission_notes, [decoded.text], dialect.is_xml, words)
        return Opened(lambda: blocks, fill, notes, decoded.encoding)

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        decoded = decode_html(data, options.language, options.encoding)
        return decoded.encode_markup(with_language(decoded.text, dialect_of(decoded.text).is_xml, target))


def decode_html(data: bytes, language: str = "", recorded: str = "") -> DecodedText:
    """Decode a page by its byte order mark or declaration, or else like any text file."""
    return decode_declared(data, language, recorded, alternatives=_ALTERNATIVES)


def dialect_of(text: str) -> HtmlDialect:
    """The dialect of a page: XML for a page that begins with an XML declaration; otherwise HTML."""
    return HtmlDialect(text.lstrip("\ufeff").startswith("<?xml"))


def _is_protected(attributes: Mapping[str, Attribute]) -> bool:
    is_declared = "translate" in attributes and attributes["translate"].value.strip().lower() == "no"
    return is_declared or ("class" in attributes and "notranslate" in attributes["class"].value.split())


def _special_attributes(name: str, attributes: Mapping[str, Attribute]) -> Iterable[tuple[Attribute, str]]:
    if name == "meta":
        key = attributes.get("name") or attributes.get("property") or attributes.get("itemprop")
        if key is not None and "content" in attributes and _META.fullmatch(unescape(key.value).strip()):
            yield attributes["content"], f"{key.value.strip().capitalize()} of the page"
    elif name == "input":
        kind = attributes["type"].value.strip().lower() if "type" in attributes else ""
        if "value" in attributes and kind in ("submit", "button", "reset"):
            yield attributes["value"], "Label of a button"
    elif name in ("option", "optgroup", "track") and "label" in attributes:
        yield attributes["label"], "Label of a choice"


FORMAT = Html()
