"""Gettext catalogues (.po, .pot): only the strings that a translation changes are written anew.

| in the file | status | and back |
|---|---|---|
| msgstr empty | not started | an emptied target empties the msgstr |
| `#, fuzzy` | draft | a draft (of the machine, too) makes its message fuzzy: programs do not show it |
| msgstr without fuzzy | edited | edited and confirmed are the same to gettext: fuzzy and `#|` lines go |

A catalogue cannot say "confirmed"; the project does. Each plural form is a segment; a message is fuzzy while
one of its forms is a draft. Where something is translated and the header names no language, the header gets
the targets' language and its plural forms, and stops being fuzzy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.base.encoding import DecodedText, decode_declared
from anaphora.formats.base.format import Reading
from anaphora.formats.base.limits import check_sentences
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.splicing import spliced
from anaphora.formats.bilingual.languages import code_of_targets
from anaphora.formats.bilingual.po_file import Entry, read_entries
from anaphora.formats.bilingual.po_text import (
    Plurals,
    literal,
    parse_plurals,
    placeholders,
    text_of,
)
from anaphora.formats.bilingual.units import UnitPlace, changes, marked_unit

_HEADER = 20_000
"""Bytes in which the header stands, behind the comments of translators."""
_TOO_LONG = re.compile(r'^(?:msgid |msgstr )?"[^\n]{110}', re.MULTILINE)
"""A line of a catalogue whose strings are not broken (msgcat --no-wrap)."""
_TWO_FORMS = "nplurals=2; plural=(n {});"
_WITH_ONE = "en de nl sv da nb nn no fi es it pt el hu bg et ca he"
_PLURALS = dict.fromkeys(_WITH_ONE.split(), _TWO_FORMS.format("!= 1")) | {"fr": _TWO_FORMS.format("> 1")}
"""Plural forms of languages that have two, as the forms of a catalogue without any are taken."""
_ENGLISH = Plurals(((1,), (0, *range(2, 200))))
_COMMENTS = {"": NoteKind.TRANSLATOR_COMMENT, ".": NoteKind.COMMENT, ":": NoteKind.REFERENCES}
_REFERENCES = 8
_UNIMPORTANT_FLAGS = frozenset(("fuzzy", "wrap", "no-wrap"))


@dataclass(frozen=True, slots=True)
class _Slot(UnitPlace):
    """An entry's unit with the number of its plural form (0 without plural)."""

    entry: Entry
    form: int


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """A catalogue that has been read: the entry with the empty msgid, and others that are not obsolete."""

    decoded: DecodedText
    header: Entry | None
    slots: Sequence[_Slot]
    plurals: Plurals | None


class Gettext:
    """Reader and writer of gettext catalogues."""

    name = "po"
    label = "Gettext catalogue"
    extensions: tuple[str, ...] = (".po", ".pot")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """A message is a unit, whatever sentences it has."""
        catalogue = _read(data, reading)
        return Parsed(tuple(slot.block for slot in catalogue.slots), catalogue.decoded.encoding)

    def fill_units(
        self, data: bytes, units: Sequence[Segment], reading: Reading, pair: LanguagePair
    ) -> bytes:
        catalogue = _read(data, reading)
        changed = changes((slot.block for slot in catalogue.slots), units)
        if not changed:
            return data
        writer = _Writer(catalogue)
        for _, slots in groupby(catalogue.slots, key=lambda slot: slot.entry.line):
            writer.write(list(slots), changed)
        writer.write_header(changed, pair)
        return writer.data()


class _Writer:
    def __init__(self, catalogue: _Catalogue) -> None:
        self._catalogue = catalogue
        self._splices: list[tuple[int, int, str]] = []
        self._line_end = catalogue.decoded.line_end
        self._wrap = not _TOO_LONG.search(catalogue.decoded.text)

    def write(self, slots: Sequence[_Slot], changed: Mapping[str, SegmentState]) -> None:
        """Put what has changed of an entry into its place."""
        if not any(slot.unit.address in changed for slot in slots):
            return
        fuzzy = False
        for slot in slots:
            state = slot.state_in(changed)
            fuzzy = fuzzy or (state.status is Status.DRAFT and bool(state.target))
            if state.target != slot.unit.target:
                self._write_string(slot.entry, slot.form, self._text(slot, state.target))
        if fuzzy != slots[0].entry.fuzzy:
            self._set_fuzzy(slots[0].entry, fuzzy)

    def write_header(self, changed: Mapping[str, SegmentState], pair: LanguagePair) -> None:
        """Name the target language where it is not named and something is translated."""
        header, slots = self._catalogue.header, self._catalogue.slots
        if header is None or 0 not in header.strings:
            return
        value = new = header.strings[0]
        texts = [(slot.entry.singular, slot.state_in(changed).target) for slot in slots]
        code = code_of_targets(texts, pair)
        if code and any(state.target for state in changed.values()):
            language = re.search(r"^Language:[ \t]*(.*)$", new, re.MULTILINE)
            if language is None:
                new += ("" if new.endswith("\n") else "\n") + f"Language: {code}\n"
            elif not language[1].strip():
                new = new[: language.start()] + f"Language: {code}" + new[language.end() :]
            has_plurals = any(slot.entry.plural is not None for slot in slots)
            if self._catalogue.plurals is None and has_plurals and code in _PLURALS:
                new = re.sub(r"^Plural-Forms:.*\n?", "", new, flags=re.MULTILINE)
                new += f"Plural-Forms: {_PLURALS[code]}\n"
        if "charset=CHARSET" in new or not self._fits(self._catalogue.decoded.codec):
            new = re.sub(r"charset=[\w.:-]+", "charset=UTF-8", new)
        if new != value:
            self._write_string(header, 0, new)
            if header.fuzzy:
                self._set_fuzzy(header, False)

    def data(self) -> bytes:
        decoded = self._catalogue.decoded
        return decoded.encode(spliced(decoded.text, self._splices))

    def _text(self, slot: _Slot, target: str) -> str:
        plurals = self._catalogue.plurals or _ENGLISH
        is_one = slot.entry.plural is not None and plurals.takes_singular(slot.form)
        pieces = slot.unit.fill(target, keep_standing=not is_one)
        source = [piece for pieces in slot.unit.sentence.tags.values() for piece in pieces]
        return text_of(pieces, slot.entry.flags, source)

    def _write_string(self, entry: Entry, form: int, text: str) -> None:
        keyword = f"msgstr[{form}]" if entry.plural is not None else "msgstr"
        new = literal(text, keyword, self._line_end, self._wrap and "no-wrap" not in entry.flags)
        if form in entry.places:
            start, end = entry.places[form]
        else:  # a form that the catalogue does not have yet
            start = end = max(end for _, end in entry.places.values())
            new = f"{self._line_end}{keyword} {new}"
        self._splices.append((start, end, new))

    def _set_fuzzy(self, entry: Entry, fuzzy: bool) -> None:
        flags = ["fuzzy", *entry.flags] if fuzzy else [flag for flag in entry.flags if flag != "fuzzy"]
        line = f"#, {', '.join(flags)}{self._line_end}" if flags else ""
        first = min(entry.previous_lines, default=(entry.keyword, entry.keyword))[0]
        spans = entry.flag_lines or [(first, first)]
        self._splices.append((*spans[0], line))
        gone = spans[1:] + ([] if fuzzy else entry.previous_lines)
        self._splices += [(start, end, "") for start, end in gone]

    def _fits(self, codec: str) -> bool:
        try:
            "".join(new for _, _, new in self._splices).encode(codec)
        except UnicodeEncodeError:
            return False
        return True


def _read(data: bytes, reading: Reading) -> _Catalogue:
    decoded = decode_declared(data, reading.language, reading.encoding, _HEADER)
    entries = read_entries(decoded.text)
    check_sentences(len(entries))
    header = next((entry for entry in entries if entry.is_header), None)
    field = re.search(r"^Plural-Forms:(.*)$", header.strings.get(0, ""), re.MULTILINE) if header else None
    plurals = parse_plurals(field[1]) if field else None
    named = [entry for entry in entries if not entry.is_header]
    slots = (slot for number, entry in enumerate(named, start=1) for slot in _slots(number, entry, plurals))
    return _Catalogue(decoded, header, list(slots), plurals)


def _slots(number: int, entry: Entry, plurals: Plurals | None) -> Iterator[_Slot]:
    forms = {0} if entry.plural is None else {*range(plurals.count if plurals else 1), *entry.strings}
    for form in sorted(forms):
        source = _source(entry, form, plurals)
        if source.strip():
            name = str(number) if entry.plural is None else f"{number}.{form}"
            target = entry.strings.get(form, "")
            unit = marked_unit(name, source, target, placeholders(tuple(entry.flags)))
            status = Status.DRAFT if entry.fuzzy else Status.EDITED
            notes = tuple(_notes(entry, form, plurals))
            yield _Slot(unit, status if unit.target else Status.NOT_STARTED, notes, entry, form)


def _source(entry: Entry, form: int, plurals: Plurals | None) -> str:
    if entry.plural is None or (plurals or _ENGLISH).takes_singular(form):
        return entry.singular
    return entry.plural


def _notes(entry: Entry, form: int, plurals: Plurals | None) -> Iterable[Note]:
    if entry.context is not None:
        yield Note(NoteKind.CONTEXT, entry.context)
    if entry.plural is not None:
        used = plurals or _ENGLISH
        place = (str(form + 1), str(max(used.count, form + 1)))
        yield Note(NoteKind.PLURAL_FORM, used.numbers(form), place)
        if entry.plural != entry.singular:
            is_singular = _source(entry, form, plurals) is entry.singular
            other = (NoteKind.PLURAL, entry.plural) if is_singular else (NoteKind.SINGULAR, entry.singular)
            yield Note(*other)
    for mark, kind in _COMMENTS.items():
        texts = [text for found, text in entry.comments if found == mark and text]
        if mark == ":" and len(texts) > _REFERENCES:
            texts = [*texts[:_REFERENCES], "…"]
        if texts:
            yield Note(kind, (" " if mark == ":" else "\n").join(texts))
    flags = [flag for flag in entry.flags if flag not in _UNIMPORTANT_FLAGS]
    if flags:
        yield Note(NoteKind.FLAGS, ", ".join(flags))


FORMAT = Gettext()
