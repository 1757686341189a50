"""A memory that is defined here and nowhere else: it drafts, explains, is left out, is trained and saved."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest
import torch
from torch import Tensor, nn

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig, from_dict, to_dict
from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.memory.contents import Contents, Contribution, DocumentInfo, Reader
from anaphora_nmt.memory.fusion import blend_log_probs
from anaphora_nmt.memory.protocol import (
    Attribution,
    Entry,
    Groups,
    Host,
    Memory,
    Reading,
    Source,
    TargetSteps,
    at_steps,
)
from anaphora_nmt.memory.registry import MEMORIES, MemoryConfig
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.models.bundle import Bundle, load_bundle, save_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.state import SentenceState
from anaphora_nmt.text.vocabulary import Vocabulary, vocabulary_from_pieces
from anaphora_nmt.training.memory import SecondPass, second_pass
from anaphora_nmt.types import MemoryEntry, MemorySection, SearchOptions, SourceSegment


@dataclass(frozen=True)
class EchoConfig:
    """Remembers the last `size` words; `start` is their share before training."""

    size: int = 4
    start: float = 0.02


@dataclass(frozen=True)
class EchoContents(Contents):
    """The last words, oldest first, with the segments that said them."""

    size: int
    words: tuple[tuple[Word, int], ...] = ()

    def after(self, given: Contribution, segment: int, clock: int) -> EchoContents:
        said = tuple((word, segment) for word in given.words)
        return replace(self, words=(*self.words, *said)[-self.size :])

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        entries = tuple(MemoryEntry(reader.text(w), reader.segments[n]) for w, n in self.words)
        return (MemorySection("echoes", "Echoes", entries, of_segments=True),)


@dataclass(frozen=True)
class Echoes(SentenceState):
    """First pieces of the words [N, K], and where there are any."""

    pieces: Tensor
    mask: Tensor


@dataclass(frozen=True)
class EchoReading(Reading):
    """Mixes in a uniform distribution over the words' first pieces, [B, K] or [B, T, K]."""

    pieces: Tensor
    mask: Tensor
    keep: Tensor

    def shares(self) -> Tensor:
        return self.mask / self.mask.sum(-1, keepdim=True).clamp_min(1)

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        shape = torch.broadcast_shapes(log_probs.shape[:-1], self.mask.shape[:-1])
        given = log_probs.expand(*shape, -1)
        pieces, shares = (x.expand(*shape, -1).reshape(-1, x.shape[-1]) for x in (self.pieces, self.shares()))
        keep = self.keep.expand(len(pieces))
        return blend_log_probs(given.reshape(-1, given.shape[-1]), keep, pieces, shares).view(given.shape)

    def without(self, groups: Groups, steps: Tensor | None = None) -> EchoReading:
        mask = at_steps(self.mask, steps).expand(len(groups), -1, -1).clone()
        for row, group in enumerate(groups):
            mask[row, :, list(group)] = False
        return replace(self, mask=mask, pieces=at_steps(self.pieces, steps))

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        share = torch.sigmoid(-self.keep) * self.mask.any(-1)
        offers = share[..., None] * self.shares()
        return Attribution(offers * (self.pieces == target[..., None]), share.expand_as(target), offers)


class EchoMemory(Memory[EchoConfig, EchoContents, Echoes]):
    """Words that were just said may be said again."""

    name: ClassVar[str] = "echo"
    title: ClassVar[str] = "echoes"
    saved_as: ClassVar[str] = "echo"
    config_type: ClassVar[type] = EchoConfig

    def __init__(self, config: EchoConfig, host: Host) -> None:
        super().__init__(config, host)
        self.keep = nn.Parameter(torch.tensor(math.log((1 - config.start) / config.start)))

    @classmethod
    def empty(cls, config: EchoConfig, document: DocumentInfo) -> EchoContents:
        return EchoContents(config.size)

    def gather(self, contents: Sequence[EchoContents], source: Source) -> Echoes | None:
        count = max(len(each.words) for each in contents)
        if not count:
            return None
        rows = [[word[0] for word, _ in each.words] for each in contents]
        pieces = torch.tensor([row + [0] * (count - len(row)) for row in rows])
        return Echoes(pieces, torch.tensor([[n < len(row) for n in range(count)] for row in rows]))

    def step(self, steps: TargetSteps, held: Echoes) -> tuple[EchoReading, Echoes]:
        pieces, mask = (x.repeat_interleave(held.group, 0) for x in (held.pieces, held.mask))
        return EchoReading(pieces, mask, self.keep), held

    def all_steps(self, steps: TargetSteps, held: Echoes, counted: Tensor | None = None) -> EchoReading:
        shape = *steps.previous.shape, held.pieces.shape[1]
        pieces, mask = held.pieces[:, None].expand(shape), held.mask[:, None].expand(shape)
        if counted is not None:
            pieces, mask = pieces[counted], mask[counted]
        return EchoReading(pieces, mask, self.keep)

    def entries(self, contents: EchoContents, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        listed = enumerate(contents.words)
        return tuple(Entry(reader.text(w), (n,), reader.segments[s], "echoes") for n, (w, s) in listed)


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(MEMORIES, EchoMemory.name, EchoMemory)
        yield


SOURCES = ["打开文件。", "打开文件。", "关闭文件。"]
GREEDY = SearchOptions(beam_size=1)


@pytest.fixture(scope="module")
def loaded(registered: None) -> Translator:
    """The embedded model with this memory beside its own."""
    bundle = load_bundle(embedded_model())
    config = replace(bundle.memory.with_memories(echo=EchoConfig(start=0.9)), read=("echo",))
    tensors = {**bundle.memory_tensors, "echo.keep": torch.tensor(math.log(0.1 / 0.9))}
    return Translator(replace(bundle, memory=config, memory_tensors=tensors), None, torch.device("cpu"))


@pytest.fixture()
def translator(loaded: Translator) -> Iterator[Translator]:
    loaded.open_document("d", [SourceSegment(str(n), line) for n, line in enumerate(SOURCES)])
    yield loaded
    loaded.close_document("d")


@pytest.mark.slow
def test_it_drafts_and_can_be_switched_off(translator: Translator) -> None:
    before = translator.translate("d", "1", GREEDY).text
    translator.remember("d", "0", "Zebras gallop.")
    off = replace(GREEDY, memories={"echo": False})
    with_echo = translator.translate("d", "1", GREEDY).text
    assert "Z" in with_echo and with_echo != before
    assert translator.translate("d", "1", off).text == before
    assert translator.translate("d", "1", replace(GREEDY, beam_size=3)).text != before
    assert translator.info.memories == ("echoes",)
    assert memories_in_use("echo") == {name: name == "echo" for name in MEMORIES}


def test_it_explains_and_is_shown(translator: Translator) -> None:
    translator.remember("d", "0", "Zebras gallop.")
    explained = translator.explain("d", "1", "Zebras open the file.")
    assert [entry.label for entry in explained.view.section("echo", "echoes").entries] == ["Zebras", "gallop"]
    use = explained.tokens[0].uses_of("echo")[0]
    assert (use.label, use.segment, use.strength) == ("Zebras", "0", use.strength)
    assert 0 < use.strength <= 0.5
    assert use.influence is not None and use.influence > 1
    assert explained.tokens[0].share_of("echo") == pytest.approx(0.9)
    assert not explained.tokens[1].uses_of("echo")


def test_it_is_left_out_exactly(translator: Translator) -> None:
    translator.remember("d", "0", "Zebras open files.")
    model = translator.corpus().drafter.model
    memory = translator._documents["d"].memory
    snapshot, document = memory.before(1), translator._documents["d"]
    encoded = translator.corpus().drafter.encode_whole([document.source(1)])
    ids = torch.tensor([[*translator.corpus().drafter.target.encode("Zebras open the file."), 2]])
    with torch.inference_mode():
        every = set(model.memories)
        forced = model.force_decode(encoded, ids, [snapshot], every)
        assert set(forced.readings) == every
        left = model.leave_out(forced, "echo", [[0], [1, 2]])
        held = snapshot.contents["echo"]
        assert isinstance(held, EchoContents) and len(held.words) == 3
        for row, kept in enumerate(([1, 2], [0])):
            fewer = replace(held, words=tuple(held.words[n] for n in kept))
            without = replace(snapshot, contents={**snapshot.contents, "echo": fewer})
            expected = (
                forced.target_log_probs - model.force_decode(encoded, ids, [without], every).target_log_probs
            )
            torch.testing.assert_close(left[row], expected[0], atol=1e-5, rtol=1e-4)
    assert float(left.abs().max()) > 0.1


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents that say one name again and again."""
    folder = tmp_path_factory.mktemp("prepared")
    names = ("alpha", "beta", "gamma", "delta")
    target = Vocabulary(vocabulary_from_pieces([(f"▁{name}", -3.0) for name in ("the", "runs", *names)]))
    source = Vocabulary(vocabulary_from_pieces([("▁", -4.0), *((char, -3.0) for char in "这那跑着")]))
    (folder / "source.model").write_bytes(source.serialized)
    (folder / "target.model").write_bytes(target.serialized)
    for name, documents in (("train", 8), ("dev", 4)):
        texts = [f"the {names[number % 4]} runs" for number in range(documents)]
        pairs = [(number, "这着跑", text) for number, text in enumerate(texts) for _ in range(5)]
        encode_corpus(pairs, source, target).save(folder / f"{name}.npz")
    return folder


def build(prepared: Path) -> tuple[TranslationModel, Vocabulary, Vocabulary]:
    torch.manual_seed(0)
    source, target = (Vocabulary.load(prepared / f"{side}.model") for side in ("source", "target"))
    encoder = EncoderConfig("transformer", width=16, layers=1, heads=2, feed_forward=16)
    decoder = DecoderConfig(width=16, layers=1, heads=2, feed_forward=16)
    return TranslationModel(ModelConfig(len(source), len(target), encoder, decoder)), source, target


@pytest.mark.parametrize("together", [False, True])
def test_it_is_trained_saved_and_loaded(prepared: Path, tmp_path: Path, together: bool) -> None:
    base, source, target = build(prepared)
    config = MemoryConfig({"echo": EchoConfig(start=0.05)})
    settings = SecondPass(
        updates=40,
        score_updates=20,
        sentences=40,
        dev_sentences=20,
        shortest=4,
        batch=8,
        positions=40,
        pool=16,
        learning_rate=0.1,
        together=together,
    )
    folder = tmp_path / "memories"
    trainer, train, dev = second_pass(base, target, prepared, None, config, folder, settings)
    trainer.run(train, dev)
    model = trainer.model
    curve = [json.loads(line) for line in (tmp_path / "memories/memory_curve.jsonl").read_text().splitlines()]
    assert curve[-1]["echo"] < curve[0]["echo"] - 0.02 and curve[-1]["base"] == curve[0]["base"]
    tensors = model.memory_state()
    assert list(tensors) == ["echo.keep"] and float(tensors["echo.keep"]) < math.log(0.95 / 0.05) - 0.5
    save_bundle(
        tmp_path / "folder", Bundle("toy", base, source, target, config, tensors, tmp_path), None, None
    )
    loaded = load_bundle(tmp_path / "folder")
    assert loaded.memory == config == from_dict(MemoryConfig, to_dict(config))
    again = MemoryAugmentedModel(loaded.model, loaded.memory, WordVocabulary(loaded.target))
    again.load_memory_state(loaded.memory_tensors)
    kept = again.memories["echo"].get_parameter("keep").detach()
    assert float(kept) == pytest.approx(float(tensors["echo.keep"]), abs=2e-3)
