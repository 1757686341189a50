"""Gettext catalogues (.po, .pot): only changed strings, their flags and the header are rewritten.

| in the file | status | written back as |
|---|---|---|
| empty msgstr | not started | an emptied target leaves an empty msgstr |
| `#, fuzzy` | draft | a draft gets the fuzzy flag, so programs do not show the message |
| msgstr without this flag | edited | edited and confirmed strings lose the flag and `#|` lines |

Catalogues cannot store the state "confirmed", so only the project stores it. Each plural form is a segment.
A message is fuzzy while one of its forms is a draft.
"""

from __future__ import annotations

import gettext
import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import code_of
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Status
from anaphora.formats.base.encoding import decode_declared
from anaphora.formats.base.format import ReadOptions, check_sentences
from anaphora.formats.base.pieces import text_of
from anaphora.formats.base.placeholders import SHARED
from anaphora.formats.bilingual.po_file import PoMessage, escape, read_entries
from anaphora.formats.bilingual.unit_format import States, TextUnits, UnitFormat
from anaphora.formats.bilingual.units import UnitSlot, unit_from_texts
from anaphora_text.han import ALL_HAN, KANA
from anaphora_text.icu import missing_forms

_WORD = re.compile(rf"[{ALL_HAN}{KANA}][^\w\s]*\s*|[^\s{ALL_HAN}{KANA}]+[^\S\n]*\n?|\s+")
"""Text that stays on one line: a word, or a wide character, with the spaces after it."""
_FLAGS = files("anaphora_resources").joinpath("po_flags.tsv").read_text("utf-8").splitlines()
_PATTERNS = {
    f"{name}-format": rule for names, rule in (line.split("\t") for line in _FLAGS) for name in names.split()
}
_UNNUMBERED = frozenset(("python-format", "lua-format", "go-format", "object-pascal-format"))
"""Formats whose arguments cannot have numbers, such as "%2$d"."""
_PLURAL = re.compile(r"nplurals\s*=\s*([0-9]{1,2})\s*;\s*plural\s*=\s*([^;\n]{1,400})", re.IGNORECASE)
_WIDTH = 79
"""Maximum number of columns of a wrapped line, with keyword and quotation marks."""
_EXAMPLES = 200


@dataclass(frozen=True, slots=True)
class Plurals:
    """The plural forms of a language; `examples` are the numbers below `_EXAMPLES` that use each form."""

    examples: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        return len(self.examples)

    def takes_singular(self, form: int) -> bool:
        """True if a form is only for 1, or 0 and 1, so that its source is msgid instead of msgid_plural.

        Russian's first form, for 1, 21, 31…, must contain the number, so "a year" cannot be its source.
        """
        return form < self.count and 1 in self.examples[form] and set(self.examples[form]) <= {0, 1}

    def numbers(self, form: int) -> str:
        """The first numbers that use a form, as a note such as "n = 2, 3, 4"; "" if unknown."""
        examples = self.examples[form] if form < self.count else ()
        numbers = ", ".join(str(number) for number in examples[:5]) + ("…" if len(examples) > 5 else "")
        return f"n = {numbers}" if numbers else ""


def parse_plurals(field: str) -> Plurals | None:
    """Parse the header's Plural-Forms field; None if it is empty, not valid, or a template's placeholder."""
    match = _PLURAL.search(field)
    if match is None or not 1 <= int(match[1]) <= 10:
        return None
    examples: list[list[int]] = [[] for _ in range(int(match[1]))]
    try:
        rule = gettext.c2py(match[2].strip())
        for number in range(_EXAMPLES):
            examples[int(rule(number))].append(number)
    except (ValueError, IndexError, ArithmeticError, RecursionError, SyntaxError, MemoryError):
        return None
    return Plurals(tuple(tuple(numbers) for numbers in examples))


@lru_cache(maxsize=64)
def placeholders(flags: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for a message's tags: placeholders in the formats of its flags, template syntax, entities."""
    known = (_PATTERNS[flag] for flag in flags if flag in _PATTERNS)
    return re.compile("|".join((*dict.fromkeys(known), SHARED)))


def literal(text: str, keyword: str, line_end: str, wrap: bool) -> str:
    """A literal in gettext's layout: beside the keyword if it fits there, or else on the lines below."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    one_line = f'"{escape(text)}"'
    if len(lines) < 2 and (not wrap or len(keyword) + 1 + _width(one_line) <= _WIDTH):
        return one_line
    parts = [part for line in lines for part in (_wrapped_lines(line) if wrap else [escape(line)])]
    return line_end.join(['""', *(f'"{part}"' for part in parts)])


def _wrapped_lines(line: str) -> list[str]:
    parts = [""]
    for word in _WORD.findall(line):
        raw = escape(word)
        if parts[-1] and _width(parts[-1] + raw.rstrip(" ")) > _WIDTH - 2:
            parts.append("")
        parts[-1] += raw
    return parts


def _width(text: str) -> int:
    return len(text) + (
        0 if text.isascii() else sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    )


_HEADER_SIZE = 20_000
"""Number of first bytes that are searched for the charset; long comments may precede the header."""
_UNWRAPPED_LINE = re.compile(r'^(?:msgid |msgstr )?"[^\n]{110}', re.MULTILINE)
_ONE_FORM = ["ja", "ko", "vi", "th", "lo", "my", "km", "id", "ms"]
"""Languages without plural forms, besides Chinese. If a file declares no forms, other languages get two."""
_ENGLISH = Plurals(((1,), (0, *range(2, 200))))
_COMMENTS = {"": NoteKind.TRANSLATOR_COMMENT, ".": NoteKind.COMMENT, ":": NoteKind.REFERENCES}
_MAX_REFERENCES = 8
_UNIMPORTANT_FLAGS = frozenset(("fuzzy", "wrap", "no-wrap"))


@dataclass(frozen=True, slots=True)
class _MessageSlot(UnitSlot):
    entry: PoMessage
    form: int


class _Catalogue(TextUnits[_MessageSlot]):
    """A catalogue: its header (the entry with the empty msgid), and the entries that are not obsolete."""

    def __init__(self, data: bytes, options: ReadOptions) -> None:
        decoded = decode_declared(data, options.language, options.encoding, _HEADER_SIZE)
        super().__init__(decoded)
        self._entries = read_entries(decoded.text)
        check_sentences(len(self._entries))
        self._header = header = next((entry for entry in self._entries if entry.is_header), None)
        fields = header.strings.get(0, "") if header else ""
        field = re.search(r"^Plural-Forms:(.*)$", fields, re.MULTILINE)
        self._plurals = parse_plurals(field[1]) if field else None
        language = re.search(r"^Language:(.*)$", fields, re.MULTILINE)
        # A file may declare one form because its source language has no plurals: the target may need more.
        if self._plurals is not None and self._plurals.count == 1:
            texts = (entry.singular for entry in self._entries if entry.plural is not None)
            needs_more = code_of(language[1] if language else "") not in _ONE_FORM
            if needs_more and any(missing_forms(("other",), text, False) for text in texts):
                self._plurals = None
        self._wrap = not _UNWRAPPED_LINE.search(decoded.text)

    def slots(self) -> Iterator[_MessageSlot]:
        messages = (entry for entry in self._entries if not entry.is_header)
        return (
            slot
            for number, entry in enumerate(messages, start=1)
            for slot in _slots(number, entry, self._plurals)
        )

    def owner(self, slot: _MessageSlot) -> Hashable:
        return slot.entry.line

    def write(self, slots: Sequence[_MessageSlot], changed: States, pair: LanguagePair) -> None:
        is_fuzzy = False
        for slot in slots:
            state = slot.state_in(changed)
            is_fuzzy = is_fuzzy or (state.status is Status.DRAFT and bool(state.target))
            is_writable = (
                not slot.form
                or slot.form in slot.entry.string_spans
                or self._plurals
                or pair.target_language.code not in ("", "zh", *_ONE_FORM)
            )
            if state.target != slot.unit.target and is_writable:
                self._write_string(slot.entry, slot.form, self._text(slot, state.target))
        if is_fuzzy != slots[0].entry.is_fuzzy:
            self._set_fuzzy(slots[0].entry, is_fuzzy)

    def name_language(self, code: str, changed: States) -> None:
        """Declare the language, add missing plural forms, and change the charset if it lacks characters."""
        header = self._header
        if header is None or 0 not in header.strings:
            return
        value = new = header.strings[0]
        if code and any(state.target for state in changed.values()):
            language = re.search(r"^Language:[ \t]*(.*)$", new, re.MULTILINE)
            if language is None:
                new += ("" if new.endswith("\n") else "\n") + f"Language: {code}\n"
            elif not language[1].strip():
                new = new[: language.start()] + f"Language: {code}" + new[language.end() :]
            has_plurals = any(entry.plural is not None for entry in self._entries)
            if self._plurals is None and has_plurals and code not in ("zh", *_ONE_FORM):
                new = re.sub(r"^Plural-Forms:.*\n?", "", new, flags=re.MULTILINE)
                new += f"Plural-Forms: nplurals=2; plural=(n {'>' if code == 'fr' else '!='} 1);\n"
        if "charset=CHARSET" in new or not self._fits(self.decoded.codec):
            new = re.sub(r"charset=[\w.:-]+", "charset=UTF-8", new)
        if new != value:
            self._write_string(header, 0, new)
            if header.is_fuzzy:
                self._set_fuzzy(header, False)

    def _text(self, slot: _MessageSlot, target: str) -> str:
        entry, form = slot.entry, slot.form
        is_singular = entry.plural is not None and _source(entry, form, self._plurals) is entry.singular
        return text_of(slot.unit.fill(target, keep_standalone=not is_singular))

    def _write_string(self, entry: PoMessage, form: int, text: str) -> None:
        keyword = f"msgstr[{form}]" if entry.plural is not None else "msgstr"
        new = literal(text, keyword, self.decoded.line_end, self._wrap and "no-wrap" not in entry.flags)
        if form in entry.string_spans:
            start, end = entry.string_spans[form]
        else:  # the catalogue lacks this form
            start = end = max(end for _, end in entry.string_spans.values())
            new = f"{self.decoded.line_end}{keyword} {new}"
        self.splices.append((start, end, new))

    def _set_fuzzy(self, entry: PoMessage, is_fuzzy: bool) -> None:
        flags = ["fuzzy", *entry.flags] if is_fuzzy else [flag for flag in entry.flags if flag != "fuzzy"]
        line = f"#, {', '.join(flags)}{self.decoded.line_end}" if flags else ""
        first = min(entry.previous_lines, default=(entry.keyword_start, entry.keyword_start))[0]
        spans = entry.flag_lines or [(first, first)]
        self.splices.append((*spans[0], line))
        removed_spans = spans[1:] + ([] if is_fuzzy else entry.previous_lines)
        self.splices += [(start, end, "") for start, end in removed_spans]

    def _fits(self, codec: str) -> bool:
        try:
            "".join(new for _, _, new in self.splices).encode(codec)
        except UnicodeEncodeError:
            return False
        return True


def _slots(number: int, entry: PoMessage, plurals: Plurals | None) -> Iterator[_MessageSlot]:
    forms = {0} if entry.plural is None else {*range((plurals or _ENGLISH).count), *entry.strings}
    for form in sorted(forms):
        source = _source(entry, form, plurals)
        if source.strip():
            name = str(number) if entry.plural is None else f"{number}.{form}"
            target = entry.strings.get(form, "")
            flags = tuple(entry.flags)
            unit = unit_from_texts(name, source, target, placeholders(flags), _UNNUMBERED.isdisjoint(flags))
            status = Status.DRAFT if entry.is_fuzzy else Status.EDITED
            notes = tuple(_notes(entry, form, plurals))
            yield _MessageSlot(unit, status if unit.target else Status.NOT_STARTED, notes, entry, form)


def _source(entry: PoMessage, form: int, plurals: Plurals | None) -> str:
    if entry.plural is None or (plurals or _ENGLISH).takes_singular(form):
        return entry.singular
    return entry.plural


def _notes(entry: PoMessage, form: int, plurals: Plurals | None) -> Iterable[Note]:
    if entry.context is not None:
        yield Note(NoteKind.CONTEXT, entry.context)
    if entry.plural is not None:
        forms = plurals or _ENGLISH
        place = (str(form + 1), str(max(forms.count, form + 1)))
        yield Note(NoteKind.PLURAL_FORM, forms.numbers(form), place)
        if entry.plural != entry.singular:
            is_singular = _source(entry, form, plurals) is entry.singular
            details = (NoteKind.PLURAL, entry.plural) if is_singular else (NoteKind.SINGULAR, entry.singular)
            yield Note(*details)
    for mark, kind in _COMMENTS.items():
        texts = [text for each, text in entry.comments if each == mark and text]
        if mark == ":" and len(texts) > _MAX_REFERENCES:
            texts = [*texts[:_MAX_REFERENCES], "…"]
        if texts:
            yield Note(kind, (" " if mark == ":" else "\n").join(texts))
    flags = [flag for flag in entry.flags if flag not in _UNIMPORTANT_FLAGS]
    if flags:
        yield Note(NoteKind.FLAGS, ", ".join(flags))


FORMAT = UnitFormat("po", "Gettext catalogue", (".po", ".pot"), _Catalogue)
