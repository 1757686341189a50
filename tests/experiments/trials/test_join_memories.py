"""A model folder gets the memories of a run beside its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from safetensors.torch import save_file

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.training.memory import MEMORY_WEIGHTS
from anaphora_nmt.training.runs import RunRecord
from experiments.systems import load_systems
from experiments.trials.join_memories import join


def test_both_are_there_and_the_model_stays_as_it_is(tmp_path: Path) -> None:
    model, run, out = embedded_model(), tmp_path / "run", tmp_path / "joined"
    stage = load_systems()["combined-shipped"].stage
    before = load_bundle(model)
    cache = MemoryAugmentedModel(before.model, stage.memory, WordVocabulary(before.target)).memory_state()
    run.mkdir()
    save_file(cache, run / MEMORY_WEIGHTS)
    RunRecord(stage).save(run)
    join(model, run, out)
    after = load_bundle(out)
    assert set(after.memory.memories) == {*before.memory.memories, "continuous_cache"}
    assert after.memory.read == before.memory.read
    assert after.memory_tensors.keys() == {*before.memory_tensors, *cache}
    assert (out / "trained.safetensors").read_bytes() == (model / "trained.safetensors").read_bytes()
    whole = MemoryAugmentedModel(after.model, after.memory, WordVocabulary(after.target))
    whole.load_memory_state(after.memory_tensors)
    with pytest.raises(ConfigError, match="already"):
        join(out, run, tmp_path / "again")
    RunRecord(replace(stage, initial="transformer")).save(run)
    with pytest.raises(ConfigError, match="stands on"):
        join(model, run, tmp_path / "other")
