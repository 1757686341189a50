"""Set the language and the fonts of an OpenDocument file; count the untranslated texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from anaphora.core.errors import Message
from anaphora.formats.base import xml
from anaphora.formats.base.opened import FORMULAS, with_counts
from anaphora.formats.base.target_language import ScriptGroup, SourceWords, TargetLanguage
from anaphora.formats.base.xml import Element

_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT = f"{{{_NAMESPACE}text:1.0}}"
_MATH = "{http://www.w3.org/1998/Math/MathML}math"
_FORM = f"{{{_NAMESPACE}form:1.0}}"
_INLINE_ELEMENTS = frozenset(
    _TEXT + name
    for name in (
        "span", "a", "meta", "meta-field", "ruby", "ruby-base", "placeholder", "text-input"
    )
)  # fmt: skip
_NO_FIELDS = frozenset(
    _TEXT + name for name in ("note", "ruby-text", "number", "p", "h", "list", "section", "tracked-changes")
)

_LABELS = Message("Form labels are not translated: {count}.")
_FORM_ATTRIBUTES = [_FORM + name for name in ("label", "title", "value")]
_FIELD_ATTRIBUTES = [
    _TEXT + name
    for name in (
        "string-value", "string-value-if-true", "string-value-if-false", "description", "key1", "key2",
    )
]  # fmt: skip
"""Attributes that may contain words, in conditional fields, fields to fill in and index entries."""
_FIELDS = Message("Automatic fields are not translated. Fields that contain text: {count}.")


def omission_notes(roots: Iterable[Element], words: SourceWords) -> tuple[Message, ...]:
    """Notes on untranslated texts, for `Opened.notes`."""
    counts = Counter({_FIELDS: 0})
    for root in roots:
        formulas = ("".join(each.itertext()) for each in root.iter(_MATH))
        counts[FORMULAS] += sum(map(words.in_code, formulas))
        counts[_LABELS] += len(_with_words(root.iter(_FORM + "*"), _FORM_ATTRIBUTES, words))
        fields = _with_words(root.iter(_TEXT + "*"), _FIELD_ATTRIBUTES, words)
        for element in root.iter(_TEXT + "p", _TEXT + "h"):
            fields.update(field for field in _fields(element) if words.in_text(field.text or ""))
        counts[_FIELDS] += len(fields)
    return with_counts(counts.items())


def _with_words(elements: Iterable[Element], names: Iterable[str], words: SourceWords) -> set[Element]:
    return {each for each in elements if any(words.in_text(each.get(name, "")) for name in names)}


def _fields(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag in _INLINE_ELEMENTS:
            yield from _fields(child)
        elif _is_field(child):
            yield child


def _is_field(element: Element) -> bool:
    tag = element.tag
    return isinstance(tag, str) and tag.startswith(_TEXT) and tag not in _NO_FIELDS


_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_LANGUAGE = "{http://purl.org/dc/elements/1.1/}language"
_ENDINGS = {ScriptGroup.LATIN: "", ScriptGroup.EAST_ASIAN: "-asian", ScriptGroup.COMPLEX: "-complex"}


def set_styles_language(root: xml.Element, target: TargetLanguage) -> bool:
    """Set the target's language in the styles of a part, and replace fonts that lack the target's letters.

    The languages of number and date formats stay, because they define the notation.
    Returns True if anything changed.
    """
    fonts = {
        face.get(_STYLE + "name", ""): face.get(_SVG + "font-family", "")
        for face in root.iter(_STYLE + "font-face")
    }
    changed = False
    for properties in root.iter(_STYLE + "text-properties"):
        style = properties.getparent()
        is_default = style is not None and style.tag == _STYLE + "default-style"
        before = dict(properties.attrib)
        _set_language(properties, is_default, target)
        _set_font(properties, fonts, target)
        changed |= dict(properties.attrib) != before
    return changed


def set_document_language(root: xml.Element, target: TargetLanguage) -> bool:
    """Replace the source's language in the document's properties; return True if anything changed."""
    changed = False
    for node in root.iter(_LANGUAGE):
        if target.replaces((node.text or "").strip()):
            node.text, changed = target.regional, True
    return changed


def _set_language(properties: xml.Element, is_default: bool, target: TargetLanguage) -> None:
    """Replace the source's language in a style by the target's; in a default style, set it in any case."""
    ending = _ENDINGS[target.script_group]
    # The attributes for Latin letters are in another namespace.
    language, country, script = (
        f"{_STYLE if ending else _FO}{part}{ending}" for part in ("language", "country", "script")
    )
    old = properties.get(language)
    is_missing = old in (None, "none")
    is_source = not is_missing and target.replaces(old)
    if not is_source and not (is_default and (is_missing or target.differs_from(old))):
        return
    base, *rest = target.regional.split("-")
    properties.set(language, base)
    properties.set(country, rest[-1] if rest else "none")
    for name in (script, f"{_STYLE}rfc-language-tag{ending}"):
        properties.attrib.pop(name, None)


def _set_font(properties: xml.Element, fonts: dict[str, str], target: TargetLanguage) -> None:
    ending = _ENDINGS[target.script_group]
    by_name, family = f"{_STYLE}font-name{ending}", f"{_FO if not ending else _STYLE}font-family{ending}"
    face = properties.get(by_name, "")
    new = target.font_for(fonts.get(face, face) or properties.get(family, ""))
    if new:
        properties.attrib.pop(by_name, None)
        properties.set(family, f"'{new}'" if " " in new else new)
