"""Count the words that an OpenDocument part shows, whatever the reader makes of them: a walk over its tree.

What fields show is counted even where it is not offered, so that the two counts differ where something is
left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from anaphora.core.errors import Message
from anaphora.formats.base import remarks
from anaphora.formats.base.readings import NOTE as READINGS
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element

_SPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT = f"{{{_SPACE}text:1.0}}"
_OFFICE = f"{{{_SPACE}office:1.0}}"
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

_UNSHOWN = ("string-value", "string-value-if-true", "string-value-if-false")
_INDEXES = ("alphabetical-index-mark", "toc-mark", "user-index-mark")


def left_out(roots: Iterable[Element], words: SourceWords) -> tuple[Message, ...]:
    """Sentences on what the document shows and the reader leaves as it is, for `Parsed.notes`."""
    fields = forms = marks = readings = hidden = formulas = hints = 0
    for root in roots:
        formulas += sum(words.in_code("".join(each.itertext())) for each in root.iter(_MATH))
        for reading in root.iter(_TEXT + "ruby-text"):
            readings += words.in_text("".join(reading.itertext()))
        hidden += sum(
            any(words.in_text(field.get(_TEXT + name, "")) for name in _UNSHOWN)
            for field in root.iter(_TEXT + "hidden-text", _TEXT + "conditional-text")
        )
        hints += sum(words.in_text(field.get(_TEXT + "description", "")) for field in root.iter(_TEXT + "*"))
        for element in root.iter(_TEXT + "p", _TEXT + "h"):
            fields += sum(map(words.in_text, _fields(element)))
        marks += sum(
            any(words.in_text(mark.get(_TEXT + name, "")) for name in ("string-value", "key1", "key2"))
            for mark in root.iter(*(f"{_TEXT}{kind}{end}" for kind in _INDEXES for end in ("", "-start")))
        )
        for forms_of_page in root.iter(_OFFICE + "forms"):
            forms += sum(
                any(words.in_text(control.get(_FORM + name, "")) for name in ("label", "title", "value"))
                for control in forms_of_page.iter("{*}*")
            )
    found: Mapping[Message, int] = {
        Message("Fields that the program fills stay as they are; so many show words: {count}."): fields,
        Message("Fields that a condition shows or hides keep their words: {count}."): hidden,
        READINGS: readings,
        Message("Forms keep their labels: {count}."): forms,
        Message("Hints of fields to fill in keep their words: {count}."): hints,
        remarks.FORMULAS: formulas,
        Message("Entries of indexes keep their words: {count}."): marks,
    }
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
