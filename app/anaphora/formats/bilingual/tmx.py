"""Translation memories (.tmx) as bilingual documents: the variants of each unit in two languages.

The format has no states. An existing variant counts as edited, unless it has the mark of a draft,
`<prop type="x-status">draft</prop>`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Status
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.bilingual.languages import base_language, languages_of_file, pair_to_read, variants
from anaphora.formats.bilingual.unit_format import States, UnitFormat, XmlUnits
from anaphora.formats.bilingual.xml_inline import InlineElements, XmlSlot, to_source, unit_of
from anaphora.formats.bilingual.xml_text import Node, XmlText

INLINE = InlineElements(pairs=frozenset(("hi",)), openers={"bpt": ("i", "x")}, closers={"ept": ("i", "x")})
WRONG_ROOT = "This is not a translation memory: its root element is “{name}”."
_DRAFT_TYPE = "x-status"
_DRAFT = "draft"


class _Memory(XmlUnits):
    def __init__(self, data: bytes, options: ReadOptions) -> None:
        document, pair = XmlText(data, doctype=True), pair_to_read(options.language)
        if document.root.name != "tmx":
            raise FormatError(
                Message(WRONG_ROOT, name=document.root.name),
                "Check that this is the right file and that its extension is correct.",
            )
        super().__init__(document)
        self._units = list(document.root.descendants("tu", excluded=("tu",)))
        self._header = document.root.child("header")
        languages = Counter(_language(tuv) for tu in self._units for tuv in _variants(tu))
        default = self._header.get("srclang").lower() if self._header is not None else ""
        self._pair = pair
        self._source, self._target = languages_of_file(languages, default, pair)
        tags = (_language_tag(tuv) for tu in self._units for tuv in _variants(tu))
        names = Counter(tag for tag in tags if base_language(tag) == self._target)
        self._target_name = names.most_common(1)[0][0] if names else self._target

    def slots(self) -> Iterator[XmlSlot]:
        return (slot for number, tu in enumerate(self._units, start=1) for slot in self._slots(number, tu))

    def remarks(self, slots: Sequence[XmlSlot]) -> tuple[Message, ...]:
        skipped = len(self._units) - len(slots)
        lacking = Message(
            "Units without text in the source language ({language}): {count} of {all}.",
            language=self._source,
            count=skipped,
            all=len(self._units),
        )
        return (*super().remarks(slots), *([lacking] if skipped else []))

    def write(self, slots: Sequence[XmlSlot], changed: States, pair: LanguagePair) -> None:
        document, slot, target = self.document, slots[0], slots[0].target
        state = slot.state_in(changed)
        is_draft = state.status is Status.DRAFT and bool(state.target)
        if target is None:
            self._add_target(slot, state.target, is_draft)
            return
        segment = target.child("seg")
        if segment is None:
            return
        if state.target != slot.unit.target:
            document.fill(segment, to_source(document, slot.unit.fill(state.target)))
        mark = _draft_mark(document, target)
        if is_draft and mark is None:
            blank = document.blank_before(segment)
            document.splice(segment.start, segment.start, f"{_draft_prop(segment.prefix)}{blank}")
        elif mark is not None and not is_draft:
            document.splice(mark.start - len(document.blank_before(mark)), mark.end, "")

    def _slots(self, number: int, tu: Node) -> Iterator[XmlSlot]:
        tuvs = _variants(tu)
        source = next(iter(variants(tuvs, _language_tag, self._source, self._pair.source)), None)
        # A variant without a segment cannot contain a text. It is skipped, and `_add_target` adds another.
        with_segments = (tuv for tuv in tuvs if tuv.child("seg") is not None)
        target = next(iter(variants(with_segments, _language_tag, self._target, self._pair.target)), None)
        text = source.child("seg") if source is not None else None
        if source is None or text is None:
            return
        document = self.document
        segment = target.child("seg") if target is not None else None
        unit = unit_of(document, str(number), text, segment, INLINE)
        if not unit.sentence.source:
            return
        is_draft = target is not None and _draft_mark(document, target) is not None
        status = Status.DRAFT if is_draft else Status.EDITED
        notes = tuple(self._notes(tu, source, target))
        yield XmlSlot(unit, status if unit.target else Status.NOT_STARTED, notes, tu, source, target)

    def _add_target(self, slot: XmlSlot, text: str, is_draft: bool) -> None:
        document, source = self.document, slot.source
        segment = source.child("seg")
        if not text or segment is None:
            return
        attribute = "xml:lang" if "xml:lang" in source.attributes else "lang"
        outer, inner = document.blank_before(source), document.blank_before(segment)
        before = f"{inner}{_draft_prop(source.prefix)}" if is_draft else ""
        tail = document.text[segment.end : source.inner_end]
        content = to_source(document, slot.unit.fill(text))
        name, seg = f"{source.prefix}tuv", f"{segment.prefix}seg"
        new = f'<{name} {attribute}="{self._target_name}">{before}{inner}<{seg}>{content}</{seg}>'
        end = f"{tail if not tail.strip() else ''}</{name}>"
        document.splice(source.end, source.end, f"{outer}{new}{end}")

    def _notes(self, tu: Node, source: Node, target: Node | None) -> Iterator[Note]:
        for holder in (tu, source, target):
            for child in holder.children if holder is not None else ():
                text = self.document.plain(child) if child.name in ("note", "prop") else ""
                if text and child.name == "note":
                    yield Note(NoteKind.NOTE, text)
                elif text and child.get("type") != _DRAFT_TYPE:
                    yield Note(NoteKind.PROPERTY, text, (child.get("type"),))


def _variants(tu: Node) -> list[Node]:
    return [child for child in tu.children if child.name == "tuv"]


def _language_tag(tuv: Node) -> str:
    return tuv.get("xml:lang") or tuv.get("lang")


def _language(tuv: Node) -> str:
    return base_language(_language_tag(tuv))


def _draft_mark(document: XmlText, tuv: Node) -> Node | None:
    for child in tuv.children:
        if child.name == "prop" and child.get("type") == _DRAFT_TYPE and document.plain(child) == _DRAFT:
            return child
    return None


def _draft_prop(prefix: str) -> str:
    return f'<{prefix}prop type="{_DRAFT_TYPE}">{_DRAFT}</{prefix}prop>'


FORMAT = UnitFormat("tmx", "Translation memory", (".tmx",), _Memory)
