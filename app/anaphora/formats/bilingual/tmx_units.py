"""Import and export of translation memories (.tmx) of any size, as a stream of units.

Some properties that OmegaT, memoQ and Trados add to the standard are read: neighbouring segments
(`prev`, `next`; `x-context-pre`, `x-context-post`; `x-ContextContent`) and the document (`file`,
`x-document`, `x-filename`). Exports use OmegaT's property names.
"""

from __future__ import annotations

import calendar
import html
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO
from xml.sax.saxutils import quoteattr

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, no_step
from anaphora.core.matching import Unit
from anaphora.core.tags import MARK, closes, opens, partner
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.xml import Element, children, clean, elements, escaped, language_in, local_name
from anaphora.formats.bilingual.languages import UNDETERMINED, base_language, languages_of_file, variants
from anaphora.formats.bilingual.tmx import INLINE, WRONG_ROOT
from anaphora.formats.bilingual.units import make_unit, marks_in
from anaphora.formats.bilingual.xml_inline import key_of, pieces_of
from anaphora.formats.bilingual.xml_text import XmlText

_DATE = "%Y%m%dT%H%M%SZ"
_PREVIOUS = ("prev", "x-context-pre", "x-previous-source-text")
_FOLLOWING = ("next", "x-context-post", "x-next-source-text")
_TRADOS_CONTEXT = "x-ContextContent"
_ORIGIN = ("file", "x-document", "x-filename:MultipleString", "x-filename:SingleString")
_SEGMENT = re.compile(r"\s*<seg>(.*)</seg>\s*", re.DOTALL)
_CODE = re.compile(r"<(bpt|ept|ph|it|ut)\b[^<>]*(?<!/)>.*?</\1>|<[^<>]*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TmxSurvey:
    """The number of a file's units, the base languages to read, and the variants to prefer (`pair`)."""

    units: int
    source_language: str
    target_language: str
    pair: LanguagePair = CHINESE_TO_ENGLISH


def survey_tmx(path: Path, step: Step = no_step, pair: LanguagePair = CHINESE_TO_ENGLISH) -> TmxSurvey:
    """Count the units of a file and determine its languages; raises the errors of `elements`."""
    languages: Counter[str] = Counter()
    units, default = 0, ""
    for element in elements(path, ("header", "tu"), step, ("tmx",), WRONG_ROOT):
        if local_name(element) == "header":
            default = element.get("srclang") or ""
            continue
        units += 1
        languages.update(base_language(language_in(tuv)) for tuv in children(element, "tuv"))
    return TmxSurvey(units, *languages_of_file(languages, default, pair), pair)


def read_tmx(path: Path, survey: TmxSurvey) -> Iterator[Unit | None]:
    """The units of a file; None for a unit that lacks a text in either language."""
    for element in elements(path, ("tu",), no_step, ("tmx",), WRONG_ROOT):
        yield _read_unit(element, survey, path.name)


def write_tmx(
    file: TextIO, units: Iterable[Unit], version: str, pair: LanguagePair = CHINESE_TO_ENGLISH
) -> int:
    """Write units as TMX 1.4 and return their number; units without languages get those of the pair."""
    file.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n'
    )
    file.write(
        f'  <header creationtool="Anaphora" creationtoolversion={quoteattr(version)} datatype="plaintext" '
        'segtype="sentence" adminlang="en" srclang="*all*" o-tmf="Anaphora"/>\n  <body>\n'
    )
    count = 0
    for unit in units:
        file.write(_unit_xml(unit, pair))
        count += 1
    file.write("  </body>\n</tmx>\n")
    return count


def _read_unit(element: Element, survey: TmxSurvey, file: str) -> Unit | None:
    tuvs = [tuv for tuv in children(element, "tuv") if len(children(tuv, "seg")) == 1]
    sources = variants(tuvs, language_in, survey.source_language, survey.pair.source)
    targets = variants(tuvs, language_in, survey.target_language, survey.pair.target)
    if not sources or not targets:
        return None
    source, target = sources[0], targets[0]
    source_text, target_text, marks = _texts(source, target)
    if not source_text or not target_text:
        return None
    properties = _Properties((element, source, target))
    return Unit(
        source_text,
        target_text,
        marks,
        language_in(source),
        language_in(target),
        properties.date("creationdate"),
        properties.date("changedate") or properties.date("creationdate"),
        properties.attribute("changeid") or properties.attribute("creationid"),
        properties.first(_ORIGIN) or file,
        properties.previous(),
        properties.neighbour(_FOLLOWING),
    )


def _texts(source: Element, target: Element) -> tuple[str, str, tuple[str, ...]]:
    """The texts of two variants with inline elements as tags, and the source's tags in order."""
    unit = make_unit("", _pieces(source), _pieces(target), key_of)
    tags, text = unit.sentence.tags, unit.sentence.source
    marks = tuple(mark for mark in marks_in(text) if mark in tags)
    extra = {mark for mark in tags if mark not in marks}
    translation = MARK.sub(lambda match: "" if match.group() in extra else match.group(), unit.target)
    return text, translation.strip(), marks


def _pieces(tuv: Element) -> list[Piece]:
    (segment,) = children(tuv, "seg")
    if not len(segment):
        return [Piece(Kind.TEXT, segment.text or "")]
    document = XmlText(etree.tostring(segment, encoding="UTF-8", xml_declaration=False, with_tail=False))
    return pieces_of(document, document.root, INLINE)


class _Properties:
    """The properties and attributes of a unit, its source variant and its target variant, in this order."""

    def __init__(self, holders: tuple[Element, ...]) -> None:
        self._holders = holders
        self._props: dict[str, str] = {}
        for holder in holders:
            for prop in children(holder, "prop"):
                self._props.setdefault(prop.get("type") or "", "".join(prop.itertext()))

    def first(self, names: tuple[str, ...]) -> str:
        return next((text for name in names if (text := self._props.get(name, "").strip())), "")

    def attribute(self, name: str) -> str:
        return next((value for holder in reversed(self._holders) if (value := holder.get(name))), "")

    def date(self, name: str) -> int:
        """The latest date in an attribute, in seconds since 1970; 0 without a valid date."""
        return max((_seconds(holder.get(name) or "") for holder in self._holders), default=0)

    def neighbour(self, names: tuple[str, ...]) -> str | None:
        text = next((self._props[name] for name in names if name in self._props), None)
        if text is None:
            return None
        match = _SEGMENT.fullmatch(text)
        return html.unescape(_CODE.sub("", match[1])).strip() if match else text.strip()

    def previous(self) -> str | None:
        """The preceding segment's source, without the target that Trados adds ("source | target")."""
        text = self.neighbour(_PREVIOUS)
        if text is None and _TRADOS_CONTEXT in self._props:
            return self._props[_TRADOS_CONTEXT].partition(" | ")[0].strip()
        return text


def _seconds(date: str) -> int:
    try:
        return max(calendar.timegm(time.strptime(date, _DATE)), 0)
    except ValueError:
        return 0


def _unit_xml(unit: Unit, pair: LanguagePair) -> str:
    props = (("file", unit.origin or None), ("prev", unit.previous), ("next", unit.following))
    lines = [f'      <prop type="{name}">{escaped(text)}</prop>' for name, text in props if text is not None]
    edits = {"creationdate": _date(unit.created), "changedate": _date(unit.changed), "changeid": unit.author}
    history = "".join(f" {name}={quoteattr(clean(value))}" for name, value in edits.items() if value)
    variants = (
        (unit.source_language or pair.source_language.code or UNDETERMINED, "", unit.source),
        (unit.target_language or pair.target_language.code or UNDETERMINED, history, unit.target),
    )
    for language, attributes, text in variants:
        segment = _segment_xml(text, frozenset(unit.marks))
        lines.append(f"      <tuv xml:lang={quoteattr(clean(language))}{attributes}>")
        lines.append(f"        <seg>{segment}</seg>\n      </tuv>")
    return "\n".join(("    <tu>", *lines, "    </tu>\n"))


def _segment_xml(text: str, marks: frozenset[str]) -> str:
    present = marks.intersection(marks_in(text))
    copied_end, parts = 0, []
    for match in MARK.finditer(text):
        if match.group() in marks:
            parts += [escaped(text[copied_end : match.start()]), _tag_xml(match.group(), present)]
            copied_end = match.end()
    return "".join((*parts, escaped(text[copied_end:])))


def _tag_xml(mark: str, present: frozenset[str]) -> str:
    number = mark.strip("{/}")
    if partner(mark) in present:
        return f'<bpt i="{number}" x="{number}"/>' if opens(mark) else f'<ept i="{number}"/>'
    if opens(mark) or closes(mark):
        return f'<it pos="{"begin" if opens(mark) else "end"}" x="{number}"/>'
    return f'<ph x="{number}"/>'


def _date(seconds: int) -> str:
    return time.strftime(_DATE, time.gmtime(seconds)) if seconds else ""
