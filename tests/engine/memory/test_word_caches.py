"""Equations (6) to (9) of Kuang et al. (2018)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.contents import Contribution
from anaphora_nmt.memory.protocol import Host, Source, TargetSteps
from anaphora_nmt.memory.word_caches import WordCaches, WordCachesConfig, WordState
from anaphora_nmt.memory.word_contents import DynamicWords, WordContents
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.nn.state import Features
from anaphora_nmt.text.vocabulary import BOS

Give = Callable[..., Contribution]
D, C, E = 5, 4, 6
CONFIG = WordCachesConfig(dynamic_size=4, topic_size=3, scorer_hidden=(7, 3), gate_hidden=(6, 4))


@pytest.fixture(scope="module", params=[True, False])
def caches(vocabulary: WordVocabulary, request: pytest.FixtureRequest) -> WordCaches:
    torch.manual_seed(0)
    caches = WordCaches(replace(CONFIG, model_score=request.param), Host(vocabulary, D, C, E))
    gate: Any = caches.gate
    torch.nn.init.normal_(gate.output.weight)
    torch.nn.init.normal_(caches.scorer.output.weight)
    if caches.model_weight is not None:
        torch.nn.init.constant_(caches.model_weight, 0.7)
    return caches.double()


@pytest.fixture(scope="module")
def memory(vocabulary: WordVocabulary, give: Give) -> WordContents:
    topic = tuple(vocabulary.encode(word) for word in ("page", "server"))
    return WordContents(DynamicWords(4), topic).after(give("tables of data"), 0)


def start(caches: WordCaches, contents: list[WordContents], embeddings: torch.Tensor) -> WordState:
    held = caches.gather(contents, Source(embeddings))
    assert held is not None
    return held


def step(
    caches: WordCaches,
    previous: torch.Tensor,
    features: Features,
    log_probs: torch.Tensor,
    state: WordState,
    embeddings: torch.Tensor,
) -> tuple[torch.Tensor, WordState]:
    reading, state = caches.step(TargetSteps(features, previous, embeddings), state)
    return reading.fuse_log_probs(log_probs), state


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape)))


def dense(layer: Any, x: np.ndarray) -> np.ndarray:
    bias = 0.0 if layer.bias is None else layer.bias.detach().numpy()
    return layer.weight.detach().numpy() @ x + bias


def transcription(
    caches: WordCaches,
    s: np.ndarray,
    c: np.ndarray,
    e: np.ndarray,
    words: list[np.ndarray],
    p_nmt: np.ndarray,
    offered: list[int],
) -> np.ndarray:
    scorer, gate = caches.scorer, caches.gate
    step = np.concatenate([s, c, e * np.sqrt(E)])
    scores = []
    for word, piece in zip(words, offered, strict=True):  # (6)
        first = np.maximum(dense(scorer.step.linear, step) + dense(scorer.word, word * np.sqrt(E)), 0)
        score = dense(scorer.output, np.maximum(dense(scorer.hidden, first), 0))[0]
        if caches.model_weight is not None:
            score += float(caches.model_weight.detach()) * np.log(p_nmt[piece])
        scores.append(score)
    p_words = np.exp(scores) / np.exp(scores).sum()  # (7)
    hidden = np.maximum(dense(gate.hidden, np.maximum(dense(gate.step.linear, step), 0)), 0)
    alpha = 1 / (1 + np.exp(-dense(gate.output, hidden)[0]))  # (9)
    p_cache = np.zeros_like(p_nmt)
    for piece, p in zip(offered, p_words, strict=True):
        p_cache[piece] += p
    return (1 - alpha) * p_cache + alpha * p_nmt  # (8)


def test_a_step_follows_the_equations(
    caches: WordCaches, memory: WordContents, vocabulary: WordVocabulary
) -> None:
    embeddings = random(len(vocabulary), E)
    features = Features(random(1, D), random(1, C), random(1, E))
    log_probs = random(1, len(vocabulary)).log_softmax(-1)
    table = vocabulary.encode("tables")
    state = start(caches, [memory], embeddings)
    mixed, state = step(caches, torch.tensor([table[0]]), features, log_probs, state, embeddings)
    listed = [vocabulary.encode(word) for word in ("tables", "data", "page", "server")]
    assert [word for word, _ in memory.listed] == listed
    expected = transcription(
        caches,
        features.state[0].numpy(),
        features.context[0].numpy(),
        features.embedding[0].numpy(),
        [embeddings[list(word)].mean(0).numpy() for word in listed],
        log_probs[0].exp().numpy(),
        [table[1], *(word[0] for word in listed[1:])],
    )
    np.testing.assert_allclose(mixed[0].exp().detach(), expected)
    np.testing.assert_allclose(expected.sum(), 1.0)


def test_empty_caches_equal_the_model_bit_for_bit(caches: WordCaches, vocabulary: WordVocabulary) -> None:
    embeddings, features = random(len(vocabulary), E), Features(random(2, D), random(2, C), random(2, E))
    log_probs = random(2, len(vocabulary)).log_softmax(-1)
    empty = WordContents(DynamicWords(4))
    state = start(caches, [empty, empty], embeddings)
    mixed, _ = step(caches, torch.tensor([BOS, BOS]), features, log_probs, state, embeddings)
    assert torch.equal(mixed, log_probs)


def test_a_fixed_gate_gives_the_caches_the_rest(memory: WordContents, vocabulary: WordVocabulary) -> None:
    """Table 2: α = 0.3, so p = 0.7 p_cache + 0.3 p_nmt, for any state."""
    fixed = WordCaches(replace(CONFIG, fixed_gate=0.3, model_score=False), Host(vocabulary, D, C, E)).double()
    torch.nn.init.normal_(fixed.scorer.output.weight)
    assert not any(name.startswith("gate") for name, _ in fixed.named_parameters())
    embeddings = random(len(vocabulary), E)
    features = Features(random(1, D), random(1, C), random(1, E))
    log_probs = random(1, len(vocabulary)).log_softmax(-1)
    state = start(fixed, [memory], embeddings)
    mixed, state = step(fixed, torch.tensor([BOS]), features, log_probs, state, embeddings)
    offered = fixed.candidates.offered(state.slots)
    scores = fixed.scorer(fixed.scorer.step(features), state.fixed)
    p_cache = np.zeros(len(vocabulary))
    for piece, share in zip(offered[0].tolist(), scores.softmax(-1)[0].tolist(), strict=True):
        p_cache[piece] += share
    np.testing.assert_allclose(mixed[0].exp().detach(), 0.7 * p_cache + 0.3 * log_probs[0].exp().numpy())
    for wrong in (0.0, 1.0, -1.0):
        with pytest.raises(ConfigError, match="fixed_gate"):
            WordCaches(replace(CONFIG, fixed_gate=wrong), Host(vocabulary, D, C, E))


@pytest.mark.slow
def test_gradients(caches: WordCaches, memory: WordContents, vocabulary: WordVocabulary) -> None:
    embeddings = random(len(vocabulary), E)
    features = Features(random(1, 2, D), random(1, 2, C), random(1, 2, E))
    previous = torch.tensor([[BOS, vocabulary.encode("server")[0]]])
    parameters = {name: value.detach() for name, value in caches.named_parameters()}

    def forced(*values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        given = {f"caches.{name}": value for name, value in zip(parameters, values, strict=True)}
        return torch.func.functional_call(_Teaching(caches), given, (previous, features, memory, embeddings))

    assert torch.autograd.gradcheck(forced, tuple(value.requires_grad_() for value in parameters.values()))


class _Teaching(torch.nn.Module):
    """`WordCaches.read` as a forward method."""

    def __init__(self, caches: WordCaches) -> None:
        super().__init__()
        self.caches = caches

    def forward(
        self, previous: torch.Tensor, features: Features, memory: WordContents, embeddings: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        held = start(self.caches, [memory], embeddings)
        reading = self.caches.read(TargetSteps(features, previous, embeddings), held)
        return reading.scores, reading.keep


def test_all_steps_at_once_equal_single_steps(
    caches: WordCaches, memory: WordContents, vocabulary: WordVocabulary
) -> None:
    """The blended distribution, the probability of one piece, and the words that support it."""
    embeddings = random(len(vocabulary), E)
    features = Features(random(1, 3, D), random(1, 3, C), random(1, 3, E))
    log_probs = random(1, 3, len(vocabulary)).log_softmax(-1)
    table = vocabulary.encode("tables")
    previous = torch.tensor([[BOS, table[0], vocabulary.encode("server")[0]]])
    held = start(caches, [memory], embeddings)
    reading = caches.read(TargetSteps(features, previous, embeddings), held)
    mixed = reading.fuse_log_probs(log_probs)
    state = held
    for number in range(3):
        here = Features(*(part[:, number] for part in (features.state, features.context, features.embedding)))
        one, state = step(caches, previous[:, number], here, log_probs[:, number], state, embeddings)
        torch.testing.assert_close(mixed[:, number], one)
    target = torch.tensor([[table[0], table[1], vocabulary.encode("data")[0]]])
    given = mixed.gather(-1, target[..., None])[..., 0]
    torch.testing.assert_close(reading.fuse_target(log_probs, target), given)
    found = reading.attribution(log_probs, target)
    torch.testing.assert_close(found.share, torch.sigmoid(-reading.keep))
    cached = given.exp() - torch.sigmoid(reading.keep) * log_probs.exp().gather(-1, target[..., None])[..., 0]
    torch.testing.assert_close(found.strengths.sum(-1), cached)
    assert found.strengths[0, 1].nonzero().flatten().tolist() == [0], "only 'tables' goes on with that piece"


def test_left_out_words_have_no_effect(
    caches: WordCaches, memory: WordContents, vocabulary: WordVocabulary
) -> None:
    embeddings = random(len(vocabulary), E)
    features = Features(random(1, 2, D), random(1, 2, C), random(1, 2, E))
    log_probs = random(1, 2, len(vocabulary)).log_softmax(-1)
    previous = torch.tensor([[BOS, vocabulary.encode("server")[0]]])
    held = start(caches, [memory], embeddings)
    reading = caches.read(TargetSteps(features, previous, embeddings), held)
    shares = reading.shares(log_probs)[0]
    left = reading.without([[0], [1, 3], range(reading.visible.shape[-1])]).shares(log_probs)
    assert not left[0, :, 0].any() and not left[1, :, [1, 3]].any() and not left[2].any()
    torch.testing.assert_close(left[0, :, 1:], shares[:, 1:] / shares[:, 1:].sum(-1, keepdim=True))
    second = reading.without([[0]], torch.tensor([1])).shares(log_probs[:, 1:])
    torch.testing.assert_close(second[0, 0], left[0, 1])
    several, two = reading.without([[0], [1, 3]]), torch.cat((log_probs, log_probs.roll(1, -1)))
    for row, group in enumerate([[0], [1, 3]]):
        torch.testing.assert_close(
            several.fuse_log_probs(log_probs)[row], reading.without([group]).fuse_log_probs(log_probs)[0]
        )
        torch.testing.assert_close(
            reading.fuse_log_probs(two)[row], reading.fuse_log_probs(two[row : row + 1])[0]
        )
    nothing = reading.without([range(reading.visible.shape[-1])])
    assert torch.equal(nothing.fuse_log_probs(log_probs), log_probs)
    target = torch.tensor([[4, 5]])
    assert not nothing.attribution(log_probs, target).share.any(), "an empty cache has no share"


@pytest.mark.parametrize("held", ["tables of data", "page tables of data", "data page tables server of"])
def test_leaving_a_word_out_equals_a_memory_without_it(
    caches: WordCaches, give: Give, vocabulary: WordVocabulary, held: str
) -> None:
    """The word may be in both caches, in one, or in the sentence; others may then stay longer."""
    embeddings = random(len(vocabulary), E)
    ids = [
        piece for word in ("page", "tables", "server", "data", "page") for piece in vocabulary.encode(word)
    ]
    previous = torch.tensor([[BOS, *ids]])
    features = Features(random(1, len(ids) + 1, D), random(1, len(ids) + 1, C), random(1, len(ids) + 1, E))
    log_probs = random(1, len(ids) + 1, len(vocabulary)).log_softmax(-1)
    topic = tuple(vocabulary.encode(word) for word in ("page", "server"))
    contents = WordContents(DynamicWords(4), topic).after(give(held), 0)
    reading = read_all(caches, contents, previous, features, embeddings)
    listed = [word for word, _ in contents.listed]
    every = torch.arange(previous.shape[1])
    for group in [[column] for column in range(len(listed))] + [[0, len(listed) - 1]]:
        gone = {listed[column] for column in group}
        kept = [
            pair
            for pair in zip(contents.dynamic.words, contents.dynamic.writers, strict=True)
            if pair[0] not in gone
        ]
        words, writers = tuple(word for word, _ in kept), tuple(writer for _, writer in kept)
        fewer = WordContents(
            DynamicWords(4, words, writers), tuple(word for word in topic if word not in gone)
        )
        left = read_all(caches, fewer, previous, features, embeddings).fuse_log_probs(log_probs)
        torch.testing.assert_close(reading.without([group]).fuse_log_probs(log_probs), left)
        at = reading.without([group] * len(every), every).fuse_log_probs(log_probs[0][:, None])
        torch.testing.assert_close(at[:, 0], left[0])


def read_all(
    caches: WordCaches,
    contents: WordContents,
    previous: torch.Tensor,
    features: Features,
    embeddings: torch.Tensor,
) -> Any:
    held = start(caches, [contents], embeddings)
    return caches.read(TargetSteps(features, previous, embeddings), held)
