"""The translations of a document, and how they replace the sentences in the pieces of a block."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from anaphora.core.drafts import EMPTY
from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, Span
from anaphora.core.tags import MARK
from anaphora.formats.base.format import UnknownSegmentsError
from anaphora.formats.base.pieces import Cut, Kind, Piece, Replaced, Sentence
from anaphora.formats.base.segments import cut, spans_at_places, whole_span
from anaphora_text.han import ALL_HAN
from anaphora_text.punctuation import WIDE_FORMS

_POSITION = re.compile(r"\A%([0-9]+)\$")
_WIDE = re.compile(rf"[{WIDE_FORMS}{ALL_HAN}]")


@dataclass(frozen=True, slots=True)
class Filling:
    """A sentence of a block and its translation.

    Attributes:
        span: the sentence's position in the block's text; None for the whole block.
        source: the source as the translator saw it, to check that its tags still mean the same.
        target: the translation; "" without one, `EMPTY` to leave the text out of the file.
    """

    span: Span | None
    source: str
    target: str


class Fillings:
    """The translations of a document's blocks."""

    def __init__(
        self,
        blocks: Mapping[str, Sequence[Filling]],
        protect: Callable[[Sequence[Piece]], Sequence[Piece]] = tuple,
        unprotected: Collection[str] = (),
        units: Sequence[Segment] = (),
        pair: LanguagePair = CHINESE_TO_ENGLISH,
    ) -> None:
        """
        Args:
            blocks: all sentences of each block, in order, by the blocks' addresses.
            protect: turns placeholders in a text into tags, see `own_placeholders.tag_placeholders`.
            unprotected: the addresses of blocks to which `protect` does not apply.
            units: the units of a bilingual file with their new states.
            pair: the project's languages, for bilingual files without their own.
        """
        self.units, self.pair = units, pair
        self._protect, self._unprotected = protect, unprotected
        self._blocks = {
            address: tuple(fillings)
            for address, fillings in blocks.items()
            if any(each.target.strip() for each in fillings)
        }
        self._unused = {
            (address, each.span)
            for address, fillings in self._blocks.items()
            for each in fillings
            if each.target.strip()
        }

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def of(self, address: str, pieces: Sequence[Piece]) -> Cut | None:
        """A block's sentences, translated if their source has not changed; None if no sentence is translated.

        Args:
            pieces: the block's text, or an equal text elsewhere in the file.
        """
        fillings = self._blocks.get(address, ())
        if not fillings:
            return None
        spans = [each.span for each in fillings if each.span is not None]
        protect = tuple if address in self._unprotected else self._protect
        text = cut(protect(pieces), spans_at_places(spans) if spans else whole_span)
        known = {each.span: each for each in fillings}
        sentences = []
        for sentence in text.sentences:
            span = sentence.span if spans else None
            filling = known.get(span)
            if filling is not None and filling.source == sentence.source:
                sentence = sentence._replace(target=filling.target.strip())
                self._unused.discard((address, span))
            sentences.append(sentence)
        return Cut(text.pieces, tuple(sentences)) if any(each.target for each in sentences) else None

    def check(self) -> None:
        """Raise UnknownSegmentsError if a translation was not used."""
        check_places(len(self._unused))


def check_places(count: int) -> None:
    """Raise UnknownSegmentsError if `count`, the number of translations without a place, is not 0."""
    if count:
        raise UnknownSegmentsError(
            Message("Translated segments that were not found in the original: {count}.", count=count),
            "The project was probably made with another version of Anaphora. Export it with that version.",
        )


def assemble(text: Cut) -> list[Piece]:
    """The pieces of a text with translated sentences in place of their originals.

    A space is added between two sentences if one of them is translated and the adjoining characters need it.
    Spaces between two translations are removed if Chinese or Japanese characters are on both sides.
    """
    out: list[Piece] = []
    copied_end = 0
    was_translated = False
    for sentence in text.sentences:
        gap = text.pieces[copied_end : sentence.start]
        copied_end, target = sentence.end, sentence.target
        if target and was_translated and _WIDE.match(_last_char(out)) and _WIDE.match(MARK.sub("", target)):
            gap = tuple(piece for piece in gap if piece.kind is not Kind.TEXT or piece.text.strip(" "))
        out += gap
        original = text.pieces[sentence.start : sentence.end]
        content = _translation_pieces(sentence, original, target) if target else list(original)
        if out and (target or was_translated) and wants_space(_last_char(out), _first_char(content)):
            position = len(out)
            while position and out[position - 1].kind is Kind.OPEN:
                position -= 1
            out.insert(position, Piece(Kind.TEXT, " "))
        out += content
        was_translated = bool(target)
    out += text.pieces[copied_end:]
    return [each for part in out for each in (part.raw.pieces if isinstance(part.raw, Replaced) else (part,))]


def _translation_pieces(sentence: Sentence, original: Sequence[Piece], target: str) -> list[Piece]:
    anchors = [piece for piece in original if piece.kind is Kind.ANCHOR]
    starts = [piece for piece in anchors if piece.label == "start"]
    ends = [piece for piece in anchors if piece.label != "start"]
    return starts + target_pieces(sentence, target) + ends


def target_pieces(sentence: Sentence, target: str) -> list[Piece]:
    """A target as pieces; unpaired tags are removed, crossing pairs nested, lost standalone tags appended.

    Printf arguments get the numbers in their labels (`%2$s`) if their order has changed.
    """
    target = target.replace(EMPTY, "")
    out: list[Piece] = []
    opened: dict[str, None] = {}
    standalone = dict.fromkeys(mark for mark in sentence.tags if mark.endswith("/}"))
    last = {match.group(): match.start() for match in MARK.finditer(target)}
    position = 0
    for match in MARK.finditer(target):
        mark, number = match.group(), match[2]
        if mark not in sentence.tags:
            continue
        out += _text_pieces(target[position : match.start()])
        position = match.end()
        if match[3]:
            if mark in standalone:
                del standalone[mark]
                out += sentence.tags[mark]
        elif not match[1]:
            if number not in opened and last.get(f"{{/{number}}}", -1) >= position:
                opened[number] = None
                out += sentence.tags[mark]
        elif number in opened:
            while number in opened:
                closed, _ = opened.popitem()
                out += sentence.tags[f"{{/{closed}}}"]
    out += _text_pieces(target[position:])
    for mark in (*(f"{{/{number}}}" for number in reversed(opened)), *standalone):
        out += sentence.tags[mark]
    return _with_numbers(out)


def _with_numbers(pieces: list[Piece]) -> list[Piece]:
    order = [int(number) for piece in pieces for number in _POSITION.findall(piece.label)]
    if order == [*range(1, len(order) + 1)]:
        return pieces
    return [
        piece._replace(raw=type(piece.raw)(piece.raw.replace(_POSITION.sub("%", piece.label), piece.label)))
        if isinstance(piece.raw, str)
        else piece
        for piece in pieces
    ]


def _text_pieces(text: str) -> list[Piece]:
    return [Piece(Kind.TEXT, text)] if text else []


def _last_char(pieces: list[Piece]) -> str:
    for piece in reversed(pieces):
        if piece.kind is Kind.BREAK or (piece.kind is Kind.TEXT and not piece.text):
            return "\n"
        if piece.width:
            return piece.text[-1]
    return "\n"


def _first_char(pieces: list[Piece]) -> str:
    return next((piece.text[0] for piece in pieces if piece.width), "\n")


def wants_space(left: str, right: str) -> bool:
    """True if a space is needed between a sentence that ends with `left` and one that begins with `right`."""
    if left.isspace() or right.isspace() or _WIDE.match(left) or _WIDE.match(right):
        return False
    return left not in "([{“‘" and right not in ".,;:!?)]}”’"


def spliced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """Replace non-overlapping spans of a text; insertions at one position stay in their order."""
    out: list[str] = []
    copied_end = 0
    for start, end, new in sorted(changes, key=lambda change: change[:2]):
        out += (text[copied_end:start], new)
        copied_end = end
    return "".join((*out, text[copied_end:]))
