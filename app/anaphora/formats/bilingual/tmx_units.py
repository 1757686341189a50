"""Translation memories (.tmx) of any size as units for a memory, read and written as a stream.

What OmegaT, memoQ and Trados say about a unit beyond the standard is understood where it serves: neighbours
(`prev`, `next`; `x-context-pre`, `x-context-post`; `x-ContextContent`), the document (`file`, `x-document`,
`x-filename`). Written are the names of OmegaT.
"""

from __future__ import annotations

import calendar
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO
from xml.sax.saxutils import escape, quoteattr

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.limits import check_tags
from anaphora.formats.base.xml import XML_LANG, Element, clean, iterate, local_name
from anaphora.formats.bilingual.languages import UNDETERMINED, base_language, languages_of_file
from anaphora.formats.bilingual.tmx_inline import read_pair, written_text
from anaphora.translation_memory.units import Unit

_DATE = "%Y%m%dT%H%M%SZ"
_PREVIOUS = ("prev", "x-context-pre", "x-previous-source-text")
_FOLLOWING = ("next", "x-context-post", "x-next-source-text")
_TRADOS_CONTEXT = "x-ContextContent"
_ORIGIN = ("file", "x-document", "x-filename:MultipleString", "x-filename:SingleString")
_SEGMENT = re.compile(r"\s*<seg>(.*)</seg>\s*", re.DOTALL)
_CODE = re.compile(r"<(bpt|ept|ph|it|ut)\b[^<>]*(?<!/)>.*?</\1>|<[^<>]*>", re.DOTALL)

Progress = Callable[[int], None]
"""Called with the bytes that have been read."""


@dataclass(frozen=True, slots=True)
class TmxSurvey:
    """What a memory's file holds.

    Attributes:
        units: how many units.
        source_language: base language that is translated.
        target_language: base language of the translations.
    """

    units: int
    source_language: str
    target_language: str


def survey_tmx(
    path: Path, progress: Progress = lambda done: None, pair: LanguagePair = CHINESE_TO_ENGLISH
) -> TmxSurvey:
    """Count the units of a file and find out its languages.

    Args:
        pair: the project's languages.
    Raises:
        FormatError: it is no translation memory, damaged, cut off, or with entities of its own.
        OSError: it cannot be read.
    """
    languages: Counter[str] = Counter()
    units, default = 0, ""
    for element in _elements(path, ("header", "tu"), progress):
        if local_name(element) == "header":
            default = element.get("srclang") or ""
            continue
        units += 1
        languages.update(base_language(_language(tuv)) for tuv in _children(element, "tuv"))
    return TmxSurvey(units, *languages_of_file(languages, default, pair))


def read_tmx(path: Path, survey: TmxSurvey) -> Iterator[Unit | None]:
    """Each unit of a file; None for one without a text in both languages.

    Raises:
        FormatError, OSError: see `survey_tmx`.
    """
    for element in _elements(path, ("tu",), lambda done: None):
        yield _unit(element, survey, path.name)


def write_tmx(
    file: TextIO, units: Iterable[Unit], version: str, pair: LanguagePair = CHINESE_TO_ENGLISH
) -> int:
    """Write units as TMX 1.4; returns how many.

    Args:
        pair: what is said of units whose languages nobody knows.
    """
    file.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n'
    )
    file.write(
        f'  <header creationtool="Anaphora" creationtoolversion={quoteattr(version)} datatype="plaintext" '
        'segtype="sentence" adminlang="en" srclang="*all*" o-tmf="Anaphora"/>\n  <body>\n'
    )
    count = 0
    for unit in units:
        file.write(_written(unit, pair))
        count += 1
    file.write("  </body>\n</tmx>\n")
    return count


class _Counting:
    """A file that tells how much of it has been read."""

    def __init__(self, file: BinaryIO, progress: Progress) -> None:
        self._file = file
        self._progress = progress

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._progress(self._file.tell())
        return data


def _elements(path: Path, names: tuple[str, ...], progress: Progress) -> Iterator[Element]:
    with path.open("rb") as file:
        root, begun = "", 0
        for event, element in iterate(_Counting(file, progress)):
            if event == "start":
                begun += 1
                check_tags(begun)
            if not root:
                root = local_name(element)
                if root != "tmx":
                    raise FormatError(
                        Message(
                            "This is no translation memory: its outermost element is “{name}”.", name=root
                        ),
                        "Check that it is the file you meant, and open it with its own name.",
                    )
            if event == "end" and local_name(element) in names:
                begun = 0
                yield element
                element.clear()
                parent = element.getparent()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]


def _unit(element: Element, survey: TmxSurvey, file: str) -> Unit | None:
    variants = _children(element, "tuv")
    source = _variant(variants, survey.source_language)
    target = _variant(variants, survey.target_language)
    if source is None or target is None:
        return None
    source_text, target_text, marks = read_pair(_children(source, "seg")[0], _children(target, "seg")[0])
    if not source_text or not target_text:
        return None
    about = _About((element, source, target))
    return Unit(
        source_text,
        target_text,
        marks,
        _language(source),
        _language(target),
        about.date("creationdate"),
        about.date("changedate") or about.date("creationdate"),
        about.attribute("changeid") or about.attribute("creationid"),
        about.first(_ORIGIN) or file,
        about.previous(),
        about.neighbour(_FOLLOWING),
    )


class _About:
    """What a unit and its two variants say about it beside the texts."""

    def __init__(self, holders: tuple[Element, ...]) -> None:
        self._holders = holders
        self._props: dict[str, str] = {}
        for holder in holders:
            for prop in _children(holder, "prop"):
                self._props.setdefault(prop.get("type") or "", "".join(prop.itertext()))

    def first(self, names: tuple[str, ...]) -> str:
        """The first property of these names."""
        return next((found for name in names if (found := self._props.get(name, "").strip())), "")

    def attribute(self, name: str) -> str:
        """An attribute, of the target's variant before the unit's."""
        return next((found for holder in reversed(self._holders) if (found := holder.get(name))), "")

    def date(self, name: str) -> int:
        """The latest date of this name, in seconds since 1970."""
        return max((_seconds(holder.get(name) or "") for holder in self._holders), default=0)

    def neighbour(self, names: tuple[str, ...]) -> str | None:
        """The text of a neighbour, None where the file does not tell."""
        text = next((self._props[name] for name in names if name in self._props), None)
        if text is None:
            return None
        held = _SEGMENT.fullmatch(text)
        return _unescaped(_CODE.sub("", held[1])).strip() if held else text.strip()

    def previous(self) -> str | None:
        """The segment before; Trados names it with its translation: "source | target"."""
        text = self.neighbour(_PREVIOUS)
        if text is None and _TRADOS_CONTEXT in self._props:
            return self._props[_TRADOS_CONTEXT].partition(" | ")[0].strip()
        return text


def _variant(variants: list[Element], language: str) -> Element | None:
    return next(
        (
            tuv
            for tuv in variants
            if base_language(_language(tuv)) == language and len(_children(tuv, "seg")) == 1
        ),
        None,
    )


def _children(element: Element, name: str) -> list[Element]:
    return [child for child in element if local_name(child) == name]


def _language(tuv: Element) -> str:
    return tuv.get(XML_LANG) or tuv.get("lang") or ""


def _seconds(date: str) -> int:
    try:
        return max(calendar.timegm(time.strptime(date, _DATE)), 0)
    except ValueError:
        return 0


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


def _written(unit: Unit, pair: LanguagePair) -> str:
    lines = ["    <tu>"]
    named = (("file", unit.origin or None), ("prev", unit.previous), ("next", unit.following))
    lines += [
        f'      <prop type="{name}">{_escaped(text)}</prop>' for name, text in named if text is not None
    ]
    dates = "".join(
        f" {name}={quoteattr(clean(value))}"
        for name, value in (
            ("creationdate", _date(unit.created)),
            ("changedate", _date(unit.changed)),
            ("changeid", unit.author),
        )
        if value
    )
    for language, text, more in (
        (unit.source_language or pair.source_language.code or UNDETERMINED, unit.source, ""),
        (unit.target_language or pair.target_language.code or UNDETERMINED, unit.target, dates),
    ):
        segment = written_text(text, unit.marks)
        lines.append(f"      <tuv xml:lang={quoteattr(clean(language))}{more}>")
        lines.append(f"        <seg>{segment}</seg>\n      </tuv>")
    return "\n".join((*lines, "    </tu>\n"))


def _escaped(text: str) -> str:
    return escape(clean(text))


def _date(seconds: int) -> str:
    return time.strftime(_DATE, time.gmtime(seconds)) if seconds else ""
