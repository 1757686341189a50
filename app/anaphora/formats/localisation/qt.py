"""Qt's .ts files (Linguist): translations with their states, plural forms, contexts and comments.

| in the file | status | written back as |
|---|---|---|
| no translation, or an empty one | not started | an emptied target gets `type="unfinished"` |
| a text with `type="unfinished"` | draft | a draft has `type="unfinished"`: programs do not show it |
| a text without a type | edited | an edited or confirmed target has no type |

Messages that are vanished or obsolete, or have translations of several lengths, do not change. Each plural
form is a segment; a message is unfinished while a form is a draft or empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import repeat

from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Status
from anaphora.formats.base.format import FormatError, ReadOptions, check_sentences
from anaphora.formats.base.marked_text import split_markup
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.placeholders import QT
from anaphora.formats.bilingual.unit_format import States, UnitFormat, XmlUnits
from anaphora.formats.bilingual.units import has_letters, make_unit
from anaphora.formats.bilingual.xml_inline import XmlSlot
from anaphora.formats.bilingual.xml_text import Node, XmlText
from anaphora.formats.localisation.texts import Markup
from anaphora.formats.localisation.xml_catalogue import open_catalogue

_REMOVED_TYPES = frozenset(("vanished", "obsolete"))
_COMMENTS = {
    "comment": NoteKind.CONTEXT,
    "extracomment": NoteKind.COMMENT,
    "translatorcomment": NoteKind.TRANSLATOR_COMMENT,
}
_MAX_REFERENCES = 8


class _Messages(XmlUnits):
    def __init__(self, data: bytes, options: ReadOptions) -> None:
        if b"<TS" not in data.replace(b"\0", b""):
            raise FormatError(
                "This is not a Qt translation file: it has no element “TS”.",
                "Check that this is the right file. TypeScript and video files use the same extension.",
            )
        super().__init__(open_catalogue(data, "TS", ".ts file"))

    def slots(self) -> Iterator[XmlSlot]:
        number = 0
        # A file for Chinese has at most one plural form, but English has two.
        min_forms = 2 if (self.document.root.get("language") or "en").startswith("en") else 0
        for context in self.document.root.descendants("context", "message", excluded=("context", "message")):
            messages = [context, *context.children]
            name = self.document.plain(context.child("name")) if context.name == "context" else ""
            for message in (each for each in messages if each.name == "message"):
                number += 1
                yield from _message_slots(self.document, message, name, str(number), min_forms)

    def write(self, slots: Sequence[XmlSlot], changed: States, pair: LanguagePair) -> None:
        document, owner = self.document, slots[0].owner
        translation = owner.child("translation")
        states = [slot.state_in(changed) for slot in slots]
        if translation is None:
            text = _to_source(document, slots[0].unit.fill(states[0].target)) if states[0].target else ""
            attribute = ' type="unfinished"' if states[0].status is Status.DRAFT else ""
            end = owner.inner_end
            document.splice(end, end, f"<translation{attribute}>{text}</translation>" if text else "")
            return
        unfinished = any(state.status is Status.DRAFT or not state.target for state in states)
        was_unfinished = translation.get("type") == "unfinished"
        attributes = {"type": "unfinished" if unfinished else None} if unfinished != was_unfinished else {}
        for slot, state in zip(slots, states, strict=True):
            is_new = state.target != slot.unit.target
            content = _to_source(document, slot.unit.fill(state.target)) if is_new else None
            if slot.target is translation:
                document.fill(translation, content, attributes)
                return
            if slot.target is not None:
                document.fill(slot.target, content)
        lacking = [(slot, state) for slot, state in zip(slots, states, strict=True) if slot.target is None]
        if not any(state.target for _, state in lacking):
            document.fill(translation, None, attributes)
            return
        texts = (_to_source(document, slot.unit.fill(state.target)) for slot, state in lacking)
        forms = "".join(f"<numerusform>{text}</numerusform>" for text in texts)
        if len(lacking) == len(slots):
            document.fill(translation, forms, attributes)
        else:
            document.fill(translation, None, attributes)
            document.splice(translation.inner_start, translation.inner_start, forms)

    def name_language(self, code: str, changed: States) -> None:
        root = self.document.root
        if code and not root.get("language"):
            tag = self.document.start_tag(root, {"language": code})
            self.document.splice(root.start, root.inner_start, tag)


def _message_slots(
    document: XmlText, message: Node, context: str, number: str, min_forms: int
) -> Iterator[XmlSlot]:
    source, translation = message.child("source"), message.child("translation")
    if source is None:
        return
    pieces = _pieces(document, source)
    known = {piece.raw for piece in pieces if piece.kind is not Kind.TEXT}
    notes = tuple(_notes(document, message, context))
    is_numerus = message.get("numerus") == "yes"
    if translation is None:  # a file without translations lacks the element
        unit = make_unit(number, pieces, [])
        if not is_numerus and has_letters(unit.sentence.source):
            yield XmlSlot(unit, Status.NOT_STARTED, notes, message, source, None)
        return
    if translation.get("type") in _REMOVED_TYPES or translation.get("variants") == "yes":
        return
    forms = [child for child in translation.children if child.name == "numerusform"]
    check_sentences(len(forms))
    status = Status.DRAFT if translation.get("type") == "unfinished" else Status.EDITED
    holders = [*repeat(None, min_forms - len(forms)), *forms] if is_numerus else [translation]
    for form, holder in enumerate(holders):
        address, all_notes = number, notes
        if is_numerus:
            place = (str(form + 1), str(len(holders)))
            address, all_notes = f"{number}.{form}", (*notes, Note(NoteKind.PLURAL_FORM, "", place))
        unit = make_unit(address, pieces, [] if holder is None else _pieces(document, holder, known))
        if has_letters(unit.sentence.source):
            unit_status = status if unit.target else Status.NOT_STARTED
            yield XmlSlot(unit, unit_status, all_notes, message, source, holder)


def _pieces(document: XmlText, holder: Node, known: Collection[str] | None = None) -> list[Piece]:
    """An element's text as pieces; a `byte` element, for a character that XML does not allow, is a tag."""
    pieces: list[Piece] = []
    for each in document.content(holder):
        if isinstance(each, str):
            pairs = len(pieces)
            for piece in split_markup(each.replace("\r\n", "\n"), QT, known):
                pieces.append(piece._replace(pair=piece.pair + pairs) if piece.is_half else piece)
        elif each.name == "byte":
            raw = Markup(document.text[each.start : each.end])
            pieces.append(Piece(Kind.ALONE, raw=raw, label=each.get("value") or "byte"))
    return pieces


def _notes(document: XmlText, message: Node, context: str) -> Iterator[Note]:
    if context:
        yield Note(NoteKind.CONTEXT, context)
    for name, kind in _COMMENTS.items():
        if text := document.plain(message.child(name)):
            yield Note(kind, text)
    places = [child for child in message.children if child.name == "location"]
    references = [f"{place.get('filename')}:{place.get('line')}" for place in places[:_MAX_REFERENCES]]
    if references:
        yield Note(NoteKind.REFERENCES, " ".join((*references, *("…" for _ in places[_MAX_REFERENCES:][:1]))))


def _to_source(document: XmlText, pieces: Sequence[Piece]) -> str:
    parts = []
    for piece in pieces:
        text = piece.text if piece.kind is Kind.TEXT else str(piece.raw)
        is_markup = isinstance(piece.raw, Markup)
        parts.append(text if is_markup else document.escape(text.replace("\n", document.line_end)))
    return "".join(parts)


FORMAT = UnitFormat("qt", "Qt translations", (".ts",), _Messages)
