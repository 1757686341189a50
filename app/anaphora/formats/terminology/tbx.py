"""TermBase eXchange (ISO 30042): TBX-Basic in both styles (DCA, DCT), and the older version 2 (martif).

Written is TBX-Basic in the style DCA. A concept with several source terms gives an entry for each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO
from xml.sax.saxutils import escape

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, no_step, within
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.xml import XML_LANG, Element, clean, iterate, local_name
from anaphora.formats.bilingual.languages import UNDETERMINED, base_language, languages_of_file
from anaphora.term_base.entries import Entry, TargetTerm, Usage

_ROOTS = ("tbx", "martif")
_CONCEPTS = ("conceptEntry", "termEntry")
_LANGUAGES = ("langSec", "langSet")
_TERMS = ("termSec", "tig", "ntig")
_STATUS = ("administrativeStatus", "normativeAuthorization")
_STEP = 500
"""Elements between two steps."""
_WRITTEN = {
    Usage.PREFERRED: "preferredTerm-admn-sts",
    Usage.ADMITTED: "admittedTerm-admn-sts",
    Usage.FORBIDDEN: "deprecatedTerm-admn-sts",
}
_READ = {
    "preferredterm": Usage.PREFERRED,
    "preferred": Usage.PREFERRED,
    "admittedterm": Usage.ADMITTED,
    "admitted": Usage.ADMITTED,
    "deprecatedterm": Usage.FORBIDDEN,
    "deprecated": Usage.FORBIDDEN,
    "supersededterm": Usage.FORBIDDEN,
    "superseded": Usage.FORBIDDEN,
    "forbidden": Usage.FORBIDDEN,
    "notrecommended": Usage.FORBIDDEN,
}


def read_tbx(
    path: Path, pair: LanguagePair = CHINESE_TO_ENGLISH, step: Step = no_step
) -> Iterator[Entry | None]:
    """The entries of a file; None for a concept without a term in both languages.

    Args:
        pair: the project's languages.
        step: how far it is; what it raises ends it.
    Raises:
        FormatError: it is no TBX file, damaged, cut off, or with entities of its own.
        OSError: it cannot be read.
    """
    languages: Counter[str] = Counter()
    default = ""
    for element in _elements(path, within(step, 0, 0.5)):
        root = element.getroottree().getroot()
        default = root.get(XML_LANG) or default
        languages.update(base_language(_language(each)) for each in _children(element, _LANGUAGES))
    source, target = languages_of_file(languages, default, pair)
    for element in _elements(path, within(step, 0.5, 1)):
        entries = list(_entries(element, source, target))
        if entries:
            yield from entries
        else:
            yield None


def write_tbx(file: TextIO, entries: Iterable[Entry], pair: LanguagePair = CHINESE_TO_ENGLISH) -> int:
    """Write entries as TBX-Basic (DCA); returns how many."""
    source, target = (
        language.code or UNDETERMINED for language in (pair.source_language, pair.target_language)
    )
    file.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<tbx type="TBX-Basic" style="dca" xml:lang="{source}" xmlns="urn:iso:std:iso:30042:ed-2">\n'
        "  <tbxHeader>\n    <fileDesc>\n      <sourceDesc>\n        <p>Written by Anaphora</p>\n"
        "      </sourceDesc>\n    </fileDesc>\n  </tbxHeader>\n  <text>\n    <body>\n"
    )
    count = 0
    for entry in entries:
        count += 1
        file.write(_written(entry, count, source, target))
    file.write("    </body>\n  </text>\n</tbx>\n")
    return count


def _elements(path: Path, step: Step) -> Iterator[Element]:
    """Each concept; it is emptied once the next one is asked for."""
    with path.open("rb") as file:
        root, size = "", path.stat().st_size
        for number, (event, element) in enumerate(iterate(file)):
            if number % _STEP == 0:
                step(min(file.tell() / size, 1.0))
            if not root:
                root = local_name(element)
                if root not in _ROOTS:
                    raise FormatError(
                        Message("This is no TBX file: its outermost element is “{name}”.", name=root),
                        "Check that it is the file you meant.",
                    )
            if event == "end" and local_name(element) in _CONCEPTS:
                yield element
                element.clear()
                parent = element.getparent()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]


def _entries(concept: Element, source: str, target: str) -> Iterator[Entry]:
    sources: list[str] = []
    targets: list[TargetTerm] = []
    for section in _children(concept, _LANGUAGES):
        language = base_language(_language(section))
        for term in _children(section, _TERMS):
            text = _term(term)
            if text and language == source:
                sources.append(text)
            elif text and language == target:
                targets.append(TargetTerm(text, _usage(term)))
    note = "\n".join(filter(None, map(_text, concept.iter("{*}note"))))
    for text in sources if targets else ():
        yield Entry(text, tuple(targets), note, _category(concept, ("subjectField",)))


def _term(section: Element) -> str:
    found = next(iter(section.iter("{*}term")), None)
    return "" if found is None else _text(found)


def _usage(section: Element) -> Usage:
    said = _category(section, _STATUS).lower()
    return _READ.get(said.partition("-")[0].replace(" ", ""), Usage.PREFERRED)


def _category(element: Element, names: tuple[str, ...]) -> str:
    """What is said of a data category below: the element's name (DCT), or its type (DCA)."""
    for child in element.iter("{*}*"):
        if local_name(child) in names or child.get("type") in names:
            return _text(child)
    return ""


def _written(entry: Entry, number: int, source: str, target: str) -> str:
    lines = [f'      <conceptEntry id="c{number}">']
    if entry.domain:
        lines.append(f'        <descrip type="subjectField">{_escaped(entry.domain)}</descrip>')
    if entry.note:
        lines.append(f"        <note>{_escaped(entry.note)}</note>")
    lines += [f'        <langSec xml:lang="{source}">', *_section(entry.source, None), "        </langSec>"]
    if entry.targets:
        lines.append(f'        <langSec xml:lang="{target}">')
        for term in entry.targets:
            lines += _section(term.text, term.usage)
        lines.append("        </langSec>")
    return "\n".join((*lines, "      </conceptEntry>\n"))


def _section(text: str, usage: Usage | None) -> list[str]:
    status = (
        [f'            <termNote type="administrativeStatus">{_WRITTEN[usage]}</termNote>'] if usage else []
    )
    return [
        "          <termSec>",
        f"            <term>{_escaped(text)}</term>",
        *status,
        "          </termSec>",
    ]


def _children(element: Element, names: tuple[str, ...]) -> list[Element]:
    return [child for child in element if local_name(child) in names]


def _language(section: Element) -> str:
    return section.get(XML_LANG) or section.get("lang") or ""


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _escaped(text: str) -> str:
    return escape(clean(text))
