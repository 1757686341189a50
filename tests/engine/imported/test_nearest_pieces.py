"""A shortlist that is computed: which pieces it has, what it refuses, and that drafts keep to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.cli import main
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.loading import import_model, load_imported
from anaphora_nmt.imported.nearest_pieces import MOST, NearestPieces
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.text.vocabulary import EOS, UNK
from anaphora_nmt.types import SearchOptions, SourceSegment

PLAIN = SearchOptions(memories={"confirmed": False})
COUNT = 20


@pytest.fixture(scope="module", params=["m2m100", "nllb", "opus"])
def bundle(request: pytest.FixtureRequest) -> Bundle:
    pairs = {"m2m100": Languages("zh", "en"), "nllb": Languages("zho_Hans", "eng_Latn")}
    return load_imported(
        request.getfixturevalue(request.param), pairs.get(request.param, Languages("xx", "yy"))
    )


def expected(bundle: Bundle, source: list[int], each: int, always: int) -> set[int]:
    """The same, written out."""
    sources = bundle.model.encoder.get_parameter("words.weight").double().numpy()
    targets = bundle.model.decoder.embeddings.double().numpy()
    written = bundle.target.written()
    may = [number for number, piece in enumerate(written) if piece]
    ranked: list[int] = []
    for text in bundle.target.ranked():
        ranked += [number for number in may if written[number] == text]
    wanted = {EOS, UNK, *ranked[:always]}
    for piece in source:
        cosines = [
            float(sources[piece] @ targets[number]) / max(1e-6, float(np.linalg.norm(targets[number])))
            for number in may
        ]
        wanted |= {may[at] for at in np.argsort(cosines)[::-1][:each]}
        wanted |= {number for number in may if written[number] == bundle.source.written()[piece]}
    return wanted


def drafts(bundle: Bundle, texts: list[str]) -> list[str]:
    translator = Translator(bundle, None, torch.device("cpu"))
    translator.open_document("d", [SourceSegment(str(at), text) for at, text in enumerate(texts)])
    return [translator.translate("d", str(at), PLAIN).text for at in range(len(texts))]


def test_the_nearest_pieces_are_those_of_the_greatest_cosine(bundle: Bundle, texts: list[str]) -> None:
    listed = NearestPieces(bundle.model, bundle.source, bundle.target, 5, always=7)
    assert listed.shares_embeddings
    for text in texts[:6]:
        source = bundle.source.encode(text)
        found = listed.of(source)
        assert set(found.tolist()) == expected(bundle, source, 5, 7)
        assert listed.of(source).tolist() == found.tolist()  # now of what is kept


def test_drafts_keep_to_the_list(bundle: Bundle, texts: list[str]) -> None:
    some = texts[:COUNT]
    few = NearestPieces(bundle.model, bundle.source, bundle.target, 2, always=0)
    held = drafts(replace(bundle, shortlist=few), some)
    written = bundle.target.written()
    for text, draft in zip(some, held, strict=True):
        source = bundle.source.marked(bundle.source.encode(text))
        letters = {letter for piece in few.of(source) for letter in written[piece]}
        assert set(draft) <= letters | {" "}


def test_it_is_chosen_at_the_import_and_kept(opus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    assert main(["import", str(opus), "-o", str(folder), "--nearest", "3"]) == 0
    loaded = load_imported(folder)
    assert isinstance(loaded.shortlist, NearestPieces)
    assert loaded.shortlist.of([9]).size < len(load_imported(opus).target) + 10
    assert load_imported(opus).shortlist is None


def test_embeddings_of_two_kinds_have_no_nearest_pieces(
    marian_folder: Callable[..., Path], tmp_path: Path
) -> None:
    separate = marian_folder(taught=False, share_encoder_decoder_embeddings=False)
    with pytest.raises(ModelFileError, match="embeddings of its two sides differ"):
        import_model(separate, tmp_path / "model", nearest=8)
    assert not (tmp_path / "model").exists()


@pytest.fixture
def with_card(opus: Path, tmp_path: Path) -> Callable[[object], Path]:
    """Makes a model whose card says how many near pieces there are, as a stranger may write it."""

    def make(nearest: object) -> Path:
        folder = tmp_path / "model"
        import_model(opus, folder, nearest=1)
        card = json.loads((folder / "anaphora.json").read_text("utf-8"))
        (folder / "anaphora.json").write_text(json.dumps({**card, "nearest": nearest}), "utf-8")
        return folder

    return make


@pytest.mark.parametrize(
    ("nearest", "message"),
    [
        (-5, f"1 to {MOST} can be taken"),
        (10**12, f"1 to {MOST} can be taken"),
        (MOST + 1, f"1 to {MOST} can be taken"),
        ("x", r"anaphora.json is damaged or cut off \(nearest: 'x'\)"),
        ("3", "anaphora.json is damaged"),
        (None, "anaphora.json is damaged"),
        (float("inf"), "anaphora.json is damaged"),
        (2.5, "anaphora.json is damaged"),
        (True, "anaphora.json is damaged"),
        ([3], "anaphora.json is damaged"),
    ],
)
def test_a_card_with_a_number_that_cannot_be_is_refused(
    with_card: Callable[[object], Path], nearest: object, message: str
) -> None:
    with pytest.raises(ModelFileError, match=message):
        Translator.load(with_card(nearest), "cpu")


def test_a_card_that_asks_for_near_pieces_of_two_kinds_is_refused(
    marian_folder: Callable[..., Path], with_card: Callable[[object], Path], tmp_path: Path
) -> None:
    card = with_card(3) / "anaphora.json"
    separate = marian_folder(taught=False, share_encoder_decoder_embeddings=False)
    card.rename(separate / "anaphora.json")
    with pytest.raises(ModelFileError, match="embeddings of its two sides differ"):
        load_imported(separate)


@pytest.mark.parametrize("nearest", ["-3", "1000000000000"])
def test_the_command_refuses_what_cannot_be(
    opus: Path, tmp_path: Path, nearest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "model"
    assert main(["import", str(opus), "-o", str(folder), "--nearest", nearest]) == 2
    assert f"1 to {MOST} can be taken" in capsys.readouterr().err
    assert not folder.exists()


def test_a_model_that_is_imported_again_keeps_its_shortlist(
    with_card: Callable[[object], Path], tmp_path: Path
) -> None:
    folder = with_card(3)
    for number, (nearest, kept) in enumerate([(0, 3), (5, 5)]):
        again = import_model(folder, tmp_path / str(number), nearest=nearest).shortlist
        assert isinstance(again, NearestPieces) and again.each == kept


def test_more_than_there_are_is_all_that_may_be_written(bundle: Bundle, texts: list[str]) -> None:
    written = {number for number, piece in enumerate(bundle.target.written()) if piece}
    every = NearestPieces(bundle.model, bundle.source, bundle.target, 10**6, always=0)
    assert set(every.of(bundle.source.encode(texts[0])).tolist()) == {EOS, UNK} | written
    assert set(every.of([]).tolist()) == {EOS, UNK}
    many = list(range(min(70, len(bundle.source))))
    few = NearestPieces(bundle.model, bundle.source, bundle.target, 1, always=0)
    assert set(few.of(many).tolist()) == set().union(*(few.of([piece]).tolist() for piece in many))


def test_sides_without_a_common_piece_share_no_embeddings(bundle: Bundle) -> None:
    listed = NearestPieces(bundle.model, bundle.source, bundle.target, 1)
    listed._copied = {}
    assert not listed.shares_embeddings
