"""A shortlist that is computed: which pieces it has, what it refuses, and that drafts keep to it."""

from __future__ import annotations

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
from anaphora_nmt.imported.nearest_pieces import NearestPieces, shares_embeddings
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
    assert shares_embeddings(bundle.model, bundle.source, bundle.target)
    listed = NearestPieces(bundle.model, bundle.source, bundle.target, 5, always=7)
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
    separate = marian_folder(share_encoder_decoder_embeddings=False)
    with pytest.raises(ModelFileError, match="embeddings of its two sides differ"):
        import_model(separate, tmp_path / "model", nearest=8)
    assert not (tmp_path / "model").exists()
