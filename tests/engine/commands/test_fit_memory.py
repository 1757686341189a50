"""`fit-memory`: constants of confirmed text for a model folder, from documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from anaphora_nmt.cli import main
from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.memory.confirmed import ConfirmedConfig
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle, load_bundle, save_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import SegmentedVocabulary, Vocabulary, vocabulary_from_pieces

SOURCES = [(letter, -2.0) for letter in "▁服务器数据模型文件打开保存的和，。"]
WORDS = ("server", "data", "model", "file", "open", "save", "table", "row", "page", "cache")
TARGETS = [(f"▁{word}", -2.0) for word in WORDS]
NEVER = ConfirmedConfig(size=500, threshold=0.0, gate_bias=-30.0)


@pytest.fixture()
def folder(tmp_path: Path) -> Path:
    """An untrained model, which does not follow confirmed text."""
    source = SegmentedVocabulary(vocabulary_from_pieces(SOURCES))
    target = Vocabulary(vocabulary_from_pieces(TARGETS))
    encoder = EncoderConfig("transformer", width=16, layers=1, heads=2, feed_forward=24)
    decoder = DecoderConfig(width=16, layers=1, heads=2, feed_forward=24)
    torch.manual_seed(0)
    model = TranslationModel(ModelConfig(len(source), len(target), encoder, decoder)).eval()
    memory = MemoryConfig(
        {"continuous_cache": ContinuousCacheConfig(size=8), "confirmed": NEVER}, read=("confirmed",)
    )
    tensors = MemoryAugmentedModel(model, memory, WordVocabulary(target)).memory_state()
    path = tmp_path / "model"
    save_bundle(path, Bundle("toy", model, source, target, memory, tensors, path), None, None)
    return path


def corpus(path: Path) -> Path:
    """Documents that repeat one sentence."""
    pairs = [
        ("打开服务器。", "open server"),
        ("保存数据和模型。", "save data model"),
        ("文件", "table row page"),
    ]
    lines = (json.dumps({"doc": f"d{n}", "segments": [pair] * 12}) for n, pair in enumerate(pairs))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.slow
def test_fitted_constants_follow_confirmed_text_and_other_settings_stay(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, given = load_bundle(folder), str(corpus(tmp_path / "corpus.jsonl"))
    arguments = ["fit-memory", "--model", str(folder), "--train", given, "--dev", given]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    first, last, plain = (float(word) for word in printed.split() if word[0].isdigit())
    assert first == pytest.approx(plain, abs=1e-3) and last < plain - 0.5
    after = load_bundle(folder)
    fitted = after.memory.get("confirmed")
    assert fitted.gate_bias > NEVER.gate_bias and (fitted.size, fitted.threshold) == (500, 0.0)
    assert after.memory == before.memory.with_memories(confirmed=fitted) and after.name == before.name
    assert main(arguments) == 0
    assert "not changed" in capsys.readouterr().out and load_bundle(folder).memory == after.memory


def test_too_little_confirmed_text_is_reported(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text(json.dumps({"doc": "d", "segments": [("打开服务器。", "open server")] * 3}), "utf-8")
    assert main(["fit-memory", "--model", str(folder), "--train", str(path)]) == 2
    assert "40 segments are needed" in capsys.readouterr().err
