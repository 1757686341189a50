"""Count the texts of an OpenDocument file that are not translated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from anaphora.core.errors import Message
from anaphora.formats.base.opened import FORMULAS, counted
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element

_SPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT = f"{{{_SPACE}text:1.0}}"
_MATH = "{http://www.w3.org/1998/Math/MathML}math"
_FORM = f"{{{_SPACE}form:1.0}}"
_SHOWN = frozenset(
    _TEXT + name
    for name in (
        "span", "a", "meta", "meta-field", "ruby", "ruby-base", "placeholder", "text-input"
    )
)  # fmt: skip
_NO_FIELDS = frozenset(
    _TEXT + name for name in ("note", "ruby-text", "number", "p", "h", "list", "section", "tracked-changes")
)

_LABELS = Message("Labels of forms are not translated: {count}.")
_FORM_ATTRIBUTES = [_FORM + name for name in ("label", "title", "value")]
_FIELD_ATTRIBUTES = [
    _TEXT + name
    for name in (
        "string-value", "string-value-if-true", "string-value-if-false", "description", "key1", "key2",
    )
]  # fmt: skip
"""Attributes with words, of conditional fields, fields to fill in, and index entries."""
_FIELDS = Message("Automatic fields are not translated. Fields that contain text: {count}.")


def left_out(roots: Iterable[Element], words: SourceWords) -> tuple[Message, ...]:
    """Notes on untranslated texts, for `Opened.notes`."""
    found = Counter({_FIELDS: 0})
    for root in roots:
        formulas = ("".join(each.itertext()) for each in root.iter(_MATH))
        found[FORMULAS] += sum(map(words.in_code, formulas))
        found[_LABELS] += len(_with_words(root.iter(_FORM + "*"), _FORM_ATTRIBUTES, words))
        fields = _with_words(root.iter(_TEXT + "*"), _FIELD_ATTRIBUTES, words)
        for element in root.iter(_TEXT + "p", _TEXT + "h"):
            fields.update(field for field in _fields(element) if words.in_text(field.text or ""))
        found[_FIELDS] += len(fields)
    return counted(found.items())


def _with_words(elements: Iterable[Element], names: Iterable[str], words: SourceWords) -> set[Element]:
    return {each for each in elements if any(words.in_text(each.get(name, "")) for name in names)}


def _fields(element: Element) -> Iterator[Element]:
    """The fields in a paragraph."""
    for child in element:
        if child.tag in _SHOWN:
            yield from _fields(child)
        elif _is_field(child):
            yield child


def _is_field(element: Element) -> bool:
    tag = element.tag
    return isinstance(tag, str) and tag.startswith(_TEXT) and tag not in _NO_FIELDS
