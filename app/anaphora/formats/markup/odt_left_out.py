"""What an OpenDocument shows, or holds beside its text, and the reader leaves as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from anaphora.core.errors import Message
from anaphora.formats.base import remarks
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

_INDEXES = ("alphabetical-index-mark", "toc-mark", "user-index-mark")
_ATTRIBUTES = (
    (
        Message("Fields that a condition shows or hides keep their words: {count}."),
        (_TEXT + "hidden-text", _TEXT + "conditional-text"),
        [_TEXT + name for name in ("string-value", "string-value-if-true", "string-value-if-false")],
    ),
    (
        Message("Forms keep their labels: {count}."),
        (_FORM + "*",),
        [_FORM + name for name in ("label", "title", "value")],
    ),
    (
        Message("Hints of fields to fill in keep their words: {count}."),
        (_TEXT + "*",),
        [_TEXT + "description"],
    ),
    (
        Message("Entries of indexes keep their words: {count}."),
        [f"{_TEXT}{kind}{end}" for kind in _INDEXES for end in ("", "-start")],
        [_TEXT + name for name in ("string-value", "key1", "key2")],
    ),
)
"""Notes, and the elements and their attributes that hold what they count."""
_FIELDS = Message("Fields that the program fills stay as they are; so many show words: {count}.")


def left_out(roots: Iterable[Element], words: SourceWords) -> tuple[Message, ...]:
    """Sentences on what stays, for `Parsed.notes`."""
    found = Counter({_FIELDS: 0})
    for root in roots:
        formulas = ("".join(each.itertext()) for each in root.iter(_MATH))
        found[remarks.FORMULAS] += sum(map(words.in_code, formulas))
        for note, elements, names in _ATTRIBUTES:
            found[note] += sum(
                any(words.in_text(each.get(name, "")) for name in names) for each in root.iter(*elements)
            )
        for element in root.iter(_TEXT + "p", _TEXT + "h"):
            found[_FIELDS] += sum(map(words.in_text, _fields(element)))
    return remarks.counted(found.items())


def _fields(element: Element) -> Iterator[str]:
    """What the fields in a paragraph show."""
    for child in element:
        if child.tag in _SHOWN:
            yield from _fields(child)
        elif _is_field(child):
            yield child.text or ""


def _is_field(element: Element) -> bool:
    tag = element.tag
    return isinstance(tag, str) and tag.startswith(_TEXT) and tag not in _NO_FIELDS
