"""Apple's String Catalogs (.xcstrings): one target language is read and written, and others stay.

| state in the file | status of the segment |
|---|---|
| no unit for the language, or an empty one | not started |
| `new`, `needs_review` | draft |
| `translated` | edited |

Drafts are written as `needs_review`, edited and confirmed segments as `translated`, emptied targets as `new`.

A source is a key's unit in the source language or, without such a unit, the key itself. Each variation
(plural form, device, argument) of the target language is a segment.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Status
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.opened import with_counts
from anaphora.formats.base.pieces import text_of
from anaphora.formats.base.placeholders import APPLE
from anaphora.formats.bilingual.languages import base_language, languages_of_file, pair_to_read
from anaphora.formats.bilingual.unit_format import States, TextUnits, UnitFormat
from anaphora.formats.bilingual.units import UnitSlot, has_letters, unit_from_texts
from anaphora.formats.localisation.json_file import Container, StringEscapes, Text, read_json
from anaphora.formats.localisation.texts import check_size, key_path, notes_of

_LACKING = Message(
    "Some plural forms or device variants are missing in the target language, so Anaphora does not show "
    "them: {count}. Add them in Xcode (Vary by Plural), and open the file again."
)
_SUBSTITUTIONS = "/substitutions"
_DRAFTS = frozenset(("new", "needs_review"))


@dataclass(frozen=True, slots=True)
class _StringSlot(UnitSlot):
    """A unit, its stringUnit `holder` (None if the target language lacks it), and the `entry` of its key."""

    holder: Container | None
    entry: Container


class _Catalog(TextUnits[_StringSlot]):
    """A catalogue in two of its languages; `lacking_count` variations are missing in the target language."""

    def __init__(self, data: bytes, options: ReadOptions) -> None:
        check_size(data)
        decoded = decode(data, options.language, options.encoding)
        super().__init__(decoded)
        self._escapes = StringEscapes(decoded.text)
        root = read_json(decoded.text)
        strings = root.child("strings")
        if strings is None or strings.is_array or not root.text("sourceLanguage"):
            raise FormatError(
                "This is not a String Catalog: it has no strings or no source language.",
                "Check that this is the right file. You can view its contents in Xcode.",
            )
        self._strings = strings
        declared = root.text("sourceLanguage")
        names = Counter([declared])
        for entry in strings.items:
            units = entry.child("localizations") if isinstance(entry, Container) else None
            names.update(unit.key for unit in (units.items if units is not None else ()))
        languages = Counter[str]()
        for name, count in names.items():
            languages[base_language(name)] += count
        source, target = languages_of_file(languages, declared, pair_to_read(options.language))
        self._source = _file_tag(names, source) or declared
        self.lacking_count = 0
        self._keys_are_sources = base_language(declared) == source
        self.target = _file_tag(names, target) or target

    def slots(self) -> Iterator[_StringSlot]:
        for entry in self._strings.items:
            if not isinstance(entry, Container) or "shouldTranslate" in entry.false_keys:
                continue
            if entry.text("extractionState") != "stale":
                yield from self._slots(entry)

    def remarks(self, slots: Sequence[_StringSlot]) -> tuple[Message, ...]:
        return with_counts([(_LACKING, self.lacking_count)])

    def write(self, slots: Sequence[_StringSlot], changed: States, pair: LanguagePair) -> None:
        slot, text = slots[0], self.decoded.text
        state = slot.state_in(changed)
        old = slot.holder.by_key.get("value") if slot.holder is not None else None
        new = text_of(slot.unit.fill(state.target))
        value = self._escapes.literal(new, text[old.start : old.end] if old is not None else "")
        name = "needs_review" if state.status is Status.DRAFT else "translated"
        name = name if state.target else "new"
        if slot.holder is not None:
            self.splices += _unit_changes(slot.holder, value, json.dumps(name))
        elif state.target:
            language = self.target or pair.target
            self.splices.append(_new_unit(text, slot.entry, language, value, name))

    def _slots(self, entry: Container) -> Iterator[_StringSlot]:
        units = entry.child("localizations")
        sources = dict(_units(units.child(self._source))) if units is not None else {}
        targets = dict(_units(units.child(self.target))) if units is not None and self.target else {}
        if not sources and not self._keys_are_sources:
            return
        notes = notes_of(entry.key, entry.text("comment"))
        fallbacks = {_substitution(variation): unit for variation, unit in sources.items()}
        for variation in [*targets] or [*sources] or [""]:
            part = _substitution(variation)
            source_unit = sources.get(variation, fallbacks.get(part))
            source = source_unit.text("value") if source_unit is not None else entry.key
            holder = targets.get(variation)
            if (variation and holder is None) or (part and source_unit is None):
                self.lacking_count += 1  # Xcode adds the variations that a language needs
                continue
            target = holder.text("value") if holder is not None else ""
            unit = unit_from_texts(f"{entry.path}{variation}", source, target, APPLE)
            if not has_letters(unit.sentence.source):
                continue
            is_draft = holder is not None and holder.text("state") in _DRAFTS
            status = Status.DRAFT if is_draft else Status.EDITED
            context = (Note(NoteKind.CONTEXT, variation[1:].replace("/", " ")),) if variation else ()
            unit_status = status if unit.target else Status.NOT_STARTED
            yield _StringSlot(unit, unit_status, (*notes, *context), holder, entry)


def _file_tag(names: Counter[str], code: str) -> str:
    return next((name for name, _ in names.most_common() if base_language(name) == code), "")


def _substitution(variation: str) -> str:
    """The name of the argument to which a unit belongs; "" for the text itself."""
    _, separator, inner = variation.partition(f"{_SUBSTITUTIONS}/")
    return inner.partition("/")[0] if separator else ""


def _units(localization: Container | None) -> Iterator[tuple[str, Container]]:
    """The stringUnits of a language by variation, such as "/plural/one"; "" for a unit without variation."""
    queue = deque([("", localization)] if localization is not None else [])
    while queue:
        variation, holder = queue.popleft()
        unit = holder.child("stringUnit")
        if unit is not None:
            yield variation, unit
        substitutions = holder.child("substitutions")
        for item in substitutions.items if substitutions is not None else ():
            if isinstance(item, Container):
                queue.append((key_path(f"{variation}{_SUBSTITUTIONS}", item.key), item))
        variations = holder.child("variations")
        for kind in variations.items if variations is not None else ():
            for case in kind.items if isinstance(kind, Container) else ():
                if isinstance(case, Container):
                    queue.append((key_path(key_path(variation, kind.key), case.key), case))


def _unit_changes(holder: Container, value: str, state: str) -> Iterator[tuple[int, int, str]]:
    lacking = []
    for key, new in (("value", value), ("state", state)):
        old = holder.by_key.get(key)
        if isinstance(old, Text):
            yield old.start, old.end, new
        else:
            lacking.append(f'"{key}" : {new}')
    if lacking:
        after = "," if holder.by_key else ""
        yield holder.start + 1, holder.start + 1, ", ".join(lacking) + after


def _new_unit(text: str, entry: Container, language: str, value: str, state: str) -> tuple[int, int, str]:
    unit = (
        f'{json.dumps(language)} : {{\n          "stringUnit" : {{\n'
        f'            "state" : "{state}",\n            "value" : {value}\n          }}\n        }}'
    )
    units = entry.child("localizations")
    holder, indent = (entry, "      ") if units is None else (units, "        ")
    if units is None:
        unit = f'"localizations" : {{\n        {unit}\n      }}'
    inner = text[holder.start + 1 : holder.end - 1].rstrip()
    at = holder.start + 1 + len(inner)
    end = holder.end - 1
    comma = "," if holder.by_key and not inner.endswith(",") else ""
    return at, end, f"{comma}\n{indent}{unit}\n{indent[2:]}"


FORMAT = UnitFormat("xcstrings", "Apple String Catalog", (".xcstrings",), _Catalog)
