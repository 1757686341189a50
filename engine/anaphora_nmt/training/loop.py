"""The first pass: training of a translation model without memory, and its objectives."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from anaphora_nmt.config import TrainingConfig, to_dict
from anaphora_nmt.data.batches import draw_sentences, length_batches
from anaphora_nmt.data.binary_corpus import BinaryCorpus, pad
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.memory.document_context import NONE, corpus_context, gather_context
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.attention import at_least_float32
from anaphora_nmt.nn.devices import fastest_device, mixed_precision
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.training.alignment import Links
from anaphora_nmt.training.checkpoint import load_checkpoint, load_optimizer, save_checkpoint


def likelihood_loss(logits: Tensor, target: Tensor, smoothing: float) -> Tensor:
    """Summed cross-entropy with label smoothing, at least in single precision: [N, V], [N] → scalar."""
    logits = at_least_float32(logits)
    return functional.cross_entropy(logits, target, reduction="sum", label_smoothing=smoothing)


def two_pass_loss(logits: Tensor, target: Tensor, smoothing: float, weight: float) -> Tensor:
    """Half of the R-Drop loss (Liang et al., 2021, eq. 4) of two passes over the same text.

    The loss is the mean of the passes' cross-entropies plus α/4 times the sum of the two Kullback-Leibler
    divergences.

    Args:
        logits: those of the first pass, then those of the second, [2 N, V].
        target: [N].
        weight: α.
    """
    first, second = at_least_float32(logits).log_softmax(-1).chunk(2)
    divergence = ((first.exp() - second.exp()) * (first - second)).sum()
    return likelihood_loss(logits, target.repeat(2), smoothing) / 2 + weight / 4 * divergence


def eos_attention_loss(log_attention: Tensor, target: Tensor, mask: Tensor) -> Tensor:
    """Summed ATTEOS loss (Meng et al., 2018, eqs 17 and 18) of log-weights [B, T, S].

    The loss of a step is its attention to the source's end mark, or 1 minus this at the target's end mark.
    """
    real = target != PAD
    source_end = mask.sum(1) - 1
    steps = torch.arange(target.shape[1], device=target.device)
    weight = log_attention[torch.arange(len(target), device=target.device), :, source_end].exp()
    ends = steps == real.sum(1, keepdim=True) - 1
    return (torch.where(ends, 1.0 - weight, weight) * real).sum()


def guided_attention_loss(log_attention: Tensor, rows: Tensor, steps: Tensor, sources: Tensor) -> Tensor:
    """Summed cross-entropy of the guided head [B, T, S] against L alignment links (Chen et al., 2016).

    Each of the n links of a target piece has the weight 1/n.

    Args:
        rows, steps, sources: indices of each link, [L].
    """
    picked = log_attention[rows, steps, sources]
    share = torch.zeros_like(log_attention[..., 0])
    share.index_put_((rows, steps), torch.ones_like(picked), accumulate=True)
    return -(picked / share[rows, steps]).sum()


@dataclass(frozen=True)
class TrainingData:
    """A prepared corpus.

    Attributes:
        corpus: sentence pairs.
        links: word alignments for guided attention; if None, attention is not guided.
        weights: mean number of times that each sentence is read in an epoch; None reads each once.
    """

    corpus: BinaryCorpus
    links: Links | None = None
    weights: np.ndarray | None = None


@dataclass(frozen=True)
class Losses:
    """Sums of the three objectives over a batch (0 for unused ones), and the number of target pieces."""

    likelihood: Tensor
    guide: Tensor
    eos: Tensor
    pieces: int

    def total(self, config: TrainingConfig) -> Tensor:
        """The weighted sum of the objectives (Meng et al., 2018, eq. 19)."""
        return self.likelihood + config.guide_weight * self.guide + config.eos_weight * self.eos


class Trainer:
    """Trains a model with Adam.

    An update's gradient is the sum of its batches' gradients, divided by their number of target pieces.
    """

    def __init__(
        self,
        model: TranslationModel,
        config: TrainingConfig,
        data: TrainingData,
        folder: Path,
        fresh: Iterable[str] = (),
    ) -> None:
        """Args:
        folder: folder of the checkpoint and the curve.
        fresh: names of parameters that learn at `fresh_rate`; `resume` replaces them by the checkpoint's.
        """
        self.device = fastest_device()
        self.model = model.to(self.device)
        self.config = config
        self.data = data
        self.folder = folder
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        self.fresh = frozenset(fresh)
        self.optimizer = _optimizer(model, config, self.fresh)
        self.update = 0
        self.epoch = 0
        self.position = 0  # index of the epoch's next batch
        self.pieces_seen = 0
        self._batches: list[np.ndarray] = []

    def resume(self) -> bool:
        """Continue from the last checkpoint in the folder; return False if there is none."""
        if not (self.folder / "last").exists() and not (self.folder / "last.old").exists():
            return False
        state = load_checkpoint(self.folder / "last", self.model, None)
        self.fresh = frozenset(state.get("fresh", ()))
        self.optimizer = _optimizer(self.model, self.config, self.fresh)
        load_optimizer(self.folder / "last", self.optimizer)
        self.update, self.epoch, self.position = state["update"], state["epoch"], state["position"]
        self.pieces_seen = state["pieces_seen"]
        return True

    def save(self, keep: bool = False) -> None:
        """Write the checkpoint `last`, and with `keep` also the weights to `at-UPDATE`."""
        state: dict[str, Any] = {
            "update": self.update,
            "epoch": self.epoch,
            "position": self.position,
            "pieces_seen": self.pieces_seen,
            "fresh": sorted(self.fresh),
            "model": to_dict(self.model.config),
            "training": to_dict(self.config),
        }
        if keep:
            save_checkpoint(self.folder / f"at-{self.update}", self.model, None, state)
        save_checkpoint(self.folder / "last", self.model, self.optimizer, state)

    def run(
        self,
        minutes: float = math.inf,
        dev: TrainingData | None = None,
        every: int = 250,
        keep: Collection[int] = (),
    ) -> None:
        """Train until `config.updates` are done or `minutes` have passed.

        Args:
            dev: the dev set to score; None for no scores.
            every: number of updates between checkpoints with scores. Another one is made at the end.
            keep: updates after which another checkpoint is made, and its weights are kept in `at-UPDATE`.
        """
        started = time.monotonic()
        bar = tqdm(total=self.config.updates, initial=self.update, unit="update")
        totals = torch.zeros(4, dtype=torch.float64, device=self.device)
        interval_start = time.monotonic()
        while self.update < self.config.updates:
            is_time_up = time.monotonic() - started > minutes * 60
            totals += self.train_one()
            bar.update()
            is_kept = self.update in keep
            if self.update % every == 0 or self.update == self.config.updates or is_time_up or is_kept:
                summed = totals.cpu().numpy()  # waits for the device, so that the measured time is correct
                record = _record(self.update, summed, time.monotonic() - interval_start)
                if dev is not None:
                    record["dev_loss"] = self.score(dev)
                self.log(record)
                self.save(is_kept)
                bar.set_postfix({"loss": f"{record['loss']:.3f}", "dev": f"{record.get('dev_loss', 0):.3f}"})
                totals.zero_()
                interval_start = time.monotonic()
            if is_time_up:
                break
        bar.close()

    def train_one(self) -> Tensor:
        """Make one update without waiting for a GPU; return its three losses and number of pieces, [4]."""
        self.model.train()
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * rate_factor(self.config, self.update)
        self.optimizer.zero_grad(set_to_none=True)
        sums, pieces = torch.zeros(3, dtype=torch.float64, device=self.device), 0
        for number, batch in enumerate(self._next_batches()):
            # A seed for each batch gives a continued run the same dropout as an uninterrupted one.
            torch.manual_seed((self.config.seed * 1_000_003 + self.update) * self.config.batches + number)
            with self._precision():
                losses = self._losses(self.data, batch, self.config.label_smoothing)
            losses.total(self.config).backward()
            pieces += losses.pieces
            sums += torch.stack(
                [part.detach().double() for part in (losses.likelihood, losses.guide, losses.eos)]
            )
        for parameter in self.parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        torch._foreach_div_([p.grad for p in self.parameters if p.grad is not None], float(pieces))
        torch.nn.utils.clip_grad_norm_(self.parameters, self.config.clip)
        self.optimizer.step()
        self.update += 1
        self.pieces_seen += pieces
        return torch.cat((sums, sums.new_full((1,), pieces)))

    def _next_batches(self) -> list[np.ndarray]:
        if not self._batches:
            self._batches = self._epoch_batches()
        start, end = self.position, self.position + self.config.batches
        if end > len(self._batches):
            self.epoch, self.position = self.epoch + 1, 0
            self._batches = self._epoch_batches()
            start, end = 0, self.config.batches
        self.position = end
        return self._batches[start:end]

    def _epoch_batches(self) -> list[np.ndarray]:
        corpus, config = self.data.corpus, self.config
        seed = config.seed * 1000 + self.epoch
        order = np.arange(len(corpus.source))
        if self.data.weights is not None:
            order = draw_sentences(self.data.weights, seed)
        lengths = corpus.source.lengths_of(order), corpus.target.lengths_of(order)
        batches = [
            order[rows] for rows in length_batches(*lengths, config.batch_tokens, seed, config.max_pieces)
        ]
        if len(batches) < config.batches:
            raise CorpusError(
                f"{len(batches)} batches are too few for an update of {config.batches}; "
                "lower batch_tokens, raise max_pieces or add sentences"
            )
        return batches

    def _losses(self, data: TrainingData, batch: np.ndarray, smoothing: float) -> Losses:
        is_doubled = self.config.r_drop > 0 and self.model.training
        ids = pad(data.corpus.target, batch)
        pieces = int(np.count_nonzero(ids != PAD))
        if is_doubled:  # both passes are in one batch, with separate dropout
            batch, ids = np.concatenate((batch, batch)), np.concatenate((ids, ids))
        # The positions are computed on the CPU, because reading them from the device would block.
        positions = send(np.flatnonzero(ids != PAD), self.device)
        target = send(ids, self.device)
        encoded = encode_sources(self.model, data, batch)
        features = self.model.force_decode(
            encoded, target, data.links is not None or self.config.eos_weight > 0
        )
        logits, expected = self.model.decoder.logits(features.at(positions)), target.flatten()[positions]
        if is_doubled:
            loss = two_pass_loss(logits, expected[:pieces], smoothing, self.config.r_drop)
        else:
            loss = likelihood_loss(logits, expected, smoothing)
        guide = eos = loss.new_zeros(())
        if data.links is not None and features.attention is not None:
            links = [send(part, self.device) for part in data.links.batch(batch)]
            guide = guided_attention_loss(features.attention, *links)
        if self.config.eos_weight > 0 and features.attention is not None:
            eos = eos_attention_loss(features.attention, target, encoded.mask)
        passes = 1 + is_doubled
        return Losses(loss, guide / passes, eos / passes, pieces)

    @torch.inference_mode()
    def score(self, dev: TrainingData) -> float:
        """Cross-entropy of the dev set (pairs of up to 500 pieces) in nats per piece, without smoothing."""
        self.model.eval()
        batches = length_batches(
            dev.corpus.source.lengths, dev.corpus.target.lengths, self.config.batch_tokens, 0, 500
        )
        numbers = torch.zeros(2, dtype=torch.float64, device=self.device)
        for batch in batches:
            with self._precision():
                losses = self._losses(TrainingData(dev.corpus), batch, 0.0)
            numbers += numbers.new_tensor([float(losses.likelihood), losses.pieces])
        loss_sum, count_sum = numbers.tolist()
        return loss_sum / count_sum

    def _precision(self) -> torch.autocast:
        return mixed_precision(self.device, self.config.bfloat16)

    def log(self, record: Mapping[str, object]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "curve.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def rate_factor(config: TrainingConfig, update: int) -> float:
    """The learning rate at `update` (from 0) divided by its peak: a linear rise, then a linear fall to 1/50.

    Between them it is constant, so that a run can be prolonged before the fall begins.
    """
    rise = min(1.0, (update + 1) / max(1, config.warmup))
    remaining = config.updates - update
    fall = max(0.02, min(1.0, remaining / max(1, config.decay)))
    return min(rise, fall)


def send(array: np.ndarray, device: torch.device) -> Tensor:
    """Copy an array to the device. A copy to a GPU is asynchronous, so it does not wait for earlier work."""
    tensor = torch.from_numpy(array)
    if device.type != "cuda":
        return tensor.to(device)
    return tensor.pin_memory().to(device, non_blocking=True)


def encode_sources(model: TranslationModel, data: TrainingData, batch: np.ndarray) -> Encoded:
    """Encode sentences and, for CAMN, their context; shared context sentences are encoded only once."""
    device = model.decoder.embeddings.device

    def load(sentences: Sequence[int] | np.ndarray, max_pieces: int | None = None) -> Tensor:
        return send(pad(data.corpus.source, np.asarray(sentences))[:, :max_pieces], device)

    if model.camn is None:
        return model.encode(load(batch))
    config = model.camn.config
    chosen = corpus_context(data.corpus.document, batch, config)
    context = gather_context(
        batch.tolist(),
        [[None if number == NONE else int(number) for number in row] for row in chosen],
        data.corpus.source.lengths.item,
        lambda sentences: load(sentences, config.longest),
        device,
    )
    return model.encode(load(batch), context)


def _record(update: int, totals: np.ndarray, seconds: float) -> dict[str, float]:
    loss, guide, eos, pieces = totals
    return {
        "update": update,
        "loss": round(loss / pieces, 4),
        "guide": round(guide / pieces, 4),
        "eos": round(eos / pieces, 4),
        "pieces_per_second": round(pieces / seconds, 1),
        "seconds": round(seconds, 1),
    }


def _optimizer(model: nn.Module, config: TrainingConfig, fresh: Collection[str]) -> torch.optim.Optimizer:
    """Adam with separate rates for `fresh` parameters, other encoder parameters, and the remaining ones."""
    parts: dict[str, list[nn.Parameter]] = {"encoder": [], "other": [], "fresh": []}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            part = "fresh" if name in fresh else "encoder" if name.startswith("encoder.") else "other"
            parts[part].append(parameter)
    shares = {"encoder": config.encoder_rate, "other": 1.0, "fresh": config.fresh_rate}
    rate = config.learning_rate
    groups = [{"params": parts[name], "peak": rate * share} for name, share in shares.items() if parts[name]]
    return torch.optim.Adam(groups, lr=rate, betas=(0.9, 0.98), fused=True)
