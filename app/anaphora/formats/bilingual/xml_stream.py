"""Elements of large XML files, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.long_work import Step
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.limits import check_tags
from anaphora.formats.base.xml import XML_LANG, Element, empty, iterate, local_name

_STEP = 500
"""Elements between two steps."""


def elements(
    path: Path, names: tuple[str, ...], step: Step, roots: tuple[str, ...], refusal: str
) -> Iterator[Element]:
    """Each element with one of the names; it is emptied before the next one is read.

    Args:
        step: receives the progress; an exception that it raises stops the reading.
        roots: allowed names of the root element; `refusal` is the error message for others.
    Raises:
        FormatError: another root element; damaged, incomplete, or with its own entities.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        begun, size = 0, path.stat().st_size
        for number, (event, element) in enumerate(iterate(file)):
            if number % _STEP == 0:
                step(min(file.tell() / size, 1.0))
            if number == 0 and local_name(element) not in roots:
                raise FormatError(
                    Message(refusal, name=local_name(element)),
                    "Check that this is the right file and that its extension is correct.",
                )
            begun += event == "start"
            check_tags(begun)
            if event == "end" and local_name(element) in names:
                begun = 0
                yield element
                empty(element)


def children(element: Element, *names: str) -> list[Element]:
    return [child for child in element if local_name(child) in names]


def language_in(element: Element) -> str:
    """The language tag of an element, as spelled in the file."""
    return element.get(XML_LANG) or element.get("lang") or ""
