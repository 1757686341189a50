"""Memories attached to a model: equality with the baseline, and of search and forced decoding."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.errors import ConfigError, ModelFileError
from anaphora_nmt.memory.confirmed import ConfirmedConfig
from anaphora_nmt.memory.confirmed_pieces import ConfirmedPieces
from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot, Origin
from anaphora_nmt.memory.continuous_cache import CacheContents, ContinuousCacheConfig
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.memory.protocol import Groups
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.word_caches import WordCachesConfig, WordReading
from anaphora_nmt.memory.word_contents import WordContents
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import ForcedDecoding, MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary, vocabulary_from_pieces

SENTENCES = (
    "the server sends data to the client",
    "a client connects to the database server and reads the tables",
    "tables of the database hold rows, and the server's cache holds pages",
    "write the configuration before the server starts",
)
SPELLING = (
    "▁the ▁s er ver s ▁send ▁data ▁to ▁cli ent ▁a ▁connect ▁and ▁read ▁table base ▁of ▁hold ▁row , '"
    " ▁cache ▁page ▁write ▁con figur ation ▁before ▁start"
)
OFF: frozenset[str] = frozenset()
CACHE, WORDS = frozenset({"continuous_cache"}), frozenset({"word_caches"})


@pytest.fixture(scope="module")
def pieces() -> Vocabulary:
    return Vocabulary(vocabulary_from_pieces([(piece, -3.0) for piece in SPELLING.split()]))


@pytest.fixture(scope="module")
def vocabulary(pieces: Vocabulary) -> WordVocabulary:
    return WordVocabulary(pieces)


def build(vocabulary: WordVocabulary, memories: MemoryConfig, seed: int = 0) -> MemoryAugmentedModel:
    torch.manual_seed(seed)
    encoder = EncoderConfig(width=16, layers=1, frozen_layers=0, heads=2, feed_forward=32)
    decoder = DecoderConfig(width=16, layers=2, heads=2, feed_forward=32)
    base = TranslationModel(ModelConfig(30, len(vocabulary), encoder, decoder))
    model = MemoryAugmentedModel(base, memories, vocabulary).eval()
    with torch.no_grad():
        for parameter in model.attached.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return model


def both(dynamic: int = 6) -> MemoryConfig:
    words = WordCachesConfig(dynamic_size=dynamic, topic_size=4, scorer_hidden=(12, 8), gate_hidden=(8, 6))
    cache = ContinuousCacheConfig(size=7, gate_bias=-1.0)
    return MemoryConfig({"continuous_cache": cache, "word_caches": words})


@pytest.mark.parametrize("kind", ["recurrent", "kvmematt", "memdec"])
def test_decoders_without_scored_states_refuse_the_deep_reading(
    vocabulary: WordVocabulary, kind: str
) -> None:
    """The widths are equal here, which is not sufficient."""
    encoder = EncoderConfig(width=16, layers=1, frozen_layers=0, heads=2, feed_forward=32)
    decoder = DecoderConfig(kind=kind, width=16, embedding=16, attention=16)
    base = TranslationModel(ModelConfig(30, len(vocabulary), encoder, decoder))
    MemoryAugmentedModel(base, MemoryConfig({"confirmed": ConfirmedConfig()}), vocabulary)
    deep = MemoryConfig({"confirmed": ConfirmedConfig(deep_strength=1.5)})
    with pytest.raises(ConfigError, match="deep_strength"):
        MemoryAugmentedModel(base, deep, vocabulary)


@pytest.fixture(scope="module")
def model(vocabulary: WordVocabulary) -> MemoryAugmentedModel:
    return build(vocabulary, both())


def targets(pieces: Vocabulary, *texts: str) -> torch.Tensor:
    ids = [[*pieces.encode(text), EOS] for text in texts]
    longest = max(map(len, ids))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in ids])


def sources(rows: int, seed: int = 3) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(4, 30, (rows, 9), generator=generator)
    ids[1:, 7:] = PAD
    return ids


def snapshots_of(
    model: MemoryAugmentedModel, pieces: Vocabulary, topic: str = "pages client"
) -> list[MemorySnapshot]:
    """Memories before each of the four sentences."""
    words = tuple((word, 0.1) for word in topic.split())
    snapshots = [model.config.empty(DocumentInfo(model.vocabulary, Topic(0, words, topic)))]
    encoded = model.encode(sources(4))
    for number, given in enumerate(model.contributions(encoded, targets(pieces, *SENTENCES))):
        origin = Origin.CONFIRMED if number != 1 else Origin.DRAFT
        snapshots.append(snapshots[-1].after(replace(given, origin=origin), number))
    return snapshots[:4]


def cache_of(snapshot: MemorySnapshot) -> CacheContents:
    cache = snapshot.contents["continuous_cache"]
    assert isinstance(cache, CacheContents)
    return cache


def words_of(snapshot: MemorySnapshot) -> WordContents:
    words = snapshot.contents["word_caches"]
    assert isinstance(words, WordContents)
    return words


def step_through(model: MemoryAugmentedModel, state: object, target: torch.Tensor) -> torch.Tensor:
    previous, picked = torch.full((len(target),), BOS), []
    for step in range(target.shape[1]):
        log_probs, state = model.step(previous, state)  # type: ignore[arg-type]
        torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(len(target)))
        picked.append(log_probs.gather(1, target[:, step : step + 1])[:, 0])
        previous = target[:, step]
    return torch.stack(picked, 1) * (target != PAD)


@pytest.mark.parametrize("dynamic", [0, 2, 6])
@torch.inference_mode()
def test_steps_equal_forced_decoding(vocabulary: WordVocabulary, pieces: Vocabulary, dynamic: int) -> None:
    model = build(vocabulary, both(dynamic))
    target, encoded = targets(pieces, *SENTENCES), model.encode(sources(4))
    snapshots = snapshots_of(model, pieces)
    for use in (None, CACHE, WORDS, OFF):
        forced = model.force_decode(encoded, target, snapshots, use)
        steps = step_through(model, model.start(encoded, snapshots, use), target)
        torch.testing.assert_close(steps, forced.target_log_probs, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("words", [False, True])
@torch.inference_mode()
def test_shallow_fusion_step_by_step_and_at_once(
    vocabulary: WordVocabulary, pieces: Vocabulary, words: bool
) -> None:
    cache = ContinuousCacheConfig(size=40, gate_bias=0.0, fusion="shallow", overwrite=False)
    config = MemoryConfig({"continuous_cache": cache})
    if words:
        config = config.with_memories(word_caches=both().get("word_caches"))
    model = build(vocabulary, config)
    target, encoded = targets(pieces, *SENTENCES), model.encode(sources(4))
    snapshots = snapshots_of(model, pieces)
    forced = model.force_decode(encoded, target, snapshots)
    steps = step_through(model, model.start(encoded, snapshots), target)
    torch.testing.assert_close(steps, forced.target_log_probs, atol=1e-5, rtol=1e-5)
    assert not torch.equal(steps, model.force_decode(encoded, target, snapshots, OFF).target_log_probs)
    one, source = targets(pieces, SENTENCES[1]), model.encode(sources(1))
    forced = model.force_decode(source, one, snapshots[1:2])
    slots = leave_out(model, forced, "continuous_cache", [[0], range(len(cache_of(snapshots[1])))])
    assert float(slots[0].abs().max()) > 0
    if not words:
        whole = model.force_decode(source, one, snapshots[1:2]).target_log_probs
        nothing = model.force_decode(source, one, snapshots[1:2], OFF).target_log_probs
        torch.testing.assert_close(slots[1], (whole - nothing)[0], atol=1e-5, rtol=1e-5)


@torch.inference_mode()
def test_unread_or_empty_memories_equal_the_base_bit_for_bit(
    model: MemoryAugmentedModel, pieces: Vocabulary
) -> None:
    target, encoded = targets(pieces, *SENTENCES), model.encode(sources(4))
    base = model.base.decoder.logits(model.base.force_decode(encoded, target)).log_softmax(-1)
    expected = base.gather(-1, target[..., None])[..., 0] * (target != PAD)
    full = snapshots_of(model, pieces)
    assert torch.equal(model.force_decode(encoded, target, full, OFF).target_log_probs, expected)
    assert not torch.equal(model.force_decode(encoded, target, full).target_log_probs, expected)
    empty = [MemorySnapshot()] * 4
    assert torch.equal(model.force_decode(encoded, target, empty, CACHE).target_log_probs, expected)

    features, _ = model.base.decoder.step(torch.full((4,), BOS), model.base.decoder.start(encoded))
    first = model.base.decoder.logits(features).log_softmax(-1)
    for snapshots, use in ((full, OFF), (empty, None)):
        assert torch.equal(model.step(torch.full((4,), BOS), model.start(encoded, snapshots, use))[0], first)


@torch.inference_mode()
def test_a_forced_decoding_has_attributions(model: MemoryAugmentedModel, pieces: Vocabulary) -> None:
    target, encoded = targets(pieces, *SENTENCES), model.encode(sources(4))
    snapshots = snapshots_of(model, pieces)
    forced = model.force_decode(encoded, target, snapshots, attention=True)
    assert forced.attention is not None
    torch.testing.assert_close(forced.attention.sum(-1), torch.ones(target.shape))
    matching = forced.attribution("continuous_cache").strengths
    torch.testing.assert_close(matching[1:].sum(-1), torch.ones(target[1:].shape))
    fused = forced.readings["word_caches"]
    assert isinstance(fused.reading, WordReading) and fused.reading.trace is not None
    shares = fused.reading.shares(fused.log_probs)
    torch.testing.assert_close(shares.sum(-1), torch.ones(target.shape))
    names = [word for word, _ in words_of(snapshots[1]).listed]
    server = model.vocabulary.encode("server")
    column = names.index(server)
    place = target[1].tolist().index(server[0])
    found = forced.attribution("word_caches")
    given = float(found.share[1, place] * shares[1, place, column])
    assert float(found.strengths[1, place, column]) == pytest.approx(given) and given > 0
    assert float(found.strengths[1, place].sum()) == pytest.approx(given)
    assert model.vocabulary.encode("database") in fused.reading.trace.sentence_words[1]


@pytest.mark.parametrize("fusion", ["deep", "shallow"])
@torch.inference_mode()
@pytest.mark.slow
def test_leaving_out_equals_a_memory_without_it(
    vocabulary: WordVocabulary, pieces: Vocabulary, fusion: str
) -> None:
    """Compares every number with a forced decoding with a memory without the entries."""
    cache = ContinuousCacheConfig(size=7, gate_bias=-1.0, fusion=fusion)
    confirmed = ConfirmedConfig(40, 0.1, 0.2, 0.3, gate_bias=-0.5, gate_context=0.75, gate_state=1.5)
    config = both().with_memories(continuous_cache=cache, confirmed=confirmed)
    model = build(vocabulary, config)
    target, encoded = targets(pieces, SENTENCES[2]), model.encode(sources(1))
    snapshot = snapshots_of(model, pieces)[2]
    forced = model.force_decode(encoded, target, [snapshot])
    whole, full = forced.target_log_probs, cache_of(snapshot)
    groups = [[0], [1, 3], *([slot] for slot in range(7))]
    for memory, fewer in (("continuous_cache", fewer_slots), ("confirmed", fewer_confirmed)):
        left = leave_out(model, forced, memory, groups)
        for row, group in enumerate(groups):
            contents = {**snapshot.contents, memory: fewer(snapshot, group)}
            without = replace(snapshot, contents=contents)
            rebuilt = model.force_decode(encoded, target, [without])
            expected = whole - rebuilt.target_log_probs
            torch.testing.assert_close(left[row], expected[0], atol=1e-5, rtol=1e-4)
            steps = torch.arange(target.shape[1]).flip(0)
            best = model.log_probs_without(forced, {memory: [group] * len(steps)}, steps).argmax(-1)
            assert torch.equal(best, model.fused_log_probs(rebuilt)[1][0].argmax(-1)[steps])
        assert float(left.abs().max()) > 1e-4
    listed = words_of(snapshot).listed
    words = leave_out(model, forced, "word_caches", [[column] for column in range(len(listed))])
    assert words.shape == (len(listed), target.shape[1])
    topical = [column for column, (_, kind) in enumerate(listed) if kind == "topic"]
    for column in topical:
        held = words_of(snapshot)
        kept = tuple(word for word in held.topic if word != listed[column][0])
        contents = {**snapshot.contents, "word_caches": replace(held, topic=kept)}
        other = model.force_decode(encoded, target, [replace(snapshot, contents=contents)])
        if listed[column][0] in vocabulary.content_words(target[0].tolist()):
            continue  # the sentence would put it into the dynamic cache
        expected = whole - other.target_log_probs
        torch.testing.assert_close(words[column], expected[0], atol=1e-5, rtol=1e-4)
    assert float(words.abs().max()) > 1e-4
    plain, fused = model.fused_log_probs(forced)
    nothing = model.force_decode(encoded, target, [snapshot], set())
    torch.testing.assert_close(target_log_probs(fused, target), whole)
    torch.testing.assert_close(target_log_probs(plain, target), nothing.target_log_probs)
    everything = leave_out(model, forced, "continuous_cache", [range(len(full))])
    rest = model.force_decode(encoded, target, [snapshot], {"word_caches", "confirmed"})
    torch.testing.assert_close(everything, whole - rest.target_log_probs, atol=1e-5, rtol=1e-4)


def leave_out(model: MemoryAugmentedModel, forced: ForcedDecoding, name: str, groups: Groups) -> torch.Tensor:
    """`leave_out_at` of every group at every step, [groups, T]."""
    count = forced.target.shape[1]
    steps = torch.arange(count).repeat(len(groups))
    each = [group for group in groups for _ in range(count)]
    return model.leave_out_at(forced, name, each, steps).view(len(groups), count)


def fewer_slots(snapshot: MemorySnapshot, group: list[int]) -> CacheContents:
    cache = cache_of(snapshot)
    kept = [slot for slot in range(len(cache)) if slot not in group]
    return CacheContents(
        cache.size,
        keys=cache.keys[kept],
        values=cache.values[kept],
        indicators=tuple(cache.indicators[slot] for slot in kept),
    )


def fewer_confirmed(snapshot: MemorySnapshot, group: list[int]) -> ConfirmedPieces:
    held = snapshot.contents["confirmed"]
    assert isinstance(held, ConfirmedPieces)
    return held.without(set(group))


def test_only_the_memories_are_saved(model: MemoryAugmentedModel, vocabulary: WordVocabulary) -> None:
    saved = model.memory_state()
    assert {name.split(".")[0] for name in saved} == {"continuous", "words"}
    other = build(vocabulary, both(), seed=5)
    other.load_memory_state(saved)
    for name, value in other.memory_state().items():
        assert torch.equal(value, saved[name])
    with pytest.raises(ModelFileError):
        build(vocabulary, MemoryConfig({"continuous_cache": ContinuousCacheConfig()})).load_memory_state(
            saved
        )


@torch.inference_mode()
def test_only_allowed_and_offered_pieces_are_written(vocabulary: WordVocabulary, pieces: Vocabulary) -> None:
    config = MemoryConfig({"confirmed": ConfirmedConfig(gate_bias=0.0, threshold=0.0)})
    model = build(vocabulary, config)
    encoded, written = model.encode(sources(1)), torch.tensor([EOS, 9, 7])
    empty, filled = (snapshots_of(model, pieces)[number : number + 1] for number in (0, 1))
    offered = {*pieces.encode(SENTENCES[0]), EOS, 7, 9}
    for snapshots, may in ((empty, {EOS, 7, 9}), (filled, None)):
        state = model.start(encoded, snapshots, frozenset({"confirmed"}), written)
        assert state.outputs is not None
        found = set(state.outputs.pieces.tolist())
        assert found == may if may is not None else {EOS, 7, 9} < found <= offered
        log_probs, after = model.step(torch.tensor([BOS]), state)
        assert set(log_probs[0].exp().nonzero().flatten().tolist()) == found
        assert log_probs.exp().sum().item() == pytest.approx(1.0, abs=1e-5) and after.outputs is state.outputs
    assert model.start(encoded, filled).outputs is None
    cached = build(vocabulary, both())
    held = snapshots_of(cached, pieces)[2:3]
    assert cached.start(cached.encode(sources(1)), held, CACHE, written).outputs is None, (
        "the memory may offer any piece"
    )
    assert cached.start(cached.encode(sources(1)), held, frozenset(), written).outputs is not None
