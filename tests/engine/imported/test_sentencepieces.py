"""A foreign sentencepiece model is refused, and a missing one is reported, in each kind of folder."""

from __future__ import annotations

import io
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sentencepiece as spm

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.loading import import_model, load_imported

sys.path.insert(0, str(Path(__file__).parents[2] / "app" / "support"))
from ctranslate2_files import argos
from marian_files import save_firefox_model, save_npz_model

CODES = b"a b\nab c</w>\nd e</w>\n"


def foreign_pieces(size: int, model_type: str = "unigram") -> bytes:
    """A sentencepiece model with another alphabet."""
    model, chosen = io.BytesIO(), random.Random(1)
    words = ["".join(chosen.choices("абвгдежзиклмнопрст", k=5)) for _ in range(300)]
    spm.SentencePieceTrainer.Train(
        sentence_iterator=iter(words),
        model_writer=model,
        vocab_size=size,
        hard_vocab_limit=False,
        minloglevel=2,
        model_type=model_type,
    )
    return model.getvalue()


@pytest.fixture(params=["opus", "m2m100", "nllb", "marian", "argos"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, source_pieces: bytes) -> Path:
    match request.param:
        case "argos":
            return argos(tmp_path / "model", source_pieces)
        case "marian":
            opus = request.getfixturevalue("marian_folder")(decoder_ffn_dim=48, decoder_attention_heads=4)
            return save_npz_model(tmp_path / "model", opus)
        case name:
            return shutil.copytree(request.getfixturevalue(name), tmp_path / "model")


def languages(folder: Path) -> Languages:
    is_nllb = b"zho_Hans" in b"".join(path.read_bytes() for path in folder.glob("tokenizer.json"))
    return Languages("zho_Hans", "eng_Latn") if is_nllb else Languages("zh", "en")


def cutters(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.suffix in (".spm", ".model")]


def test_sentencepiece_model_of_other_vocabulary_is_refused(folder: Path, tmp_path: Path) -> None:
    for path in cutters(folder):
        whole = path.read_bytes()
        path.write_bytes(foreign_pieces(80, model_type="bpe"))
        with pytest.raises(ModelFileError, match="does not fit this model") as error:
            import_model(folder, tmp_path / "models" / "out", languages=languages(folder))
        assert path.name in str(error.value) and not (tmp_path / "models" / "out").exists()
        path.write_bytes(whole)
    load_imported(folder, languages(folder))


def test_byte_pair_model_reports_missing_file(folder: Path, tmp_path: Path) -> None:
    """The table of pieces has its own name, or that of a sentencepiece model."""
    for path in cutters(folder):
        path.write_bytes(CODES)
    with pytest.raises(ModelFileError, match="is not a SentencePiece model"):
        load_imported(folder, languages(folder))
    for path in cutters(folder):
        path.rename(path.with_suffix(".bpe"))
    with pytest.raises(ModelFileError, match=r"lacks the tokenizer file") as error:
        load_imported(folder, languages(folder))
    assert "Install the model again" not in str(error.value)


def test_vocabulary_size_must_match_the_model(
    marian_folder: Callable[..., Path], source_pieces: bytes, tmp_path: Path
) -> None:
    opus = marian_folder(seed=4, decoder_attention_heads=4)
    folder = save_firefox_model(tmp_path / "model", opus)
    (pieces,) = folder.glob("*.spm")
    pieces.write_bytes(foreign_pieces(40))
    with pytest.raises(ModelFileError, match="pieces, and"):
        load_imported(folder)
