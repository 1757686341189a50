"""Stored sentence boundaries give the same sentences as the rules, from a file and from its stored shape."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.segment import SegmentState
from anaphora.formats.base.format import FormatError, UnknownSegmentsError
from anaphora.formats.base.pieces import WORD, Cut, Kind, Piece, without_broken_pairs
from anaphora.formats.base.segments import cut, pieces_of_shape, shape_of, spans_at_places, spans_by_rules
from anaphora.formats.base.splicing import Filling, Fillings, assemble
from anaphora.formats.registry import fill, read_bytes
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER

TEXTS = st.text("甲乙a1。. {}/", min_size=1, max_size=6)
PIECES = st.lists(
    st.one_of(
        TEXTS.map(lambda text: Piece(Kind.TEXT, text, text)),
        TEXTS.map(lambda text: Piece(Kind.TEXT, text, "&entity;")),
        st.tuples(st.sampled_from((Kind.OPEN, Kind.CLOSE)), st.integers(1, 3)).map(
            lambda made: Piece(made[0], "", made[0].value, made[1], "bold")
        ),
        st.sampled_from(("", " ", WORD)).map(lambda text: Piece(Kind.ALONE, text, "tag", label="tag")),
        st.sampled_from((Kind.BREAK, Kind.ANCHOR)).map(lambda kind: Piece(kind, "", "start", label="start")),
    ),
    max_size=12,
)


def sentence_data(found: Cut) -> list[tuple[object, ...]]:
    return [(each.source, each.span, each.labels(), each.widths()) for each in found.sentences]


def assembled(found: Cut) -> str:
    return "".join(str(piece.raw) if piece.raw is not None else piece.text for piece in assemble(found))


def without_repeated_tags(pieces: list[Piece]) -> list[Piece]:
    """Pieces in which each pair is opened and closed once."""
    seen: set[tuple[Kind, int]] = set()
    kept = []
    for piece in pieces:
        if not piece.is_half or (piece.kind, piece.pair) not in seen:
            kept.append(piece)
            seen.add((piece.kind, piece.pair))
    return without_broken_pairs(kept)


@settings(deadline=None, max_examples=400)
@given(found=PIECES, targets=st.lists(st.sampled_from(("", "One.", "译文。")), min_size=12, max_size=12))
def test_stored_sentence_boundaries_are_reused(found: list[Piece], targets: list[str]) -> None:
    pieces = without_repeated_tags(found)
    ruled = cut(pieces, spans_by_rules(DEFAULT_SEGMENTER))
    places = spans_at_places([each.span for each in ruled.sentences])
    assert sentence_data(cut(pieces, places)) == sentence_data(ruled)
    assert sentence_data(cut(pieces_of_shape(shape_of(pieces)), places)) == sentence_data(ruled)
    sentences = [each._replace(target=target) for each, target in zip(ruled.sentences, targets, strict=False)]
    fillings = Fillings({"#0": [Filling(each.span, each.source, each.target) for each in sentences]})
    filled = fillings.of("#0", pieces)
    fillings.check()
    assert (filled is None) == (not any(each.target for each in sentences))
    if filled is not None and "译文。" not in targets:
        assert assembled(filled) == assembled(Cut(ruled.pieces, tuple(sentences)))


def test_translation_of_changed_source_is_not_written_elsewhere() -> None:
    document = read_bytes("甲句。乙句。\n".encode(), "a.txt")
    translated = [
        each.with_state(SegmentState(pseudo_translation(each.source))) for each in document.segments
    ]
    assert fill(document.data, "txt", translated).decode() == "[·甲句。] [·乙句。]\n"
    other = replace(translated[0], source="丙句。"), translated[1]
    with pytest.raises(UnknownSegmentsError, match="that were not found in the original: 1"):
        fill(document.data, "txt", other)
    with pytest.raises(UnknownSegmentsError, match="that were not found in the original: 2"):
        fill(document.data, "txt", [replace(each, block="", span=None) for each in translated])


@pytest.mark.parametrize("damaged", ["{", "[1]", '[["x","",0,""]]', '[["text","a"]]', "[" * 10**5])
def test_damaged_shape_gives_format_error(damaged: str) -> None:
    with pytest.raises(FormatError):
        pieces_of_shape(damaged)
