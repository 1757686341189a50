"""Model folders: saving and loading agree; damage is reported."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.models.bundle import Bundle, load_bundle, save_bundle
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.pretrained import PretrainedEncoder
from anaphora_nmt.quality.estimator import QualityEstimator, Thresholds, fit_regression
from anaphora_nmt.quality.evidence import TrainingText
from anaphora_nmt.text.vocabulary import BOS, EOS, SegmentedVocabulary, Vocabulary, vocabulary_from_pieces
from anaphora_nmt.text.word_list import WORDS_FILE, WordList

ENCODERS = {
    "pretrained": EncoderConfig(
        kind="pretrained", width=16, layers=2, frozen_layers=1, heads=2, feed_forward=24
    ),
    "recurrent": EncoderConfig(kind="recurrent", width=12, layers=1, embedding=10),
}
DECODER = DecoderConfig(kind="recurrent", width=14, embedding=10, attention=8, feedback="tanh")
LETTERS = [(letter, -2.0) for letter in "▁abcd我们训练"]


def make(kind: str) -> Bundle:
    torch.manual_seed(0)
    serialized = vocabulary_from_pieces(LETTERS)
    source = (SegmentedVocabulary if kind == "recurrent" else Vocabulary)(serialized)
    config = ModelConfig(len(source), len(source), ENCODERS[kind], DECODER)
    model = TranslationModel(config).eval()
    return Bundle("tiny", model, source, Vocabulary(serialized), MemoryConfig(), {}, Path())


def logits(bundle: Bundle) -> torch.Tensor:
    source = torch.tensor([[BOS, *bundle.source.encode("我们训练ab"), EOS]])
    target = torch.tensor([[*bundle.target.encode("abcd"), EOS]])
    with torch.inference_mode():
        return bundle.model.decoder.logits(bundle.model.force_decode(bundle.model.encode(source), target))


@pytest.mark.parametrize("kind", list(ENCODERS))
@pytest.mark.slow
def test_saved_and_loaded(kind: str, tmp_path: Path) -> None:
    bundle = make(kind)
    save_bundle(tmp_path, bundle, None, None)
    loaded = load_bundle(tmp_path)
    assert loaded.model.config == bundle.model.config
    assert loaded.name == "tiny"
    assert type(loaded.source) is type(bundle.source)
    assert not loaded.model.training
    torch.testing.assert_close(logits(loaded), logits(bundle), atol=0.01, rtol=0.01)


def test_matrices_are_stored_in_8_bits_with_a_scale_for_each_row(tmp_path: Path) -> None:
    bundle = make("recurrent")
    kept = load_file(save(bundle, tmp_path) / "trained.safetensors")
    loaded = dict(load_bundle(tmp_path).model.named_parameters())
    for name, weights in bundle.model.named_parameters():
        if weights.dim() == 2:
            assert kept[name + ".q8"].dtype == torch.int8 and name not in kept
            step = weights.detach().abs().amax(1, keepdim=True) / 127
            assert ((loaded[name] - weights).abs() <= step / 2 + 1e-6).all()
        else:
            torch.testing.assert_close(loaded[name], weights, atol=1e-3, rtol=1e-3)


def test_parameters_frozen_by_a_second_pass_are_saved_as_trained(tmp_path: Path) -> None:
    bundle = make("pretrained")
    trained = load_file(save(bundle, tmp_path / "before") / "trained.safetensors")
    bundle.model.requires_grad_(False)
    again = load_file(save(bundle, tmp_path / "after") / "trained.safetensors")
    assert any(name.startswith("encoder.layers.1.") for name in trained)
    assert trained.keys() == again.keys()


def save(bundle: Bundle, folder: Path) -> Path:
    save_bundle(folder, bundle, None, None)
    return folder


@pytest.mark.parametrize(
    "name",
    ["config.json", "source.model", "target.model", "frozen.safetensors", "trained.safetensors"],
)
@pytest.mark.parametrize("damage", ["missing", "empty", "half"])
def test_a_damaged_folder_gives_advice(name: str, damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    save_bundle(folder, make("pretrained"), None, None)
    path = folder / name
    whole = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(whole[: len(whole) // 2] if damage == "half" else b"")
    with pytest.raises(ModelFileError, match=r"[Ii]nstall"):
        load_bundle(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [("model", {"source_pieces": 5}), ("model", None), ("model", []), ("format", "x"), ("memory", {"x": 1})],
)
def test_a_wrong_configuration_gives_advice(key: str, value: object, tmp_path: Path) -> None:
    save_bundle(tmp_path, make("recurrent"), None, None)
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    with pytest.raises(ModelFileError, match=r"[Ii]nstall"):
        load_bundle(tmp_path)


def test_a_newer_folder_advises_an_update(tmp_path: Path) -> None:
    save_bundle(tmp_path, make("recurrent"), None, None)
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 999}))
    with pytest.raises(ModelFileError, match="newer version"):
        load_bundle(tmp_path)


def test_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    save_bundle(tmp_path / "a", make("pretrained"), None, None)
    save_bundle(tmp_path / "b", make("recurrent"), None, None)
    shutil.copy(tmp_path / "a" / "trained.safetensors", tmp_path / "b" / "trained.safetensors")
    with pytest.raises(ModelFileError, match=r"[Ii]nstall"):
        load_bundle(tmp_path / "b")


def test_an_estimator_of_another_model_is_refused(tmp_path: Path) -> None:
    bundle = make("recurrent")
    folder = save(bundle, tmp_path / "model")
    WordList.of(["word"]).save(folder / WORDS_FILE)
    words = load_bundle(folder).words
    assert words is not None and load_bundle(folder).quality is None
    half = fit_regression(np.zeros((4, 3)), np.full(4, 0.5))
    sizes = len(bundle.source), len(bundle.target)

    def fit(source: int, target: int) -> None:
        training = TrainingText(np.zeros(source, np.float32), np.zeros(target, np.float32), words)
        QualityEstimator(training, half, half, Thresholds(0.3, 0.2, 0.4)).save(folder)

    fit(*sizes)
    quality = load_bundle(folder).quality
    assert quality is not None and quality.thresholds == Thresholds(0.3, 0.2, 0.4)
    for source, target in ((sizes[0] + 1, sizes[1]), (sizes[0], sizes[1] - 1)):
        fit(source, target)
        with pytest.raises(ModelFileError, match="belongs to another model"):
            load_bundle(folder)
    fit(*sizes)
    (folder / WORDS_FILE).unlink()
    with pytest.raises(ModelFileError, match=WORDS_FILE):
        load_bundle(folder)


def test_blocks_of_a_pretrained_encoder_are_saved_unchanged(tmp_path: Path) -> None:
    """A block of 4-bit weights: a scale of one half, then sixteen bytes of two weights each."""
    bundle = make("pretrained")
    config = replace(ENCODERS["pretrained"], width=32, feed_forward=32)
    model = TranslationModel(replace(bundle.model.config, encoder=config)).eval()
    bundle = replace(bundle, model=model, folder=tmp_path)
    pieces, query = len(bundle.source), "layers.0.query.weight"

    def blocks(rows: int, first: int) -> np.ndarray:
        table = (np.arange(rows * 18).reshape(rows, 18) + first).astype(np.uint8)
        table[:, :2] = np.array([0.5], np.float16).view(np.uint8)
        return table

    kept = {"embedding": blocks(pieces + 3, 0), query: blocks(32, 7)}
    pretrained = PretrainedEncoder(32, [], {}, blocks=kept)
    rows = np.arange(pieces)[::-1] + 2
    save_bundle(tmp_path, bundle, pretrained, rows)
    words, query = "encoder.embedding.words.weight", f"encoder.{query}"
    read = dict(load_bundle(tmp_path).model.named_parameters())
    byte = int(kept["embedding"][rows[4], 2])
    assert (read[words][4, 0], read[words][4, 16]) == ((byte % 16 - 8) / 2, (byte // 16 - 8) / 2)
    byte = int(kept["layers.0.query.weight"][3, 2])
    assert read[query][3, 0] == (byte % 16 - 8) / 2
    key = "encoder.layers.0.key.weight"
    torch.testing.assert_close(read[key], dict(model.named_parameters())[key], atol=1e-3, rtol=1e-3)
