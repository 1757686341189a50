"""Commands with several documents, each of which begins without a history."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from anaphora_nmt.cli import main
from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle, save_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import SegmentedVocabulary, Vocabulary, vocabulary_from_pieces

SOURCES = [(letter, -2.0) for letter in "▁服务器数据模型文件打开保存的和，。"]
WORDS = ("server", "data", "model", "file", "open", "save", "table", "row", "page", "cache")
TARGETS = [(f"▁{word}", -2.0) for word in WORDS]
FIRST = [("打开服务器。", "open server"), ("保存数据和模型。", "save data"), ("模型的数据", "model data")]
SECOND = [("保存文件。", "page cache"), ("打开模型。", "table row"), ("数据，文件", "file page")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose drafts depend on earlier sentences, if there are any."""
    source = SegmentedVocabulary(vocabulary_from_pieces(SOURCES))
    target = Vocabulary(vocabulary_from_pieces(TARGETS))
    encoder = EncoderConfig("transformer", width=16, layers=1, heads=2, feed_forward=24)
    decoder = DecoderConfig(width=16, layers=1, heads=2, feed_forward=24)
    torch.manual_seed(0)
    model = TranslationModel(ModelConfig(len(source), len(target), encoder, decoder)).eval()
    cache = ContinuousCacheConfig(size=8, gate_bias=4.0, fusion="shallow")
    memory = MemoryConfig({"continuous_cache": cache})
    tensors = MemoryAugmentedModel(model, memory, WordVocabulary(target)).memory_state()
    path = tmp_path_factory.mktemp("model")
    save_bundle(path, Bundle("toy", model, source, target, memory, tensors, path), None, None)
    return path


def corpus(path: Path, *documents: list[tuple[str, str]]) -> Path:
    lines = (json.dumps({"doc": f"d{n}", "segments": pairs}) for n, pairs in enumerate(documents))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def translated(folder: Path, path: Path, *documents: list[tuple[str, str]], options: str = "") -> str:
    path.write_text("\n\n".join("\n".join(zh for zh, _ in pairs) for pairs in documents), "utf-8")
    out = path.with_suffix(".en")
    arguments = ["translate", str(path), "--model", str(folder), "--beam", "1", "-o", str(out)]
    assert main([*arguments, *options.split()]) == 0
    return out.read_text("utf-8")


@pytest.mark.slow
def test_translate(folder: Path, tmp_path: Path) -> None:
    first, second = (translated(folder, tmp_path / "one.txt", pairs) for pairs in (FIRST, SECOND))
    assert translated(folder, tmp_path / "both.txt", FIRST, SECOND) == f"{first}\n{second}"
    joined = translated(folder, tmp_path / "joined.txt", [*FIRST, *SECOND])
    assert joined != first + second, "a history can be seen"
    plain = translated(folder, tmp_path / "plain.txt", SECOND, options="--no-memory")
    assert plain.split("\n")[0] == second.split("\n")[0] and plain != second


@pytest.mark.slow
@pytest.mark.parametrize("history", ["", "--confirmed"])
def test_evaluate(folder: Path, tmp_path: Path, history: str) -> None:
    def outputs(name: str, *documents: list[tuple[str, str]]) -> list[str]:
        path, out = corpus(tmp_path / f"{name}.jsonl", *documents), tmp_path / name
        arguments = ["evaluate", "--model", str(folder), "--corpus", str(path), "--out", str(out)]
        assert main([*arguments, "--memories", "none,cache", "--beam", "1", *history.split()]) == 0
        return (out / "cache.txt").read_text("utf-8").split("\n")[:-1]

    first, second = outputs("first", FIRST), outputs("second", SECOND)
    assert outputs("both", FIRST, SECOND) == [*first, *second]
    assert outputs("joined", [*FIRST, *SECOND]) != [*first, *second], "a history can be seen"


@pytest.mark.slow
def test_a_missing_memory_is_reported(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = corpus(tmp_path / "one.jsonl", FIRST)
    arguments = ["evaluate", "--model", str(folder), "--corpus", str(path), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--memories", "none,cache,words", "--beam", "1"]) == 0
    warnings = [line for line in capsys.readouterr().err.splitlines() if "it is not used" in line]
    assert len(warnings) == 1 and warnings[0].startswith("words: ") and "word_caches" in warnings[0]
