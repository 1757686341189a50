"""Systems that use the encoder of a model folder, or the whole model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig, TrainingConfig
from anaphora_nmt.data.binary_corpus import BinaryCorpus, pad
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.models.bundle import Bundle, load_bundle
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import PAD, Vocabulary
from anaphora_nmt.training.configuration import PRETRAINED, StageConfig, order_stages, stage_from
from anaphora_nmt.training.loading import build_model, load_base
from anaphora_nmt.training.preparation import prepare
from anaphora_nmt.training.pretrained_weights import adopt
from anaphora_nmt.training.runs import DataPaths, load_run
from anaphora_nmt.training.stages import StageRuns, train_stage

PAIRS = [
    ["打开文件之后，程序会读取配置。", "After opening the file, the program reads the configuration."],
    ["服务器把数据发送给客户端。", "The server sends the data to the client."],
    ["请检查网络设置，然后重新启动程序。", "Check the network settings, then restart the program."],
    ["该函数返回一个列表。", "The function returns a list."],
]
ENCODER = EncoderConfig(layers=9, frozen_layers=9)
RAW = {
    "whole": {
        "title": "A model folder's",
        "model": {"encoder": {"layers": 9, "frozen_layers": 9}, "decoder": {"layers": 4, "dropout": 0.0}},
        "initial": PRETRAINED,
    },
    "on": {
        "like": "whole",
        "initial": "whole",
        "training": {"batch_tokens": 100, "learning_rate": 1e-6, "warmup": 1, "decay": 1, "updates": 2},
    },
}


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return load_bundle(embedded_model())


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pretrained")
    corpus = folder / "corpus.jsonl"
    corpus.write_text(json.dumps({"doc": "one", "segments": PAIRS}, ensure_ascii=False) + "\n", "utf-8")
    prepare([corpus], corpus, embedded_model(), folder / "data")
    return folder / "data"


@pytest.mark.slow
def test_prepare_keeps_a_model_folders_vocabularies(prepared: Path, bundle: Bundle) -> None:
    assert (prepared / "source.model").read_bytes() == bundle.source.serialized
    corpus = BinaryCorpus.load(prepared / "train.npz")
    assert [bundle.target.decode(corpus.target[n][:-1]) for n in range(4)] == [pair[1] for pair in PAIRS]


@pytest.mark.slow
def test_the_whole_model_is_adopted(prepared: Path, bundle: Bundle, tmp_path: Path) -> None:
    stages = {name: stage_from(StageConfig, name, RAW) for name in RAW}
    runs = StageRuns(tmp_path, DataPaths(prepared, embedded_model()), stages)
    assert order_stages(stages, ["on"]) == ["whole", "on"]
    with pytest.raises(ModelFileError, match="train whole first"):
        train_stage(runs, "on")
    assert train_stage(runs, "whole").finished
    model = load_run(tmp_path / "whole", runs.paths).model.base
    corpus = BinaryCorpus.load(prepared / "train.npz")
    pieces, target = (torch.from_numpy(pad(side, np.arange(4))) for side in (corpus.source, corpus.target))

    def logits(one: torch.nn.Module) -> torch.Tensor:
        return one.decoder.logits(one.force_decode(one.encode(pieces), target, False))[target != PAD]

    torch.testing.assert_close(logits(model), logits(bundle.model))
    assert train_stage(runs, "on").finished
    trained = load_file(tmp_path / "on" / "last" / "model.safetensors")
    assert all(name.startswith("decoder.") for name in trained), "the encoder is frozen"
    ours = dict(bundle.model.named_parameters())
    far = [float((value - ours[name].detach()).abs().max()) for name, value in trained.items()]
    assert 0 < max(far) < 1e-4, "two small steps from the model folder's"


@pytest.mark.slow
def test_a_recurrent_decoder_starts_from_its_embeddings(prepared: Path, bundle: Bundle) -> None:
    decoder = DecoderConfig("recurrent", width=64)
    config = ModelConfig(len(bundle.source), len(bundle.target), ENCODER, decoder)
    model = build_model(config, prepared, embedded_model())
    theirs = bundle.model.decoder.embeddings.detach()
    theirs = theirs - theirs.mean(0)
    for table in (model.decoder.embeddings, model.decoder.output.weight):  # type: ignore[union-attr]
        ours = table.detach()
        assert float(torch.cosine_similarity(ours, theirs).min()) > 0.999
        assert float(ours.norm(dim=1).mean()) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.slow
def test_embeddings_are_new_on_request_or_with_another_vocabulary(
    prepared: Path, bundle: Bundle, tmp_path: Path
) -> None:
    corpus = prepared.parent / "corpus.jsonl"
    prepare([corpus], corpus, embedded_model(), tmp_path, 330)
    target = Vocabulary.load(tmp_path / "target.model")
    assert len(target) == 330 and (tmp_path / "source.model").read_bytes() == bundle.source.serialized
    config = ModelConfig(len(bundle.source), len(target), ENCODER, DecoderConfig())
    other = build_model(config, tmp_path, embedded_model())
    for own, kept in zip(other.encoder.parameters(), bundle.model.encoder.parameters(), strict=True):
        assert torch.equal(own, kept)
    with pytest.raises(ModelFileError, match=r"another vocabulary \(target"):
        adopt(config, tmp_path, embedded_model())
    config = ModelConfig(len(bundle.source), len(bundle.target), ENCODER, DecoderConfig())
    theirs = bundle.model.decoder.embeddings.detach()
    theirs = theirs - theirs.mean(0)
    ours = build_model(config, prepared, embedded_model()).decoder.embeddings.detach()
    assert torch.cosine_similarity(ours, theirs).min() > 0.999


@pytest.mark.slow
def test_a_grown_decoder_equals_the_smaller_one_and_learns_completely(
    prepared: Path, bundle: Bundle, tmp_path: Path
) -> None:
    training = TrainingConfig(batch_tokens=500, warmup=1, decay=1)

    def trained(updates: int, rate: float = 1e-4) -> TranslationModel:
        config = replace(training, updates=updates, learning_rate=rate)
        stage = StageConfig(
            str(updates), ModelConfig(0, 0, ENCODER, DecoderConfig(layers=5)), "", PRETRAINED, training=config
        )
        paths = DataPaths(prepared, embedded_model())
        train_stage(StageRuns(tmp_path, paths, {stage.name: stage}), stage.name)
        return load_base(prepared, tmp_path / stage.name, embedded_model())

    started = trained(1, rate=0.0)
    corpus = BinaryCorpus.load(prepared / "train.npz")
    pieces, target = (torch.from_numpy(pad(side, np.arange(4))) for side in (corpus.source, corpus.target))
    expected = bundle.model.force_decode(bundle.model.encode(pieces), target, attention=True)
    found = started.force_decode(started.encode(pieces), target, attention=True)
    torch.testing.assert_close(
        started.decoder.logits(found), bundle.model.decoder.logits(expected), atol=2e-4, rtol=0
    )
    assert found.attention is not None and expected.attention is not None
    torch.testing.assert_close(found.attention.exp(), expected.attention.exp(), atol=2e-4, rtol=0)
    before = dict(started.decoder.named_parameters())
    after = trained(3).decoder
    still = [name for name, value in after.named_parameters() if torch.equal(value, before[name])]
    assert not [name for name in still if name.startswith("layers")], "every layer has learned something"
