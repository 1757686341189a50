"""Where the segments of projects of earlier versions stand: found once, when such a project is opened.

Up to schema 8 a segment was named by the number of its block and its sentence ("2/17.1.89ab12cd"), and a file
was parsed and split again by the rules kept with it to find it. Here its block is found by that number, and
its place in the block's text by its source; what cannot be found keeps its text and has no place. Texts that
earlier versions did not offer come as new segments at their places. Runs off the window's thread.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count

from PySide6.QtCore import QCoreApplication, QLocale

from anaphora.core.errors import AnaphoraError
from anaphora.core.ids import project_id
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, Span
from anaphora.core.shortening import is_editable
from anaphora.core.tags import MARK
from anaphora.formats.base.format import Reading
from anaphora.formats.base.pieces import Block, Kind, Piece, Sentence
from anaphora.formats.base.segments import segments_of, shape_of
from anaphora.formats.base.sentence_splitting import at_places, cut
from anaphora.formats.office import docx
from anaphora.formats.registry import READER, find_blocks
from anaphora.reading.retagging import as_text, places_now, retagged
from anaphora.reading.segmenters import user_segmenter
from anaphora.store.project import ProjectStore

_PROPERTY = "(Title|Subject|Keywords|Category) of the document|Comments on the document"
_TIPS = "#(hlinkClick|hlinkHover)[0-9]"
_MORE = "#(hlinkMouseOver|name)[0-9]"
_LATE = {
    "docx": (
        "#(textpath|listItem|listEntry|default|helpText|statusText)[0-9]",
        _PROPERTY,
        f"{_TIPS}|#(hyperlink|alias|tblCaption|tblDescription)[0-9]|#(shape|rect|group|roundrect)[0-9]+@title"
        "|#(instrText|lvlText)[0-9]|Prompt in an empty field|Property of the document",
        "chart[eE]x|drawings/drawing",
        _MORE,
    ),
    "pptx": (_PROPERTY, _TIPS, "#section[0-9]+@name", "chartEx|drawings/drawing", _MORE),
    "xlsx": (_PROPERTY, f"{_TIPS}|#(dataValidation|hyperlink)[0-9]|chartEx|diagrams/", "Caption", _MORE),
    "epub": ("Title in the book's guide|Alternative text of a formula|[.]svg#",),
    "html": ("Alternative text of a formula",),
    "markdown": (
        r"\|(Footnote|Title|\w*[tT]itle|\w*label|description|summary|abstract|excerpt|lead|tagline|caption"
        r"|details|text|headline)$",
    ),
    "odt": (
        "Tip on a link|Label of the items of a list|Choice of a list|Property of the document"
        "|(Title|Description) of a table",
    ),
}
"""What versions before the ninth schema numbered last, by address or note: version 0.4 did not know it."""
_BEHIND_ITS_PART = re.compile("#(v|pt|instrText|name)[0-9]")
_MOST_TAGS = 8
"""Placeholders that are tried at an edge of a sentence."""
_MOST_PIECES = 500_000
"""What is looked through for that in one text: only one that was made for it has more."""
_BEGINS = re.compile(r"(\{/?[0-9]+\})*\{[0-9]+/\}")
_ENDS = re.compile(r"\{[0-9]+/\}(\{/?[0-9]+\})*\Z")
"""Sources with a placeholder of a word at an edge."""
_NUMBER = re.compile(r"[0-9]+/([0-9]+)\.")


def locate(store: ProjectStore) -> tuple[str, ...]:
    """Give the segments of documents that earlier readers read their places; returns what a user should know.

    Raises:
        ProjectError: the project is damaged, or cannot be written.
    """
    stale = [info for info in store.documents() if info.reader < READER]
    if not stale:
        return ()
    segments: dict[str, list[Segment]] = defaultdict(list)
    for segment in store.load_document():
        segments[segment.document].append(segment)
    new = 0
    for info in stale:
        old = segments[info.id]
        try:
            rows, shapes = _located(info, store.original(info.id), old)
        except AnaphoraError:
            # It was readable once; without places it can still be translated.
            rows, shapes = old, {}
        new += len(rows) - len(old)
        store.locate_segments(info.id, rows, shapes, READER)
    if not new:
        return ()
    text = QCoreApplication.translate(
        "Import", "Segments that earlier versions did not read, now at their places in the documents: {0}."
    )
    return (text.format(QLocale().toString(new)),)


def _located(info: DocumentInfo, data: bytes, old: list[Segment]) -> tuple[list[Segment], dict[str, str]]:
    """The segments of a document, new ones among them, at their places, and the shapes of its blocks."""
    reading = Reading(info.language, info.encoding, info.choices)
    blocks = find_blocks(data, info.format, reading).blocks
    earlier = docx.FORMAT.blocks_as_in_0_4(data, reading) if info.format == "docx" and not info.reader else ()
    matching = _Matching(info.format, blocks, earlier)
    placed = matching.placed(old)
    if not placed and not info.reader:
        return old, {}
    left = [block for block in blocks if block.address not in matching.used]
    others, shapes = segments_of(left, user_segmenter(info.language))
    shapes |= {block.address: shape_of(block.pieces) for block in matching.used.values() if block.pieces}
    new = []
    taken = {each.id for each in old}
    without = {each.source: each for each in reversed(old) if each.id not in placed}
    for segment in filter(is_editable, others):
        known = without.pop(segment.source, None)
        if known is None:
            identifier = _free_id(project_id(info.id, segment.id), taken)
            taken.add(identifier)
            new.append(replace(segment, id=identifier, document=info.id))
        else:
            placed[known.id] = replace(segment, id=known.id, document=info.id, state=known.state)
    return _in_order(old, placed, new, blocks), shapes


def _free_id(wanted: str, taken: Container[str]) -> str:
    """An id for a new segment: one that is read otherwise now may stand where it begins and ends."""
    numbered = (f"{wanted}~{number}" for number in count(2))
    return next(free for free in chain((wanted,), numbered) if free not in taken)


def _in_order(
    old: Iterable[Segment], placed: Mapping[str, Segment], new: Iterable[Segment], blocks: Iterable[Block]
) -> list[Segment]:
    """Segments in the order of their document; one without a place stays behind the one before it."""
    rows = {block.address: row for row, block in enumerate(blocks)}

    def place(segment: Segment) -> tuple[int, int, int]:
        return rows[_base(segment.block)], segment.span[0] if segment.span else 0, 0

    ordered = [(place(segment), segment) for segment in new]
    last = (-1, 0, 0)
    for segment in old:
        found = placed.get(segment.id)
        last = (*last[:2], last[2] + 1) if found is None else place(found)
        ordered.append((last, found or replace(segment, block="", span=None)))
    return [segment for _, segment in sorted(ordered, key=lambda each: each[0])]


class _Matching:
    """Which blocks the segments of a document stand in.

    Attributes:
        used: the blocks that have been found, by the address that they have now.
    """

    def __init__(self, format_name: str, blocks: Sequence[Block], earlier: Sequence[Block]) -> None:
        self.used: dict[str, Block] = {}
        self._ordered = _in_old_order(format_name, blocks)
        self._by_address = {block.address: block for block in blocks}
        self._are_units = any(block.unit is not None for block in blocks)
        self._as_in_0_4 = {_base(block.address): block for block in earlier}
        self._by_text: dict[object, deque[Block]] = defaultdict(deque)
        for block in self._ordered:
            self._by_text[_text(block)].append(block)
            self._by_text[_text(block), block.notes].append(block)

    def placed(self, segments: Iterable[Segment]) -> dict[str, Segment]:
        """The segments that have been found, at their places, by id."""
        groups: dict[object, list[Segment]] = defaultdict(list)
        for segment in segments:
            number = None if self._are_units else _NUMBER.match(segment.id)
            groups[segment.block or (number and int(number[1])) or segment.id].append(segment)
        waiting = list(groups.items())
        found: dict[str, Segment] = {}
        # What is surest comes first: a number says more than an equal text.
        for candidates in (self._by_number, self._by_text_and_notes, self._by_equal_text):
            left = []
            for key, group in waiting:
                tried = (self._try(block, group) for block in candidates(key, group))
                rows = next(filter(None, tried), [])
                found |= {segment.id: segment for segment in rows}
                if not rows:
                    left.append((key, group))
            waiting = left
        return found

    def _by_number(self, key: object, group: Sequence[Segment]) -> list[Block]:
        if isinstance(key, int):
            block = self._ordered[key - 1] if 0 < key <= len(self._ordered) else None
        else:
            block = self._by_address.get(_base(str(key)))
            if block is None and self._are_units and (number := _NUMBER.match(str(key))):
                block = self._by_address.get(number[1])
        if block is None:
            return []
        earlier = self._as_in_0_4.get(block.address)
        return [block] if earlier is None else [block, earlier]

    def _by_text_and_notes(self, key: object, group: Sequence[Segment]) -> list[Block]:
        return self._next((_text_of(group), group[0].notes))

    def _by_equal_text(self, key: object, group: Sequence[Segment]) -> list[Block]:
        return self._next(_text_of(group))

    def _next(self, key: object) -> list[Block]:
        """The first block of a text that has not been found yet."""
        blocks = self._by_text.get(key, deque())
        while blocks and blocks[0].address in self.used:
            blocks.popleft()
        return [blocks[0]] if blocks else []

    def _try(self, block: Block, group: Sequence[Segment]) -> list[Segment]:
        """The segments at their places in a block; none if it does not hold them."""
        if _base(block.address) in self.used:
            return []
        rows: list[Segment] = []
        if block.unit is not None and [block.unit.source] == [segment.source for segment in group]:
            unit = block.unit
            described = replace(group[0], notes=unit.notes, tags=unit.tags, given=unit.given)
            rows = [replace(described, block=block.address, span=None)]
        elif block.unit is not None and len(group) == 1:
            unit = block.unit
            known = retagged(group[0], unit.source, dict(unit.tags))
            is_tagged = MARK.sub("", unit.source) == group[0].source  # what was left out has a tag now
            if known is None and (is_tagged or unit.source.split() == group[0].source.split()):
                known = replace(group[0], source=unit.source)
            if known is not None:
                described = replace(known, notes=unit.notes, tags=unit.tags, given=unit.given)
                rows = [replace(described, block=block.address, span=None)]
        elif block.unit is None and (sentences := _sentences(block.pieces, group)):
            rows = [
                replace(
                    segment,
                    block=block.address,
                    span=sentence.span,
                    notes=block.notes,
                    tags=sentence.labels(),
                )
                for segment, sentence in zip(group, sentences, strict=True)
            ]
        elif block.unit is None:
            rows = _retagged_rows(block, group)
        if rows:
            self.used[_base(block.address)] = block
        return rows


def _retagged_rows(block: Block, group: Sequence[Segment]) -> list[Segment]:
    """The segments of a text in which something has become tags; none if it is another text."""
    plain = as_text(block.pieces)
    earlier = _sentences(plain, group) if len(plain) > len(block.pieces) or plain != [*block.pieces] else ()
    if not earlier:
        return []
    places = places_now(block.pieces, [sentence.span for sentence in earlier])
    found = cut(block.pieces, at_places(places)).sentences
    if len(found) != len(group):
        return []
    rows = []
    for segment, sentence in zip(group, found, strict=True):
        labels = dict(sentence.labels())
        known = segment if segment.source == sentence.source else retagged(segment, sentence.source, labels)
        if known is None:
            return []
        described = replace(known, notes=block.notes, tags=sentence.labels())
        rows.append(replace(described, block=block.address, span=sentence.span))
    return rows


def _sentences(pieces: Sequence[Piece], group: Sequence[Segment]) -> tuple[Sentence, ...]:
    """The sentences of a text that segments are, in order; none if it is another text."""
    sources = [segment.source for segment in group]
    known = [segment.span for segment in group if segment.span is not None]
    if len(known) == len(group):
        return _cut(pieces, known, sources)
    found = _candidates(pieces, sources)
    likely = [spans[0] for spans in found]
    return _cut(pieces, likely, sources) or _cut(pieces, _tried(pieces, sources, found), sources)


def _cut(pieces: Sequence[Piece], places: Sequence[Span], sources: Sequence[str]) -> tuple[Sentence, ...]:
    """The sentences at these places; none if they are not these sources."""
    found = cut(pieces, at_places(places)).sentences if places else ()
    return found if [each.source for each in found] == sources else ()


def _candidates(pieces: Sequence[Piece], sources: Sequence[str]) -> list[list[Span]]:
    """For each source with placeholders where it may stand, the likeliest first; nothing if one cannot."""
    text = "".join(piece.text for piece in pieces if piece.kind is Kind.TEXT)
    offsets: list[int] = []
    before: dict[int, int] = {}
    after: dict[int, int] = {}
    place = 0
    for piece in pieces:
        end = place + piece.width
        if piece.kind is Kind.TEXT:
            offsets += range(place, end)
        elif piece.width:
            before[end], after[place] = place, end
        place = end
    found: list[list[Span]] = []
    done = 0
    for source in sources:
        shown, at = MARK.sub("", source), text.find(MARK.sub("", source), done)
        if at < 0 or not shown:
            shown, at = source, text.find(source, done)
        if at < 0:
            return []
        done = at + len(shown)
        # Placeholders that stand for a word are at the edges of the sentence, or beside it.
        starts, ends = _from(offsets[at], before), _from(offsets[done - 1] + 1, after)
        starts = [start for start in starts if not found or start >= found[-1][0][1]]
        starts = starts[::-1] if _BEGINS.match(source) else starts
        ends = ends[::-1] if _ENDS.search(source) else ends
        found.append([(start, end) for start in starts for end in ends])
    return found


def _tried(pieces: Sequence[Piece], sources: Sequence[str], found: Iterable[list[Span]]) -> list[Span]:
    """For each source the candidate place that reproduces it, if that is found soon enough."""
    places: list[Span] = []
    left = _MOST_PIECES
    for source, spans in zip(sources, found, strict=False):
        fits = []
        for span in spans if len(spans) > 1 and left > 0 else ():
            left -= len(pieces)
            fits += [span] if _cut(pieces, [span], [source]) else []
        places.append((fits or spans)[0])
    return places


def _from(place: int, steps: Mapping[int, int]) -> list[int]:
    """A place, and those that lie a few steps on."""
    found = [place]
    while found[-1] in steps and len(found) < _MOST_TAGS:
        found.append(steps[found[-1]])
    return found


def _in_old_order(format_name: str, blocks: Sequence[Block]) -> list[Block]:
    """Blocks in the order in which earlier versions numbered them."""
    late = [re.compile(pattern) for pattern in _LATE.get(format_name, ())]
    parts = {part: row for row, part in enumerate(dict.fromkeys(map(_part, blocks)))}

    def key(block: Block) -> tuple[int, int, bool]:
        said = "|".join((block.address, *(note.text for note in block.notes)))
        rank = max((row for row, pattern in enumerate(late, 1) if pattern.search(said)), default=0)
        row = 0 if format_name == "xlsx" else parts[_part(block)]
        return rank, row, format_name in ("docx", "pptx") and bool(_BEHIND_ITS_PART.search(block.address))

    return sorted(blocks, key=key)


def _part(block: Block) -> str:
    return block.address.partition("#")[0]


def _base(address: str) -> str:
    return address.removesuffix(docx.AS_IN_0_4)


def _text(block: Block) -> str:
    if block.unit is not None:
        return _without_marks(block.unit.source)
    return _without_marks("".join(piece.text for piece in block.pieces if piece.kind is Kind.TEXT))


def _text_of(group: Iterable[Segment]) -> str:
    return _without_marks("".join(segment.source for segment in group))


def _without_marks(text: str) -> str:
    return "".join(MARK.sub("", text).split())
