"""When the model follows confirmed text (`memory/confirmed.py`), fitted on references of training text.

With teacher forcing, the sentences before are confirmed, and the likelihood of the next reference is to grow:
a logistic regression whose labels are hidden in a mixture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from anaphora_nmt.config import ConfirmedConfig, MemoryConfig
from anaphora_nmt.memory.confirmed import Steps, gather_confirmed, likeness, word_mass
from anaphora_nmt.memory.contents import contribution
from anaphora_nmt.memory.document import empty_snapshot
from anaphora_nmt.models.remembering import RememberingModel
from anaphora_nmt.nn.state import shift_right
from anaphora_nmt.text.vocabulary import BOS, PAD
from anaphora_nmt.training.features import choose_documents, compute_features
from anaphora_nmt.training.memory import SecondPass
from anaphora_nmt.training.memory_samples import DocumentSamples, Sample
from anaphora_nmt.training.run import load_data

_FLOOR = 1e-12
_BATCH = 16
_SHIFT = 0.5
_SENTENCES = 2000  # three numbers are fitted


@dataclass(frozen=True)
class Evidence:
    """What the gate sees of N target positions, and what following would have given there.

    Attributes:
        contexts, states: cosines, [N].
        near: whether y_t is a piece of a word and anything is alike enough to be followed, [N].
        model, confirmed: p_nmt(y_t) and m p_confirmed(y_t), [N].
    """

    contexts: Tensor
    states: Tensor
    near: Tensor
    model: Tensor
    confirmed: Tensor

    def loss(self, config: ConfirmedConfig) -> float:
        """Cross-entropy of the mixture, nats a piece."""
        weights = torch.tensor([config.gate_bias, config.gate_context, config.gate_state])
        return float(_loss(self, weights))


def fit_gate(evidence: Evidence, config: ConfirmedConfig) -> ConfirmedConfig:
    """The configuration with the gate that makes the references most likely."""
    weights = torch.tensor([-2.0, 0.0, 0.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = _loss(evidence, weights)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    bias, context, state = (round(float(weight), 3) for weight in weights.detach())
    return replace(config, gate_bias=bias, gate_context=context, gate_state=state)


def _loss(evidence: Evidence, weights: Tensor) -> Tensor:
    logits = weights[0] + weights[1] * evidence.contexts + weights[2] * evidence.states
    share = torch.sigmoid(logits) * evidence.near
    return -torch.log((1 - share) * evidence.model + share * evidence.confirmed + _FLOOR).mean()


def fit_on_corpus(
    model: RememberingModel,
    prepared: Path,
    folder: Path,
    settings: SecondPass,
    config: ConfirmedConfig = ConfirmedConfig(),
) -> tuple[ConfirmedConfig, dict[str, float]]:
    """Fit the gate on the documents of a second pass, whose features lie in `folder` or are computed.

    The base has learned from those documents and is surer of itself there than elsewhere, so a gate that is
    fitted on them follows too seldom, and its bias is raised by `_SHIFT`. On dev (greedy, each reference
    confirmed before the next draft; 850 segments) shifts of 0 and 0.5 gave 41.52 and 41.70 BLEU, chrF2 65.42
    and 65.57, and 80.9 and 82.3 % of the terms rendered as before; 1 gave 41.25 and 65.45 with 82.9 % (there
    still without heed to the piece before).

    Returns:
        the configuration, and cross-entropies on dev in nats a piece: "base", and "confirmed" with every
        reference confirmed before the next sentence.
    """
    found = {}
    for name, count in (("train", settings.sentences), ("dev", settings.dev_sentences)):
        data = load_data(prepared, name, model.base.config.encoder)
        chosen = choose_documents(data.corpus, count, settings.shortest, settings.longest, settings.seed)
        path = folder / f"features.{name}"
        store = compute_features(model.base, data, chosen, path, bfloat16=settings.bfloat16)
        samples = DocumentSamples(model, store, [None] * len(chosen))
        found[name] = gather_evidence(model, samples, config, min(count, _SENTENCES))
    fitted = fit_gate(found["train"], config)
    fitted = replace(fitted, gate_bias=round(fitted.gate_bias + _SHIFT, 3))
    base = -float(found["dev"].model.log().mean())
    return fitted, {"base": round(base, 5), "confirmed": round(found["dev"].loss(fitted), 5)}


@torch.no_grad()
def gather_evidence(
    model: RememberingModel, samples: DocumentSamples, config: ConfirmedConfig, sentences: int
) -> Evidence:
    """Positions of documents whose earlier sentences are confirmed, up to so many sentences.

    Args:
        samples: their features; whatever memory it has itself is not looked at.
    """
    parts: list[Evidence] = []
    waiting: list[Sample] = []
    for number, sample in enumerate(_confirmed_before(model, samples, config)):
        waiting.append(sample)
        if len(waiting) == _BATCH:
            parts.append(_read(model, samples, waiting, config))
            waiting = []
        if number + 1 >= sentences:
            break
    if waiting:
        parts.append(_read(model, samples, waiting, config))
    names = ("contexts", "states", "near", "model", "confirmed")
    return Evidence(*(torch.cat([getattr(part, name) for part in parts]) for name in names))


def _confirmed_before(
    model: RememberingModel, samples: DocumentSamples, config: ConfirmedConfig
) -> Iterator[Sample]:
    """Every sentence but the first of each document, with the references before it confirmed."""
    store = samples.store
    for document in store.documents:
        snapshot = empty_snapshot(MemoryConfig(confirmed=config))
        for index, sentence in enumerate(document):
            if index:
                yield Sample(int(sentence), snapshot)
            span = store.span(sentence)
            given = contribution(
                store.corpus.target[sentence][:-1],
                store.contexts[span][:-1],
                store.states[span][:-1],
                model.vocabulary,
            )
            snapshot = snapshot.after(replace(given, confirmed=True), index)


def _read(
    model: RememberingModel, samples: DocumentSamples, chosen: list[Sample], config: ConfirmedConfig
) -> Evidence:
    batch = samples.batch(chosen)
    slots = gather_confirmed([snapshot.confirmed for snapshot in batch.snapshots], batch.target.device)
    real = batch.target != PAD
    if slots is None:
        empty = torch.zeros(int(real.sum()))
        return Evidence(empty, empty, empty, batch.log_probs[real].exp().cpu(), empty)
    spells = model.vocabulary.spells.to(batch.target.device)
    steps = Steps(batch.features, shift_right(batch.target, BOS), spells)
    found = likeness(steps, slots, config)
    share = (found.shares * (slots.pieces[:, None] == batch.target[..., None])).sum(-1)
    share *= word_mass(model.base.decoder.logits(batch.features).float().log_softmax(-1), spells)
    near = found.near[..., 0] * spells[batch.target]
    return Evidence(
        found.contexts[real][:, 0].cpu(),
        found.states[real][:, 0].cpu(),
        near[real].cpu(),
        batch.log_probs[real].exp().cpu(),
        share[real].cpu(),
    )
