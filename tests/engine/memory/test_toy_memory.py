"""A memory that no other module knows (`echo_memory`): drafts, explanations, training and saving."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parents[2] / "app" / "support"))
from echo_memory import EchoConfig, EchoContents, echo_translator, led_to, registered

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.evaluate import memories_in_use
from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig, from_dict, to_dict
from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.memory.registry import MEMORIES, MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle, load_bundle, save_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import Vocabulary, vocabulary_from_pieces
from anaphora_nmt.training.memory import SecondPass, second_pass
from anaphora_nmt.types import SearchOptions, SourceSegment


@pytest.fixture(autouse=True, scope="module")
def is_registered() -> Iterator[None]:
    with registered():
        yield


SOURCES = ["打开文件。", "打开文件。", "关闭文件。"]
GREEDY = SearchOptions(beam_size=1)


@pytest.fixture(scope="module")
def loaded(is_registered: None) -> Translator:
    return echo_translator()


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
    without_memory = replace(GREEDY, memories=None)
    with_echo = led_to(translator.translate("d", "1", GREEDY))
    assert "Z" in with_echo and with_echo != before
    assert translator.translate("d", "1", off).text == before
    assert translator.translate("d", "1", without_memory).text == before
    assert led_to(translator.translate("d", "1", replace(GREEDY, beam_size=3))) != before
    assert translator.info.memories == ("Echoes",)
    assert memories_in_use("echo") == {name: name == "echo" for name in MEMORIES}


def test_it_explains_and_is_shown(translator: Translator) -> None:
    translator.remember("d", "0", "Zebras gallop.")
    explained = translator.explain("d", "1", "Zebras open the file.")
    assert [entry.label for entry in explained.view.section("echo", "echoes").entries] == ["Zebras", "gallop"]
    use = next(use for use in explained.tokens[0].uses if use.memory == "echo")
    assert (use.label, use.segment, use.strength) == ("Zebras", "0", use.strength)
    assert 0 < use.strength <= 0.5
    assert use.influence is not None and use.influence > 1
    assert explained.tokens[0].share_of("echo") == pytest.approx(0.9)
    assert "echo" not in {use.memory for use in explained.tokens[1].uses}


def test_leaving_it_out_is_exact(translator: Translator) -> None:
    translator.remember("d", "0", "Zebras open files.")
    model = translator.corpus().drafter.model
    document = translator.opened("d")
    snapshot = document.memory.before(1)
    encoded = translator.corpus().drafter.encode_whole([document.source(1)])
    ids = torch.tensor([[*translator.corpus().drafter.target.encode("Zebras open the file."), 2]])
    with torch.inference_mode():
        every = set(model.memories)
        forced = model.force_decode(encoded, ids, [snapshot], every)
        assert set(forced.readings) == every
        count = ids.shape[1]
        groups = [group for group in ([0], [1, 2]) for _ in range(count)]
        steps = torch.arange(count).repeat(2)
        left = model.leave_out_at(forced, "echo", groups, steps).view(2, count)
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
    """Documents that repeat one name."""
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


def test_it_is_trained_saved_and_loaded(prepared: Path, tmp_path: Path) -> None:
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
