"""TermBase eXchange (ISO 30042): TBX-Basic in both styles (DCA, DCT), and the older version 2 (martif).

Written is TBX-Basic in the style DCA. A concept with several source terms gives an entry for each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, no_step, within
from anaphora.formats.base.xml import XML_LANG, Element, escaped, local_name
from anaphora.formats.bilingual.languages import UNDETERMINED, base_language, languages_of_file
from anaphora.formats.bilingual.xml_stream import children, elements, language_in
from anaphora.term_base.entries import Entry, TargetTerm, Usage

_ROOTS = ("tbx", "martif")
_CONCEPTS = ("conceptEntry", "termEntry")
_LANGUAGES = ("langSec", "langSet")
_TERMS = ("termSec", "tig", "ntig")
_STATUS = ("administrativeStatus", "normativeAuthorization")
_NO_TERMS = "This is no TBX file: its outermost element is “{name}”."
_WRITTEN = {
    Usage.PREFERRED: "preferredTerm-admn-sts",
    Usage.ADMITTED: "admittedTerm-admn-sts",
    Usage.FORBIDDEN: "deprecatedTerm-admn-sts",
}
_STATUS_WRITTEN = '\n            <termNote type="administrativeStatus">{}</termNote>'
_READ = {
    "preferred": Usage.PREFERRED, "admitted": Usage.ADMITTED, "deprecated": Usage.FORBIDDEN,
    "superseded": Usage.FORBIDDEN, "forbidden": Usage.FORBIDDEN, "notrecommended": Usage.FORBIDDEN,
}  # fmt: skip


def read_tbx(
    path: Path, pair: LanguagePair = CHINESE_TO_ENGLISH, step: Step = no_step
) -> Iterator[Entry | None]:
    """The entries of a file; None for a concept without a term in both languages. Raises as `elements`."""
    languages: Counter[str] = Counter()
    default = ""
    for element in elements(path, _CONCEPTS, within(step, 0, 0.5), _ROOTS, _NO_TERMS):
        root = element.getroottree().getroot()
        default = root.get(XML_LANG) or default
        languages.update(base_language(language_in(each)) for each in children(element, *_LANGUAGES))
    source, target = languages_of_file(languages, default, pair)
    for element in elements(path, _CONCEPTS, within(step, 0.5, 1), _ROOTS, _NO_TERMS):
        entries = list(_entries(element, source, target))
        yield from entries
        if not entries:
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


def _entries(concept: Element, source: str, target: str) -> Iterator[Entry]:
    sources: list[str] = []
    targets: list[TargetTerm] = []
    for section in children(concept, *_LANGUAGES):
        language = base_language(language_in(section))
        for term in children(section, *_TERMS):
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
    name = said.partition("-")[0].replace(" ", "").removesuffix("term")
    return _READ.get(name, Usage.PREFERRED)


def _category(element: Element, names: tuple[str, ...]) -> str:
    """What is said of a data category below: the element's name (DCT), or its type (DCA)."""
    for child in element.iter("{*}*"):
        if local_name(child) in names or child.get("type") in names:
            return _text(child)
    return ""


def _written(entry: Entry, number: int, source: str, target: str) -> str:
    lines = [f'      <conceptEntry id="c{number}">']
    if entry.domain:
        lines.append(f'        <descrip type="subjectField">{escaped(entry.domain)}</descrip>')
    if entry.note:
        lines.append(f"        <note>{escaped(entry.note)}</note>")
    targets = [(term.text, _STATUS_WRITTEN.format(_WRITTEN[term.usage])) for term in entry.targets]
    for language, terms in ((source, [(entry.source, "")]), (target, targets)):
        if terms:
            lines.append(f'        <langSec xml:lang="{language}">')
        for text, status in terms:
            term = f"            <term>{escaped(text)}</term>{status}"
            lines += ["          <termSec>", term, "          </termSec>"]
        if terms:
            lines.append("        </langSec>")
    return "\n".join((*lines, "      </conceptEntry>\n"))


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
