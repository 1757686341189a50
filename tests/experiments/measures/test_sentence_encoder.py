"""Sentence vectors from a pretrained encoder of the published form, made small."""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from experiments.measures.sentence_encoder import SentenceEncoder

WIDTH, INNER, LAYERS = 8, 12, 2
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁query", ":", "▁a", "▁b", "c", "\ue001x", "<mask>"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> SentenceEncoder:
    folder = tmp_path_factory.mktemp("pretrained")
    generator = np.random.default_rng(1)
    shapes = {
        "embeddings.word_embeddings.weight": (len(PIECES), WIDTH),
        "embeddings.position_embeddings.weight": (512, WIDTH),
        "embeddings.token_type_embeddings.weight": (1, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in range(LAYERS):
        for name, rows, columns in (
            *((f"attention.self.{part}", WIDTH, WIDTH) for part in ("query", "key", "value")),
            ("attention.output.dense", WIDTH, WIDTH),
            ("attention.output.LayerNorm", WIDTH, 0),
            ("intermediate.dense", INNER, WIDTH),
            ("output.dense", WIDTH, INNER),
            ("output.LayerNorm", WIDTH, 0),
        ):
            stem = f"encoder.layer.{layer}.{name}"
            shapes[f"{stem}.weight"] = (rows, columns) if columns else (rows,)
            shapes[f"{stem}.bias"] = (rows,)
    tensors = {name: generator.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    for name, tensor in tensors.items():  # norms that do nothing, so that sentences differ
        if "LayerNorm" in name or name.endswith("bias"):
            tensor[:] = float(name.endswith("weight"))
    save_file(tensors, folder / "model.safetensors")
    config: dict[str, float] = {"hidden_size": WIDTH, "num_attention_heads": 2, "intermediate_size": INNER}
    config |= {"num_hidden_layers": LAYERS, "layer_norm_eps": 1e-12}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    vocabulary = [[piece, -float(number)] for number, piece in enumerate(PIECES)]
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}), "utf-8")
    return SentenceEncoder(folder)


def test_a_sentence_has_one_vector_in_whatever_company(encoder: SentenceEncoder) -> None:
    together = encoder.encode(["a b", "c", "a b", "a a a b"])
    assert together.shape == (4, WIDTH) and together.dtype == np.float32
    assert np.array_equal(together[0], together[2]) and not np.allclose(together[0], together[1])
    encoder._known.clear()
    alone = np.concatenate([encoder.encode([text], batch=1) for text in ("a b", "c", "a b", "a a a b")])
    assert np.allclose(alone, together, atol=0.05)  # bfloat16


def test_prefix_and_marks_stand_around(encoder: SentenceEncoder) -> None:
    rows = encoder._rows("a c")
    assert [PIECES[row] for row in rows] == ["<s>", "▁query", ":", "▁a", "▁", "c", "</s>"]
    assert [PIECES[row] for row in encoder._rows("ü")][-2] == "<unk>"
    one, other = encoder.encode(["a a a b", "a c"])
    assert not np.allclose(one, other, atol=0.2)
