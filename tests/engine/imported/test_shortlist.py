"""The lexical shortlist of Marian's student models: reading it, and drafts with it."""

from __future__ import annotations

import struct
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sentencepiece import SentencePieceProcessor

sys.path.insert(0, str(Path(__file__).parents[2] / "app" / "support"))
from shortlists import shortlist
from taught_student import save_taught_student

from anaphora_nmt.api import Translator
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.loading import load_imported
from anaphora_nmt.types import Repeats, SearchOptions, SourceSegment, SourceTerm

LISTS = "lex.50.50.xxyy.s2t.bin"
COUNT = 2
PLAIN = SearchOptions(memories={"confirmed": False})


@pytest.fixture(scope="module")
def pairs(texts: list[str]) -> list[tuple[str, str]]:
    """Training pairs: the target is the first two words of the next text."""
    some = texts[:COUNT]
    return [(one, " ".join(two.split()[:2])) for one, two in zip(some, (*some[1:], some[0]), strict=True)]


@pytest.fixture(scope="module")
def student(
    tmp_path_factory: pytest.TempPathFactory, source_pieces: bytes, pairs: list[tuple[str, str]]
) -> Path:
    return save_taught_student(tmp_path_factory.mktemp("student") / "model", source_pieces, pairs, 60)


@pytest.fixture(scope="module")
def pieces(source_pieces: bytes) -> SentencePieceProcessor:
    processor = SentencePieceProcessor()
    processor.LoadFromSerializedProto(source_pieces)
    return processor


def lists_of(pieces: SentencePieceProcessor, pairs: list[tuple[str, str]]) -> list[list[int]]:
    """For each source piece, the pieces of the translations in its training pairs."""
    found: list[set[int]] = [set() for _ in range(pieces.GetPieceSize())]
    for source, target in pairs:
        for piece in pieces.Encode(source):
            found[piece].update(pieces.Encode(target))
    return [sorted(each) for each in found]


def drafts(folder: Path, texts: list[str], options: SearchOptions, native: bool = True) -> list[str]:
    translator = Translator.load(folder, "cpu", 1, int8=native)
    translator.open_document("d", [SourceSegment(str(at), text) for at, text in enumerate(texts)])
    return [translator.translate("d", str(at), options).text for at in range(len(texts))]


@pytest.mark.parametrize("native", [True, False], ids=["native", "torch"])
def test_drafts_are_written_with_the_pieces_of_the_list(
    student: Path, pieces: SentencePieceProcessor, pairs: list[tuple[str, str]], native: bool
) -> None:
    sources = [source for source, _ in pairs]
    wanted = drafts(student, sources, replace(PLAIN, shortlist=False), native)
    (student / LISTS).write_bytes(shortlist(2, lists_of(pieces, list(zip(sources, wanted, strict=True)))))
    assert drafts(student, sources, PLAIN, native) == wanted
    other = wanted[1]
    (student / LISTS).write_bytes(shortlist(2, [sorted(set(pieces.Encode(other)))] * pieces.GetPieceSize()))
    bundle = load_imported(student)
    held = drafts(student, sources, PLAIN, native)
    assert held[1] == other and held != wanted
    for source, draft in zip(sources, held, strict=True):
        assert bundle.shortlist is not None
        may = bundle.shortlist.of(bundle.source.encode(source)).tolist()
        assert set(draft) <= set("".join(map(bundle.target.piece, may))) | {" "}
    assert drafts(student, sources, replace(PLAIN, shortlist=False), native) == wanted


def test_terms_and_confirmed_words_need_no_list(
    student: Path, pieces: SentencePieceProcessor, pairs: list[tuple[str, str]]
) -> None:
    source, target = pairs[0]
    (student / LISTS).write_bytes(shortlist(2, [sorted(set(pieces.Encode(".")))] * pieces.GetPieceSize()))
    translator = Translator.load(student, "cpu", 1)
    translator.open_document("d", [SourceSegment("0", source), SourceSegment("1", source)])
    assert target.split()[0] not in translator.translate("d", "1", PLAIN).text
    term = SourceTerm(0, len(source), (target,))
    assert target in translator.translate("d", "1", PLAIN, terms=[term]).text
    translator.remember("d", "0", target)
    searched = SearchOptions(repeats=Repeats.NONE)
    assert target in translator.translate("d", "1", searched).text


@pytest.mark.parametrize("wrong", ["cut off", "too many pieces", "falls", "unknown piece", "no head"])
def test_damaged_or_foreign_shortlist_is_refused(
    student: Path, pieces: SentencePieceProcessor, wrong: str
) -> None:
    count = pieces.GetPieceSize()
    data = bytearray(shortlist(4, [[number] for number in range(count)]))
    if wrong == "cut off":
        data = data[:-4]
    elif wrong == "no head":
        data = data[:20]
    elif wrong == "too many pieces":
        data = bytearray(shortlist(4, [[number] for number in range(count)] + [[1]]))
    elif wrong == "falls":
        data[48 + 8 : 48 + 16] = struct.pack("<Q", 2**63)
    else:
        data[-4:] = struct.pack("<I", count)
    (student / LISTS).write_bytes(bytes(data))
    with pytest.raises(ModelFileError, match="s2t"):
        load_imported(student)
