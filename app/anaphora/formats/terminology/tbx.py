"""TermBase eXchange (ISO 30042): TBX-Basic in both styles (DCA, DCT), and the older version 2 (martif).

Exports are TBX-Basic in the style DCA. When a file is read, each source term of a concept becomes one entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, no_step, substep
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.formats.base.tables import ROLES, words_of
from anaphora.formats.base.xml import XML_LANG, Element, children, elements, escaped, language_in, local_name
from anaphora.formats.bilingual.languages import UNDETERMINED, base_language, languages_of_file, variants
from anaphora.formats.terminology.usages import usage_of, words_about

_ROOTS = ("tbx", "martif")
_CONCEPTS = ("conceptEntry", "termEntry")
_LANGUAGES = ("langSec", "langSet")
_FIELD = "subjectField"
_TERMS = ("termSec", "tig", "ntig")
_NOT_TBX = "This is not a TBX file: its root element is “{name}”."
_STATUSES = {
    Usage.PREFERRED: "preferredTerm-admn-sts",
    Usage.ADMITTED: "admittedTerm-admn-sts",
    Usage.FORBIDDEN: "deprecatedTerm-admn-sts",
}
_STATUS_NOTE = '\n            <termNote type="administrativeStatus">{}</termNote>'


def read_tbx(
    path: Path, pair: LanguagePair = CHINESE_TO_ENGLISH, step: Step = no_step
) -> Iterator[TermEntry | None]:
    """The entries of a file, or None for a concept that lacks a language; raises as `elements` does."""
    languages: Counter[str] = Counter()
    default = ""
    for element in elements(path, _CONCEPTS, substep(step, 0, 0.5), _ROOTS, _NOT_TBX):
        root = element.getroottree().getroot()
        default = root.get(XML_LANG) or default
        languages.update(base_language(language_in(each)) for each in children(element, *_LANGUAGES))
    source, target = languages_of_file(languages, default, pair)
    for element in elements(path, _CONCEPTS, substep(step, 0.5, 1), _ROOTS, _NOT_TBX):
        entries = list(_entries(element, source, target, pair))
        yield from entries
        if not entries:
            yield None


def write_tbx(file: TextIO, entries: Iterable[TermEntry], pair: LanguagePair = CHINESE_TO_ENGLISH) -> int:
    """Write entries as TBX-Basic (DCA); return the number of entries."""
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
        file.write(_concept_xml(entry, count, source, target))
    file.write("    </body>\n  </text>\n</tbx>\n")
    return count


def _entries(concept: Element, source: str, target: str, pair: LanguagePair) -> Iterator[TermEntry]:
    """One entry for each source term of a concept, from the language variants that are nearest to `pair`."""
    with_terms = [each for each in children(concept, *_LANGUAGES) if any(map(_term, children(each, *_TERMS)))]
    source_sections, target_sections = (
        variants(with_terms, language_in, language, wanted)
        for language, wanted in ((source, pair.source), (target, pair.target))
    )
    concept_words = [*_usage_words(concept, *_LANGUAGES)]
    targets: list[TargetTerm] = []
    unknown: list[str] = []
    for section in target_sections:
        section_words = [*concept_words, *_usage_words(section, *_TERMS)]
        for term in filter(_term, children(section, *_TERMS)):
            usage, more_unknown = usage_of((*section_words, *_usage_words(term)))
            targets.append(TargetTerm(_term(term), usage))
            unknown += more_unknown
    notes = dict.fromkeys((*map(_text, concept.iter("{*}note")), *unknown))
    terms = (text for each in source_sections for text in map(_term, children(each, *_TERMS)) if text)
    for text in terms if targets else ():
        yield TermEntry(text, tuple(targets), "\n".join(filter(None, notes)), _domain(concept))


def _usage_words(holder: Element, *excluded: str) -> Iterator[str]:
    inner = (
        element for child in holder if local_name(child) not in excluded for element in child.iter("{*}*")
    )
    for element in inner:
        words = words_of(element.get("type") or local_name(element))
        yield from words_about(ROLES.get(words[-1], "") if words else "", _text(element))


def _term(section: Element) -> str:
    term = next(iter(section.iter("{*}term")), None)
    return "" if term is None else _text(term)


def _domain(concept: Element) -> str:
    """The text of the first element with the name (DCT) or type (DCA) "subjectField"; "" if none has it."""
    fields = (each for each in concept.iter("{*}*") if _FIELD in (local_name(each), each.get("type")))
    return next(map(_text, fields), "")


def _concept_xml(entry: TermEntry, number: int, source: str, target: str) -> str:
    lines = [f'      <conceptEntry id="c{number}">']
    if entry.domain:
        lines.append(f'        <descrip type="subjectField">{escaped(entry.domain)}</descrip>')
    if entry.note:
        lines.append(f"        <note>{escaped(entry.note)}</note>")
    targets = [(term.text, _STATUS_NOTE.format(_STATUSES[term.usage])) for term in entry.targets]
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
