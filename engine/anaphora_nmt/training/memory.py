"""The second pass: memories learn on a frozen base (Tu et al., 2018, eq. 10)."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from anaphora_nmt.config import to_dict
from anaphora_nmt.errors import ConfigError, CorpusError
from anaphora_nmt.memory.protocol import Reading
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import Topic, TopicModel
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.precision import mixed_precision
from anaphora_nmt.nn.state import Features
from anaphora_nmt.text.vocabulary import PAD, Vocabulary
from anaphora_nmt.text.words import load_source_vocabulary
from anaphora_nmt.training.checkpoint import load_checkpoint, save_checkpoint
from anaphora_nmt.training.document_drafts import draft_documents
from anaphora_nmt.training.features import FeatureStore, choose_documents, compute_features
from anaphora_nmt.training.loading import load_data
from anaphora_nmt.training.memory_samples import Batch, DocumentSamples, Drafted, Sample
from anaphora_nmt.training.world import World

MEMORY_WEIGHTS, MEMORY_CONFIG, _CURVE = "memory.safetensors", "memory.json", "memory_curve.jsonl"
BASE, TOGETHER = "base", "together"
"""Beside the memories' names, keys of the losses."""


@dataclass(frozen=True)
class SecondPass:
    """How to train the memories.

    Attributes:
        updates: length of the run; 0: as many as `minutes` allow.
        minutes: time budget of the updates, for `updates` 0; the features before them take their own time.
        sentences, dev_sentences: how many to compute features of (whole documents).
        shortest: documents with fewer sentences are left out. longest: so are longer sentences, pieces.
        batch: sentences an update.
        positions: target positions of a batch that count, a random choice; the scorer is what costs. 0: all.
        pool: sentences that are shuffled together; of many documents, or the updates would sway between them.
        learning_rate: peak, of Adam; it falls to a tenth.
        drafted: share of the history that is the model's own drafts in place of references.
        score_every: minutes between scores on dev, for `updates` 0; the best weights are kept.
        score_updates: updates between scores on dev, and checkpoints, otherwise.
        bfloat16: matrix products in bfloat16 where the device multiplies in it (`nn/precision.py`).
        seed: of the choice of documents and of the shuffling.
    """

    updates: int = 0
    minutes: float = 10.0
    sentences: int = 24000
    dev_sentences: int = 1000
    shortest: int = 8
    longest: int = 120
    batch: int = 32
    positions: int = 320
    pool: int = 1500
    learning_rate: float = 7e-4
    drafted: float = 0.0
    score_every: float = 2.5
    score_updates: int = 250
    bfloat16: bool = True
    seed: int = 1


def second_pass(
    base: TranslationModel,
    target_pieces: Vocabulary,
    prepared: Path,
    topics: TopicModel | None,
    config: MemoryConfig,
    folder: Path,
    settings: SecondPass,
    features: Path | None = None,
) -> tuple[MemoryTrainer, DocumentSamples, DocumentSamples]:
    """A trainer of the memories of `config` at its start, and the documents that it trains and scores on.

    The trainer writes `memory.safetensors` and `memory.json` (the best by dev loss) and `memory_curve.jsonl`.
    The features of the base are kept: another run with the same base and documents takes them up again.

    Args:
        features: folder of the features, where other runs with the same base find them; else `folder`.
    Raises:
        CorpusError: the prepared folder is incomplete.
    """
    torch.manual_seed(settings.seed)
    model = MemoryAugmentedModel(base, config, WordVocabulary(target_pieces)).to(
        base.decoder.embeddings.device
    )
    base.requires_grad_(False)
    source_pieces = load_source_vocabulary(prepared / "source.model", base.config.encoder.kind)
    samples: list[DocumentSamples] = []
    for name, count in (("train", settings.sentences), ("dev", settings.dev_sentences)):
        data = replace(load_data(prepared, name, base.config.encoder), links=None)
        chosen = choose_documents(data.corpus, count, settings.shortest, settings.longest, settings.seed)
        if not chosen:
            raise CorpusError(
                f"no document of {name} has {settings.shortest} sentences "
                f"of {settings.longest} pieces at most; give corpora with documents"
            )
        path = (features or folder) / f"features.{name}"
        own, drafted = compute_features(base, data, chosen, path, bfloat16=settings.bfloat16), None
        if settings.drafted:
            path = path.with_name(f"drafts.{name}")
            corpus = draft_documents(base, data, chosen, (source_pieces, target_pieces), path)
            of_drafts = replace(data, corpus=corpus)
            written = compute_features(base, of_drafts, chosen, path, bfloat16=settings.bfloat16)
            drafted = Drafted(written, settings.drafted)
        if name == "train":
            of_documents = target_topics(own, topics, target_pieces)
        else:
            of_documents = projected_topics(own, topics, source_pieces)
        samples.append(DocumentSamples(model, own, of_documents, drafted))
    return MemoryTrainer(model, settings, folder), samples[0], samples[1]


def target_topics(store: FeatureStore, topics: TopicModel | None, pieces: Vocabulary) -> list[Topic | None]:
    """In training a document's topic comes from its target side."""
    if topics is None:
        return [None] * len(store.documents)
    side = store.corpus.target
    return [topics.infer_target([pieces.decode(side[n]) for n in document]) for document in store.documents]


def projected_topics(
    store: FeatureStore, topics: TopicModel | None, pieces: Vocabulary
) -> list[Topic | None]:
    """Elsewhere it comes from the source side, through the projection."""
    if topics is None:
        return [None] * len(store.documents)
    side = store.corpus.source
    return [topics.infer([pieces.decode(side[n]) for n in document]) for document in store.documents]


@dataclass(frozen=True)
class Likelihoods:
    """log p of N target pieces.

    Attributes:
        base: without memory.
        alone: with each memory that holds something, as if it were the only one, by name.
        together: with all of them.
    """

    base: Tensor
    alone: Mapping[str, Tensor]
    together: Tensor


def likelihoods(model: MemoryAugmentedModel, batch: Batch, counted: Tensor) -> Likelihoods:
    """log p of the target pieces where `counted` [B, T] is true, under each choice of memories."""
    target, base = batch.target[counted], batch.log_probs[counted]
    readings = model.read(batch.steps, model.source(), batch.snapshots, counted=counted)
    output = _OutputLayer(model, batch.steps.features.select(counted))
    alone = {
        name: reading.fuse_target(output.log_probs([reading]), target) for name, reading in readings.items()
    }
    together = [*alone.values(), base][0]
    if len(readings) > 1:
        *rest, last = readings.values()
        log_probs = output.log_probs([*rest, last])
        for reading in rest:
            log_probs = reading.fuse_log_probs(log_probs)
        together = last.fuse_target(log_probs, target)
    return Likelihoods(base, alone, together)


class _OutputLayer:
    """Log-probabilities over the vocabulary at counted steps, computed once for the same deep readings."""

    def __init__(self, model: MemoryAugmentedModel, features: Features) -> None:
        self._model, self._features = model, features
        self._known: dict[tuple[int, ...], Tensor] = {}

    def log_probs(self, readings: Sequence[Reading]) -> Tensor:
        """Where readings have changed the state, [N, V]."""
        deep = [reading for reading in readings if reading.deep]
        key = tuple(map(id, deep))
        if key not in self._known:
            self._known[key] = self._model.log_probs_after(self._features, deep)
        return self._known[key]


class MemoryTrainer:
    """Adam on the memories' parameters, for updates or within a time.

    Several processes (`World`) share the sentences of each update, and its gradient is that of one process.

    Attributes:
        update: updates done. spent: seconds they took, over every run of them.
        pieces_seen: target pieces that counted.
    """

    def __init__(self, model: MemoryAugmentedModel, settings: SecondPass, folder: Path) -> None:
        self.model = model
        self.settings = settings
        self.folder = folder
        self.world = World.join()
        if self.world.size > settings.batch:
            raise ConfigError(
                f"{self.world.size} processes cannot share {settings.batch} sentences: "
                "take fewer processes, or raise second_pass.batch"
            )
        self.parameters = list(model.attached.parameters())
        groups = [{"params": self.parameters}]  # of memories without any, too
        self.optimizer = torch.optim.Adam(groups, lr=settings.learning_rate, betas=(0.9, 0.98))
        self.best = math.inf
        self.update = 0
        self.spent = 0.0
        self.pieces_seen = 0

    def resume(self) -> bool:
        """Go on from the last checkpoint of the folder, if there is one. For runs of so many updates."""
        last = self.folder / "last"
        if not last.exists() and not last.with_name("last.old").exists():
            return False
        state = load_checkpoint(last, self.model, self.optimizer)
        self.update, self.best, self.spent = state["update"], state["best"] or math.inf, state["spent"]
        self.pieces_seen = state["pieces_seen"]
        return True

    @property
    def finished(self) -> bool:
        """Whether all updates are done, or the time is spent."""
        settings = self.settings
        return self.update >= settings.updates if settings.updates else self.spent >= settings.minutes * 60

    def run(self, train: DocumentSamples, dev: DocumentSamples, minutes: float = math.inf) -> None:
        """Train to the end; save, and end with, the weights that score best on dev.

        Args:
            minutes: stop, with a checkpoint, after this time; for runs of so many updates.
        """
        settings = self.settings
        samples = train.forever(settings.pool, settings.seed, self.update * settings.batch)
        if self.update == 0:
            self._score(dev)
        begun, since = time.monotonic(), 0.0
        quiet = self.world.rank > 0
        with tqdm(
            total=settings.updates or None, initial=self.update, unit="update", desc="memory", disable=quiet
        ) as bar:
            while not self.finished:
                late = time.monotonic() - begun > minutes * 60
                gain, seconds, stop = self._train_one(train, samples, late)
                self.spent, since = self.spent + seconds, since + seconds
                bar.update()
                bar.set_postfix({"gain": f"{gain:.4f}"}, refresh=False)
                if self._due(since):
                    self._score(dev)
                    since = 0.0
                if settings.updates and (self._due(0.0) or stop or self.finished):
                    self._checkpoint()
                if stop:
                    return
        if not settings.updates or self.update % settings.score_updates:
            self._score(dev)
        self.world.wait()  # until the files are whole
        self.model.load_memory_state(load_file(self.folder / MEMORY_WEIGHTS))

    def _due(self, since: float) -> bool:
        settings = self.settings
        if settings.updates:
            return self.update % settings.score_updates == 0
        return since > settings.score_every * 60

    def _checkpoint(self) -> None:
        best = None if math.isinf(self.best) else self.best
        state = {"update": self.update, "best": best, "spent": self.spent, "pieces_seen": self.pieces_seen}
        if self.world.rank == 0:
            save_checkpoint(self.folder / "last", self.model, self.optimizer, state)

    def _train_one(
        self, train: DocumentSamples, samples: Iterator[Sample], late: bool
    ) -> tuple[float, float, bool]:
        """One update.

        Returns:
            how much the loss a piece is below the base's, the seconds it took, whether any process is late.
        """
        settings, started = self.settings, time.monotonic()
        share = self.update / settings.updates if settings.updates else self.spent / (settings.minutes * 60)
        chosen = [next(samples) for _ in range(settings.batch)]
        counted = self._choose([train.length(sample) for sample in chosen])
        pieces = sum(int(part.sum()) for part in counted)
        self.model.base.eval()
        self.optimizer.zero_grad(set_to_none=True)
        rank, processes = self.world.rank, self.world.size
        part = slice(*(settings.batch * end // processes for end in (rank, rank + 1)))
        gain = self._learn_from(train, chosen[part], counted[part], pieces)
        self.update += 1
        self.pieces_seen += pieces
        numbers = self._share_gradients([gain, time.monotonic() - started, float(late)])
        gain, seconds, lateness = numbers[0], numbers[1] / self.world.size, numbers[2]
        for group in self.optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1 - 0.9 * share) * min(1.0, self.update / 50)
        if any(parameter.grad is not None for parameter in self.parameters):  # a memory held something
            torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.optimizer.step()
        return gain, seconds, lateness > 0

    def _learn_from(
        self, train: DocumentSamples, chosen: Sequence[Sample], counted: Sequence[Tensor], pieces: int
    ) -> float:
        """Add a part's gradients of the loss a piece; what it takes from the base's loss a piece.

        Args:
            counted: the target positions of each sentence that count. pieces: those of the whole batch.
        """
        with mixed_precision(self.model.device, self.settings.bfloat16):
            batch = train.batch(chosen)
            places = pad_sequence(list(counted), batch_first=True).to(batch.target.device)
            found = likelihoods(self.model, batch, places)
        learning = [value for value in found.alone.values() if value.requires_grad]
        if not learning:  # no memory of the part holds anything yet
            return 0.0
        (-torch.stack([likelihood.sum() for likelihood in learning]).sum() / pieces).backward()
        return float((learning[-1].detach() - found.base.detach()).sum()) / pieces

    def _share_gradients(self, numbers: list[float]) -> list[float]:
        """Sum gradients and some numbers over the processes; a parameter that no one has used keeps none."""
        if self.world.size == 1:
            return numbers
        used = [float(p.grad is not None) for p in self.parameters]
        gradients = [(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.parameters]
        given = torch.tensor([*used, *numbers], device=self.model.device)
        flat = self.world.sum(torch.cat([*gradients, given]))
        found = flat[-len(given) :].tolist()
        parts = flat[: -len(given)].split([p.numel() for p in self.parameters])
        for parameter, gradient, uses in zip(self.parameters, parts, found, strict=False):
            parameter.grad = gradient.view_as(parameter) if uses else None
        return found[len(used) :]

    def _choose(self, lengths: Sequence[int]) -> tuple[Tensor, ...]:
        """Which target positions of sentences of these lengths count."""
        # a generator for each update: the same choice whether or not the run was interrupted
        generator = torch.Generator().manual_seed(self.settings.seed * 1_000_003 + self.update)
        total = sum(lengths)
        counted = torch.zeros(total, dtype=torch.bool)
        counted[torch.randperm(total, generator=generator)[: self.settings.positions or None]] = True
        return counted.split(list(lengths))

    def _score(self, dev: DocumentSamples) -> None:
        losses = dev_losses(self.model, dev)
        total = sum(loss for name, loss in losses.items() if name != BASE)
        better, self.best = total < self.best, min(total, self.best)
        if self.world.rank:
            return
        record = {"update": self.update, "seconds": round(self.spent), **losses}
        tqdm.write("dev loss a piece: " + json.dumps(record))
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / _CURVE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        if better:
            save_memories(self.folder, self.model)


@torch.inference_mode()
def dev_losses(model: MemoryAugmentedModel, dev: DocumentSamples) -> dict[str, float]:
    """Cross-entropy in nats a piece: "base", each memory alone by name, and of several "together"."""

    def measure(samples: Sequence[Sample]) -> tuple[dict[str, float], int]:
        given = dev.batch(samples)
        counted = given.target != PAD
        found = _by_choice(model, likelihoods(model, given, counted))
        return {name: float(log_probs.sum()) for name, log_probs in found.items()}, int(counted.sum())

    samples, sums, pieces = dev.all(), dict[str, float](), 0
    batches = iter(lambda: list(islice(samples, 12)), [])
    for given, counted in World.join().map(measure, batches):
        for name, value in given.items():
            sums[name] = sums.get(name, 0.0) - value
        pieces += counted
    return {name: round(value / pieces, 5) for name, value in sums.items()}


def _by_choice(model: MemoryAugmentedModel, found: Likelihoods) -> dict[str, Tensor]:
    """A memory that holds nothing is the base."""
    alone = {name: found.alone.get(name, found.base) for name in model.memories}
    together = {TOGETHER: found.together} if len(alone) > 1 else {}
    return {BASE: found.base, **alone, **together}


def save_memories(folder: Path, model: MemoryAugmentedModel) -> None:
    """Write the memories' weights and configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(model.memory_state(), folder / MEMORY_WEIGHTS)
    (folder / MEMORY_CONFIG).write_text(json.dumps(to_dict(model.config), indent=1), "utf-8")
