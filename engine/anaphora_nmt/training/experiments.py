"""Systems of the experiments as data, and the folders of their runs.

A system is a JSON file in `anaphora_nmt/systems`. Its run is a folder of that name:

    system.json          the complete configuration and what the run took (`RunRecord`)
    last/                checkpoint of the base (systems that train one)
    memory.safetensors   the memories' weights (systems that train memories on a frozen base)
    curve.jsonl          losses on the way
    outputs.<set>.json   translations of a test set

Beside the runs, `data.json` says where the prepared corpus is.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from safetensors.torch import load_file

from anaphora_nmt.config import MemoryConfig, ModelConfig, TrainingConfig, from_dict, to_dict
from anaphora_nmt.errors import ConfigError, ModelFileError
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.remembering import RememberingModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import Vocabulary
from anaphora_nmt.text.words import load_source_vocabulary
from anaphora_nmt.training.memory import MEMORY_WEIGHTS, SecondPass
from anaphora_nmt.training.pretrained_weights import adopt
from anaphora_nmt.training.run import load_base

RECORD, DATA = "system.json", "data.json"
PRETRAINED = "pretrained"  # in the place of an initial run: the model folder that --pretrained gives


@dataclass(frozen=True)
class Paper:
    """What the paper printed for a row.

    Attributes:
        citation: authors, year, title.
        where: table, data, and what the row is called there.
        measure: what the numbers are.
        baseline, value: of the paper's baseline and of its system; None where it printed none.
    """

    citation: str = ""
    where: str = ""
    measure: str = "BLEU"
    baseline: float | None = None
    value: float | None = None


@dataclass(frozen=True)
class SystemConfig:
    """A row of the results.

    A system trains a model (`training`), from scratch or from another run's weights, or it trains document
    memories on a frozen model of another run (`second_pass`). One that does neither is the model of the
    model folder that holds the pretrained weights (`initial` is `PRETRAINED`), as it is. A model that
    is fine-tuned is compared with a baseline that is fine-tuned for as long: `baseline` names a system with
    equal `initial` and `training` (`check_controls`).

    Attributes:
        name: also the folder of its run. title: for readers.
        model: sizes of vocabularies are 0: the prepared data's.
        family: "cpu" (pretrained frozen encoder), "paper" (from scratch, for a GPU) or "embedded" (candidates
            for the model that ships; packaging/experiments).
        baseline: system that it is compared with; None for a baseline.
        initial: system whose run's weights it starts from; None: from scratch.
        memory: document memories.
        training: None: the model is the initial run's, frozen.
        second_pass: None: no memory to train.
        paper: what was printed.
    """

    name: str
    title: str
    model: ModelConfig
    family: str = "cpu"
    baseline: str | None = None
    initial: str | None = None
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    training: TrainingConfig | None = None
    second_pass: SecondPass | None = None
    paper: Paper = field(default_factory=Paper)


@dataclass(frozen=True)
class RunRecord:
    """A run: its system and what it took.

    Attributes:
        system: with the sizes of the vocabularies filled in.
        parameters: of the whole model. trained_parameters: those that this run trained.
        training_seconds, updates, pieces_seen: of this run alone (target pieces).
        data_hash: names the prepared corpus. seed: of the run. device: it was trained on.
        finished: whether training reached its end.
    """

    system: SystemConfig
    parameters: int = 0
    trained_parameters: int = 0
    training_seconds: float = 0.0
    updates: int = 0
    pieces_seen: int = 0
    data_hash: str = ""
    seed: int = 0
    device: str = "cpu"
    finished: bool = False


@dataclass(frozen=True)
class LoadedRun:
    """A run ready to translate, on the CPU in float32.

    Attributes:
        model: base and memories, in evaluation mode.
        source, target: vocabularies.
        topics: None where the system has no topic cache.
        system: its configuration.
    """

    model: RememberingModel
    source: Vocabulary
    target: Vocabulary
    topics: TopicModel | None
    system: SystemConfig


@dataclass(frozen=True)
class DataPaths:
    """Where runs find their data.

    Attributes:
        prepared: what `anaphora-nmt prepare` wrote.
        pretrained: weights of the pretrained encoder, where the systems use one.
    """

    prepared: Path
    pretrained: Path | None = None

    def save(self, runs: Path) -> None:
        """Write `data.json` beside the runs."""
        runs.mkdir(parents=True, exist_ok=True)
        pretrained = str(self.pretrained.resolve()) if self.pretrained else None
        text = json.dumps({"prepared": str(self.prepared.resolve()), "pretrained": pretrained}, indent=1)
        (runs / DATA).write_text(text + "\n", "utf-8")

    @classmethod
    def load(cls, runs: Path) -> DataPaths:
        """Read it; ModelFileError where it is missing or damaged."""
        try:
            values = json.loads((runs / DATA).read_text("utf-8"))
            pretrained = values["pretrained"]
            return cls(Path(values["prepared"]), Path(pretrained) if pretrained else None)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelFileError(
                f"{runs / DATA} should say where the runs' data is ({error}); write it, "
                'for example {"prepared": "/path", "pretrained": null}'
            ) from error


def load_systems(more: Path | None = None) -> dict[str, SystemConfig]:
    """Every packaged system by name, sorted.

    Args:
        more: a folder of further systems, which may be `like` packaged ones.
    Raises:
        ConfigError: a file is no system, or names one that there is not.
    """
    raw: dict[str, dict[str, Any]] = {}
    for folder in (files("anaphora_nmt") / "systems", *((more,) if more else ())):
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.name.endswith(".json"):
                try:
                    raw[entry.name.removesuffix(".json")] = json.loads(entry.read_text("utf-8"))
                except ValueError as error:
                    raise ConfigError(f"{entry.name} is no system: {error}") from error
    return {name: system_from(name, raw) for name in sorted(raw)}


def system_from(name: str, raw: dict[str, dict[str, Any]]) -> SystemConfig:
    """Build a system from the files' contents; what a file leaves out is as in the system it is `like`.

    Raises:
        ConfigError: see `load_systems`.
    """
    values = {**_resolved(name, raw, ()), "name": name}
    model = {"source_pieces": 0, "target_pieces": 0, **values.get("model", {})}
    system = from_dict(SystemConfig, {**values, "model": model})
    for other in (system.baseline, system.initial):
        if other not in (None, PRETRAINED) and other not in raw:
            raise ConfigError(f"system {name} names {other}, which there is not")
    if system.initial == PRETRAINED:
        if system.training or system.second_pass:
            raise ConfigError(f"system {name} is a model folder's as it is; another one may start from it")
    elif (system.training is None) == (system.second_pass is None):
        raise ConfigError(f"system {name} must have either training or second_pass")
    if system.second_pass is not None and system.initial is None:
        raise ConfigError(f"system {name} trains memories on a frozen model: say which (initial)")
    return system


def _resolved(name: str, raw: dict[str, dict[str, Any]], seen: tuple[str, ...]) -> dict[str, Any]:
    if name not in raw or name in seen:
        raise ConfigError(
            f"a system is like {name}, which " + ("is like it" if name in seen else "there is not")
        )
    values = dict(raw[name])
    like = values.pop("like", None)
    return values if like is None else _merged(_resolved(like, raw, (*seen, name)), values)


def _merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """`base` with `changes`; objects are merged key by key."""
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merged(old, value) if both else value  # type: ignore[arg-type]
    return merged


def check_controls(systems: dict[str, SystemConfig]) -> list[str]:
    """Comparisons that would not be fair, in words; empty where all are.

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
    """Its training but for objectives of its own and the rate of what its baseline has not got."""
    return replace(system.training, eos_weight=0.0, fresh_rate=1.0) if system.training else None


def with_vocabularies(system: SystemConfig, source: Vocabulary, target: Vocabulary) -> SystemConfig:
    """The system for a prepared corpus' vocabularies."""
    return replace(system, model=replace(system.model, source_pieces=len(source), target_pieces=len(target)))


def save_run(folder: Path, record: RunRecord) -> None:
    """Write `system.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    system = to_dict(record.system)
    rest = {key: value for key, value in to_dict(record).items() if key != "system"}
    values = {
        "name": record.system.name,
        "title": record.system.title,
        "baseline": record.system.baseline,
        "paper": system["paper"],
        **rest,
        "system": system,
    }
    part = folder / (RECORD + ".part")
    part.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", "utf-8")
    part.replace(folder / RECORD)


def load_record(folder: Path) -> RunRecord:
    """Read `system.json`.

    Raises:
        ModelFileError: it is missing or damaged.
    """
    try:
        values = json.loads((folder / RECORD).read_text("utf-8"))
        for key in ("name", "title", "baseline", "paper"):
            values.pop(key)
        return from_dict(RunRecord, values)
    except (OSError, ValueError, KeyError, ConfigError) as error:
        raise ModelFileError(f"{folder} is no run of an experiment: {error}") from error


def load_run(folder: Path, paths: DataPaths | None = None) -> LoadedRun:
    """Load a run, with the run that its frozen model comes from.

    Args:
        paths: where the data is, in place of what `data.json` beside the runs says.
    Raises:
        ModelFileError: something is missing or damaged.
    """
    paths = paths or DataPaths.load(folder.parent)
    system = load_record(folder).system
    source, target = load_vocabularies(system, paths.prepared)
    base = load_trained_base(folder, system, paths)
    topics = load_topics(system, paths.prepared)
    model = RememberingModel(base, system.memory, WordVocabulary(target))
    if system.second_pass is not None:
        weights = folder / MEMORY_WEIGHTS
        if not weights.exists():
            raise ModelFileError(f"{folder} has no trained memories; run the experiment to its end")
        model.load_memory_state(load_file(weights))
    return LoadedRun(model.eval(), source, target, topics, system)


def load_trained_base(folder: Path, system: SystemConfig, paths: DataPaths) -> TranslationModel:
    """The base model of a run: its own, or that of the run it is frozen from."""
    owner = folder
    while system.training is None:
        if system.initial == PRETRAINED:
            return adopt(system.model, paths.prepared, paths.pretrained)
        assert system.initial is not None
        owner = owner.parent / system.initial
        system = load_record(owner).system
    return load_base(paths.prepared, owner, paths.pretrained)


def load_vocabularies(system: SystemConfig, prepared: Path) -> tuple[Vocabulary, Vocabulary]:
    """Source and target vocabulary of a prepared corpus."""
    source = load_source_vocabulary(prepared / "source.model", system.model.encoder.kind)
    return source, Vocabulary.load(prepared / "target.model")


def load_topics(system: SystemConfig, prepared: Path) -> TopicModel | None:
    """The prepared topic model where the system has a topic cache."""
    words = system.memory.word_caches
    if words is None or words.topic_size == 0:
        return None
    return TopicModel.load(prepared / "topics.npz")


def data_hash(prepared: Path) -> str:
    """Names a prepared corpus: its training pairs and vocabularies."""
    digest = hashlib.sha256()
    for name in ("train.npz", "source.model", "target.model"):
        with (prepared / name).open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:16]
