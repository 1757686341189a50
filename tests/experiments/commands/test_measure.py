"""`python -m experiments measure` and `report` on small runs of real models, from files to files."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.config import (
    DecoderConfig,
    EncoderConfig,
    KeyMemoryConfig,
    ModelConfig,
    TrainingConfig,
    to_dict,
)
from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import Vocabulary
from anaphora_nmt.text.words import SegmentedVocabulary
from anaphora_nmt.training.alignment import Links
from anaphora_nmt.training.checkpoint import save_checkpoint
from anaphora_nmt.training.memory import MEMORY_WEIGHTS, SecondPass
from anaphora_nmt.training.runs import DataPaths, RunRecord, load_run
from experiments.cli import main
from experiments.commands.measure import HAND_ALIGNMENTS
from experiments.measures.model_probes import Prober
from experiments.systems import SystemConfig, save_record

pytestmark = pytest.mark.slow  # they share runs that take a while to make
PAIRS = 6


@pytest.fixture(scope="module")
def aligned() -> list[dict[str, Any]]:
    """A few of the packaged pairs, each from a document of its own, early in it."""
    records = json.loads(HAND_ALIGNMENTS.read_text("utf-8"))["pairs"]
    first = {record["doc"]: record for record in records if record["segment"] < 30}
    return list(first.values())[:PAIRS]


@pytest.fixture(scope="module")
def data(aligned: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """docs-zh-en's dev set: those pairs, repeated up to the place where they stand."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "docs-zh-en").mkdir()
    with lzma.open(folder / "docs-zh-en" / "dev.jsonl.xz", "wt", encoding="utf-8") as file:
        for record in aligned:
            segments = [[record["zh"], record["en"]]] * (record["segment"] + 1)
            about = {"doc": record["doc"], "source": record["source"], "licence": record["licence"]}
            file.write(json.dumps({**about, "segments": segments}) + "\n")
    path = folder / "alignments.json"
    path.write_text(json.dumps({"pairs": aligned}), "utf-8")
    return folder


@pytest.fixture(scope="module")
def runs(aligned: list[dict[str, Any]], data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain baseline, KVMemAtt with two rounds, and a cache on the baseline: weights by chance."""
    root = tmp_path_factory.mktemp("measured")
    prepared, folder = root / "prepared", root / "runs"
    prepared.mkdir()
    for name in ("source.model", "target.model"):
        (prepared / name).write_bytes((embedded_model() / name).read_bytes())
    source, target = (
        SegmentedVocabulary.load(prepared / "source.model"),
        Vocabulary.load(prepared / "target.model"),
    )
    corpus = encode_corpus(((0, one["zh"], one["en"]) for one in aligned * 6), source, target)
    corpus.save(prepared / "train.npz")
    pairs = [(2, 1), (3, 2), (4, 3)]
    offsets = np.arange(len(corpus.source) + 1) * len(pairs)
    Links(np.array(pairs * len(corpus.source), np.uint16), offsets).save(prepared / "train.links.npz")
    DataPaths(prepared).save(folder)
    sizes = len(source), len(target)
    plain = make_run(folder, "plain", sizes, "recurrent")
    make_run(folder, "rounds", sizes, "kvmematt", baseline="plain")
    memory = MemoryConfig({"continuous_cache": ContinuousCacheConfig(10)})
    system = SystemConfig("cache", plain.config, "Cache", "plain", memory=memory, second_pass=SecondPass())
    save_run(folder, replace(system, baseline="plain"), 0)
    tensors = MemoryAugmentedModel(plain, memory, WordVocabulary(target)).memory_state()
    save_file(tensors, folder / "cache" / MEMORY_WEIGHTS)
    for name, changed in (("plain", "this"), ("rounds", "these"), ("cache", "that")):
        lines = [one["en"].replace("the", changed) for one in aligned for _ in range(one["segment"] + 1)]
        values = {"set": "docs-dev", "beam": 2, "seconds": 2.0, "words": 100, "hypotheses": lines}
        (folder / name / "outputs.docs-dev.json").write_text(json.dumps(values), "utf-8")
    return folder


def make_run(
    runs: Path, name: str, sizes: tuple[int, int], kind: str, baseline: str | None = None
) -> TranslationModel:
    torch.manual_seed(3)
    encoder = EncoderConfig(kind="recurrent", width=8, layers=1, embedding=8)
    decoder = DecoderConfig(kind, width=8, embedding=8, attention=8, key_memory=KeyMemoryConfig(rounds=2))
    model = TranslationModel(ModelConfig(*sizes, encoder, decoder))
    system = SystemConfig(name, model.config, name.title(), baseline=baseline, training=TrainingConfig())
    save_run(runs, system, 7)
    optimizer = torch.optim.Adam(model.parameters())
    save_checkpoint(runs / name / "last", model, optimizer, {"model": to_dict(model.config)})
    return model


def save_run(runs: Path, system: SystemConfig, parameters: int) -> None:
    record = RunRecord(system.stage, parameters)
    record.save(runs / system.name)
    save_record(runs / system.name, system, record)


@pytest.fixture(scope="module")
def measured(runs: Path, data: Path) -> Path:
    folders = [str(runs / name) for name in ("plain", "rounds", "cache")]
    arguments = ["--data", str(data), "--alignments", str(data / "alignments.json")]
    assert main(["measure", *folders, *arguments]) == 0
    return runs


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def test_outputs_are_measured_and_compared_with_the_baseline(measured: Path) -> None:
    found = read(measured / "cache" / "measures.docs-dev.json")
    assert found["comparison"]["baseline"] == "plain"
    assert 0 < found["comparison"]["bleu"]["p"] <= 1 and found["comparison"]["signs"]["p"] > 0
    assert found["adequacy"]["words"] > 20 and found["terms"]["share"] <= 1
    assert (
        found["context_types"]["previous"] > 0 and found["context_types"]["from_reference"]["distance"] >= 0
    )
    assert -1 <= found["coherence"]["vectors"] <= 1 and "encoder" not in found["coherence"]
    assert read(measured / "plain" / "measures.docs-dev.json")["comparison"] is None
    reference = read(measured / "measures" / "reference.docs-dev.json")
    assert reference["adequacy"]["under"] == 0
    assert (measured / "measures" / "lexicon.json.gz").exists()


def test_models_are_probed(measured: Path) -> None:
    plain, rounds, cache = (read(measured / name / "measures.json") for name in ("plain", "rounds", "cache"))
    assert len(plain["alignment"]["error"]["rounds"]) == 1 and plain["matching"] is None
    assert len(rounds["alignment"]["error"]["rounds"]) == len(rounds["alignment"]["example"]["rounds"]) == 2
    assert rounds["alignment"]["error"]["rate"] == rounds["alignment"]["error"]["rounds"][-1]
    difference = rounds["alignment"]["difference"]
    assert difference["difference"] == pytest.approx(
        100 * (rounds["alignment"]["error"]["rate"] - plain["alignment"]["error"]["rate"])
    )
    assert difference["low"] <= difference["difference"] <= difference["high"] and 0 < difference["p"] <= 1
    assert "difference" not in plain["alignment"]
    example = rounds["alignment"]["example"]
    shape = np.array(example["rounds"]).shape
    assert shape == (2, len(example["target"]), len(example["source"]))
    assert all(0.2 < found["alignment"]["error"]["rate"] <= 1 for found in (plain, rounds))
    assert cache["alignment"]["error"] == plain["alignment"]["error"]  # the cache comes after the attention
    distances = cache["matching"]["by_distance"]
    assert len(distances) == cache["matching"]["slots"] == 10 and sum(distances) == pytest.approx(1, abs=0.2)
    matrix = cache["matching"]["matrix"]
    assert np.array(matrix["weights"]).shape == (len(matrix["words"]), len(matrix["slots"]))


def test_an_output_is_matched_with_what_was_said_before_it_in_its_document(
    runs: Path, aligned: list[dict[str, Any]]
) -> None:
    """First segments have no history; the second one's is the first alone."""
    prober = Prober(load_run(runs / "cache"))
    one, other = ([one["zh"]] for one in aligned[:2])
    alone = prober.matching([(one, ["the server"]), (other, ["the data"])], 9)
    assert alone is not None and alone["by_distance"] == [] and alone["matrix"] is None
    both = prober.matching([([*one, *other], ["server", "data and more data"])], 9)
    assert both is not None and len(both["by_distance"]) == len(prober._drafter.target.encode("server"))


def test_another_beam_is_not_compared(measured: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = measured / "rounds" / "outputs.docs-dev.json"
    before = path.read_text("utf-8")
    path.write_text(json.dumps({**json.loads(before), "beam": 5}), "utf-8")
    arguments = ["--data", str(data), "--alignments", str(data / "alignments.json"), "--no-model"]
    assert main(["measure", str(measured / "rounds"), *arguments]) == 0
    assert read(measured / "rounds" / "measures.docs-dev.json")["comparison"] is None
    assert "not compared" in capsys.readouterr().out
    assert main(["measure", str(measured / "rounds"), *arguments, "--only-new"]) == 0
    assert capsys.readouterr().out == ""
    path.write_text(before, "utf-8")


def test_the_report_has_every_system_and_run(measured: Path, tmp_path: Path) -> None:
    assert main(["report", str(measured), "-o", str(tmp_path / "page")]) == 0
    page = (tmp_path / "page" / "RESULTS.md").read_text("utf-8")
    assert "`rounds`" in page and "`cache`" in page and "not run" in page
    for file in ("matching-by-distance", "matching-matrix", "attention-rounds", "attention-plain"):
        assert (tmp_path / "page" / "figures" / f"{file}.svg").exists()
        assert f"(figures/{file}.svg)" in page


def test_expected_errors_are_one_line(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(tmp_path / "run"), "--data", str(data)]) == 2
    assert "data.json" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "none"), "-o", str(tmp_path)]) == 2
    assert "no folder of runs" in capsys.readouterr().err
