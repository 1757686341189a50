"""Systems as data, fair comparisons, and interrupted runs that give the same results."""

from __future__ import annotations

import json
import lzma
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.config import ConfigError, TrainingConfig
from anaphora_nmt.errors import CorpusError, ModelFileError
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.pipeline.suggesting.corpus import CorpusTranslator
from anaphora_nmt.training.configuration import load_configuration, order_stages, own_stages
from anaphora_nmt.training.runs import DataPaths, RunRecord, load_run
from anaphora_nmt.training.stages import train_stages
from experiments.cli import main
from experiments.commands.train import evaluate
from experiments.systems import (
    CONFIGURATIONS,
    SystemConfig,
    load_systems,
    system_from,
    train_system,
)
from experiments.translations import TestSet, read_test_set

sys.path.insert(0, str(Path(__file__).parent))
import small_systems as small

pytestmark = pytest.mark.slow  # they share runs that take a while
SET_NAMES = ("set", "set-confirmed")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("experiments") / "prepared"
    small.prepare(folder)
    TestSet("small", (("这着跑", "这着跑", "这着跑"), ("跑着",))).save(folder)
    return folder


@pytest.fixture(scope="module")
def runs(prepared: Path) -> Path:
    """Uninterrupted runs of a cache and of a fine-tuned system."""
    folder = prepared.parent / "runs"
    for name in ("cache", "kvmematt"):
        assert train_stages(small.experiment(prepared, folder), [name], train=train_system)
    return folder


def check_controls(systems: dict[str, SystemConfig]) -> list[str]:
    """Descriptions of unfair comparisons; empty if all are fair.

    A fine-tuned system's baseline starts from the same weights and trains as long, on as many pieces; one
    from scratch is compared with a baseline from scratch of the same budget; memories on a frozen model are
    compared with that model.
    """
    unfair = []
    for system in systems.values():
        baseline = systems[system.baseline] if system.baseline else None
        if baseline is None:
            continue
        if system.second_pass is not None:
            fair = system.initial == baseline.name or (
                baseline.second_pass == system.second_pass and baseline.initial == system.initial
            )
        else:
            fair = _budget(system) == _budget(baseline) and bool(system.initial) == bool(baseline.initial)
        if not fair:
            unfair.append(f"{system.name} and its baseline {baseline.name} differ in budget or start")
    return unfair


def _budget(system: SystemConfig) -> TrainingConfig | None:
    """Its training settings without separate objectives and rates of parts that its baseline lacks."""
    return replace(system.training, eos_weight=0.0, fresh_rate=1.0) if system.training else None


def test_packaged_systems_are_complete_and_compared_fairly() -> None:
    systems = load_systems()
    assert check_controls(systems) == []
    for name, system in systems.items():
        order = order_stages(systems, [name])
        assert order[-1] == name and len(set(order)) == len(order)
        assert system.title and (system.baseline is None or systems[system.baseline].family == system.family)
        if system.initial and system.training and system.baseline:
            control = systems[system.baseline]
            assert (control.initial, control.training.updates) == (  # type: ignore[union-attr]
                systems[name].initial,
                system.training.updates,
            )


def test_every_packaged_model_can_be_built() -> None:
    with torch.device("meta"):
        for model in {system.model for system in load_systems().values()}:
            TranslationModel(replace(model, source_pieces=26000, target_pieces=8000))


def test_unfair_comparison_is_reported() -> None:
    systems = small.systems()
    assert check_controls(systems) == []
    long = replace(systems["kvmematt"], training=replace(systems["kvmematt"].training, updates=41))
    assert "kvmematt" in check_controls({**systems, "kvmematt": long})[0]
    assert check_controls({**systems, "kvmematt": replace(systems["kvmematt"], baseline="base")})


def test_bad_systems_are_refused() -> None:
    for change, message in (
        ({"like": "nothing"}, "nothing"),
        ({"like": "kvmematt", "baseline": "nothing"}, "nothing"),
        ({"like": "bad"}, "depends on it"),
        ({"like": "base", "training": None}, "must have"),
        ({"like": "cache", "initial": None}, "frozen"),
        ({"like": "base", "colour": "red"}, "colour"),
    ):
        with pytest.raises(ConfigError, match=message):
            system_from("bad", {**small.RAW, "bad": {"title": "Bad", **change}})
    with pytest.raises(ConfigError, match="circle"):
        circle = {**small.systems()}
        circle["base"] = replace(circle["base"], initial="continued")
        order_stages(circle, ["kvmematt"])


def test_a_run_is_loaded_as_it_was_trained(runs: Path, prepared: Path) -> None:
    record = RunRecord.load(runs / "cache")
    assert record.finished and record.updates == 60 and record.pieces_seen > 0
    assert record.parameters > 0 and record.training_seconds > 0
    saved = json.loads((runs / "cache" / "system.json").read_text())
    assert saved["baseline"] == "base" and saved["system"]["model"]["target_pieces"] > 0
    loaded = load_run(runs / "cache", DataPaths(prepared))
    base = load_run(runs / "base", DataPaths(prepared)).model
    for name, value in base.base.state_dict().items():
        assert torch.equal(loaded.model.base.state_dict()[name], value), name
    weights = load_file(runs / "cache" / "memory.safetensors")
    assert all(torch.equal(loaded.model.memory_state()[name], value) for name, value in weights.items())
    curve = [json.loads(line) for line in (runs / "cache" / "memory_curve.jsonl").read_text().splitlines()]
    assert [entry["update"] for entry in curve] == [0, 20, 40, 60]
    assert curve[-1]["continuous_cache"] < curve[-1]["base"]


def test_fine_tuning_starts_from_the_initial_run(runs: Path, prepared: Path) -> None:
    base = load_file(runs / "base" / "last" / "model.safetensors")
    tuned = load_file(runs / "continued" / "last" / "model.safetensors")
    state = json.loads((runs / "kvmematt" / "last" / "state.json").read_text())
    assert state["fresh"] and set(state["fresh"]) == set(
        load_file(runs / "kvmematt" / "last" / "model.safetensors")
    ) - set(base) - {
        f"decoder.writers.0.address.{part}"
        for part in ("key.weight", "query.bias", "query.weight", "score.weight")
    }
    far = {name: float((tuned[name] - base[name]).abs().max()) for name in base}
    assert 0 < max(far.values()) < 1.0
    assert RunRecord.load(runs / "continued").updates == RunRecord.load(runs / "kvmematt").updates == 20
    with pytest.raises(ModelFileError, match="train base first"):
        train_system(small.experiment(prepared, runs.parent / "elsewhere"), "continued")


def test_other_settings_do_not_overwrite_a_run(runs: Path, prepared: Path) -> None:
    with pytest.raises(ConfigError, match="other settings"):
        train_system(small.experiment(prepared, runs, 2.0), "base")


def test_confirmed_memory_is_fitted_after_training(runs: Path, prepared: Path) -> None:
    """A memory is also fitted if nothing is trained; both have the same gate."""
    experiment, gates = small.experiment(prepared, runs), []
    for name, memories in (("combined", {"continuous_cache", "confirmed"}), ("fitted", {"confirmed"})):
        assert train_system(experiment, name).finished
        model = load_run(runs / name, DataPaths(prepared)).model
        assert set(model.config.memories) == memories
        fitted, given = model.config.get("confirmed"), experiment.stages[name].memory.get("confirmed")
        assert fitted != given and fitted.context_share == given.context_share
        gates.append(fitted)
        evaluate(experiment, name, ["small"], 1, 8)
        assert (runs / name / "outputs.small.json").exists()
    assert gates[0] == gates[1]


def test_translations_of_a_test_set(runs: Path, prepared: Path) -> None:
    experiment = small.experiment(prepared, runs)
    evaluate(experiment, "cache", ["small"], 2, 8)
    path = runs / "cache" / "outputs.small.json"
    outputs = json.loads(path.read_text())
    assert (outputs["set"], outputs["beam"], len(outputs["hypotheses"])) == ("small", 2, 4)
    assert outputs["seconds"] > 0 and outputs["words"] == sum(len(x.split()) for x in outputs["hypotheses"])
    before = path.stat().st_mtime_ns
    evaluate(experiment, "cache", ["small"], 2, 8)
    assert path.stat().st_mtime_ns == before, "done already"
    with pytest.raises(CorpusError, match="no test set"):
        read_test_set("unknown", prepared)
    empty = load_run(runs / "base", DataPaths(prepared)).model
    assert not empty.config.memories and not empty.attached


def test_references_can_enter_the_memory(runs: Path, prepared: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "set.jsonl.xz"
    segments = [["这着跑", "a b"], ["这着跑", "b a"], ["跑着", "b"]]
    with lzma.open(corpus, "wt", encoding="utf-8") as file:
        file.write(json.dumps({"doc": "d", "source": "s", "licence": "l", "segments": segments}))
    sets = [f"set={corpus}", f"set-confirmed={corpus}"]
    assert read_test_set(sets[0], prepared).confirmed is None
    assert read_test_set(sets[1], prepared).confirmed == (("a b", "b a", "b"),)
    experiment = small.experiment(prepared, runs)
    given: list[object] = []
    translate = CorpusTranslator.translate

    def watched(self: CorpusTranslator, *arguments: object, **named: object) -> list[list[str]]:
        given.append(arguments[2])
        return translate(self, *arguments, **named)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CorpusTranslator, "translate", watched)
        evaluate(experiment, "cache", sets, 2, 8)
        assert given == [None, (("a b", "b a", "b"),)]
        evaluate(experiment, "base", sets, 2, 8)
        assert len(given) == 3, "without a memory the history has no effect, so it is not translated twice"
    plain, confirmed = (json.loads((runs / "base" / f"outputs.{n}.json").read_text()) for n in SET_NAMES)
    assert confirmed == {**plain, "set": "set-confirmed"}


def test_training_stops_at_time_limit_and_continues(runs: Path, prepared: Path) -> None:
    experiment = small.experiment(prepared, prepared.parent / "clock")
    calls = 0
    while not train_stages(experiment, ["cache"], 0.004, train_system):
        calls += 1
        assert calls < 1000
    assert calls > 1, "one call had time for everything, so nothing was tested"
    compare(runs, experiment.folder, ("base", "cache"))


def compare(one: Path, other: Path, names: tuple[str, ...]) -> None:
    """The runs' weights are equal bit for bit."""
    files = [path.relative_to(one) for name in names for path in (one / name).rglob("*.safetensors")]
    assert len(files) == 3
    for path in files:
        expected, actual = load_file(one / path), load_file(other / path)
        assert expected.keys() == actual.keys()
        for key, value in expected.items():
            assert torch.equal(value, actual[key]), (path, key)


def test_the_command_lists_and_refuses(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    assert main(["train", "--list"]) == 0
    assert "cache-shallow" in capsys.readouterr().out
    assert main(["train", "cache-rnnsearch"]) == 2
    assert "--data" in capsys.readouterr().err
    arguments = ["--data", str(tmp_path), "--runs", str(tmp_path / "runs")]
    assert main(["train", "nothing", *arguments]) == 2
    assert "there is no stage nothing" in capsys.readouterr().err


def test_every_configuration_trains_by_itself() -> None:
    for path in sorted(CONFIGURATIONS.glob("*.json")):
        stages = load_configuration(path)
        assert order_stages(stages, own_stages(path))
