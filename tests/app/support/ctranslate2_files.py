"""Makes CTranslate2 folders and Argos packages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece as spm
import torch

WIDTH = 32


class _Tokenizer:
    """A tokenizer that lists its languages for CTranslate2's converter."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        names = getattr(tokenizer, "lang_token_to_id", {})
        self.special_tokens_map = {"additional_special_tokens": list(names)}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tokenizer, name)


def convert(folder: Path, out: Path, quantization: str | None, *copied: str) -> Path:
    from ctranslate2.converters import TransformersConverter  # the import takes a second

    class Converter(TransformersConverter):
        def load_tokenizer(self, tokenizer_class: Any, model_name_or_path: str, **arguments: Any) -> Any:
            from transformers import M2M100Tokenizer

            settings = json.loads((Path(model_name_or_path) / "config.json").read_text())
            chosen = M2M100Tokenizer if settings["model_type"] == "m2m_100" else tokenizer_class
            return _Tokenizer(super().load_tokenizer(chosen, model_name_or_path, **arguments))

    with torch.no_grad():
        converter = Converter(str(folder), copy_files=list(copied))
        converter.convert(str(out), quantization=quantization)
    return out


def fill(spec: Any, random: np.random.Generator) -> None:
    """Set all weights of a specification of width 32 to random values."""
    for side, layers in (("encoder", spec.encoder), ("decoder", spec.decoder)):
        for layer in layers.layer:
            inner = 48 if side == "encoder" else 64
            products: list[tuple[Any, tuple[tuple[int, int], ...]]] = [
                (layer.self_attention, ((3, 1), (1, 1)))
            ]
            if side == "decoder":
                products.append((layer.attention, ((1, 1), (2, 1), (1, 1))))
            for attention, sizes in products:
                for linear, (leaving, entering) in zip(attention.linear, sizes, strict=True):
                    _linear(linear, leaving * WIDTH, entering * WIDTH, random)
                _norm(attention.layer_norm, random)
            _linear(layer.ffn.linear_0, inner, WIDTH, random)
            _linear(layer.ffn.linear_1, WIDTH, inner, random)
            _norm(layer.ffn.layer_norm, random)
        if hasattr(layers, "layer_norm"):
            _norm(layers.layer_norm, random)


def _linear(linear: Any, leaving: int, entering: int, random: np.random.Generator) -> None:
    linear.weight = (random.normal(size=(leaving, entering)) / entering**0.5).astype(np.float32)
    linear.bias = random.normal(0, 0.3, leaving).astype(np.float32)


def _norm(norm: Any, random: np.random.Generator) -> None:
    norm.gamma = (1 + random.normal(0, 0.2, WIDTH)).astype(np.float32)
    norm.beta = random.normal(0, 0.2, WIDTH).astype(np.float32)


def argos(
    folder: Path,
    pieces: bytes,
    positions: np.ndarray | None = None,
    quantization: str = "int8",
    **config: Any,
) -> Path:
    """An Argos package: a folder with a CTranslate2 Transformer and its sentencepiece model."""
    from ctranslate2.specs import TransformerSpec
    from ctranslate2.specs.common_spec import Activation

    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(pieces)
    texts = [processor.IdToPiece(number) for number in range(3, processor.GetPieceSize())]
    table = ["<unk>", "<blank>", "<s>", "</s>", *texts]
    random = np.random.default_rng(8)
    spec = TransformerSpec.from_config((2, 3), 4, pre_norm=True, activation=Activation.RELU)
    fill(spec, random)
    words = (random.normal(size=(len(table), WIDTH)) / WIDTH**0.5).astype(np.float32)
    spec.encoder.embeddings[0].weight = spec.decoder.embeddings.weight = words
    spec.decoder.projection.weight = (random.normal(size=words.shape) / WIDTH**0.5 * 2).astype(np.float32)
    spec.decoder.projection.bias = random.normal(0, 0.3, len(table)).astype(np.float32)
    if positions is not None:
        spec.encoder.position_encodings.encodings = positions
        spec.decoder.position_encodings.encodings = positions
    for name, value in config.items():
        setattr(spec.config, name, value)
    spec.register_source_vocabulary(table)
    spec.register_target_vocabulary(table)
    spec.validate()
    spec.optimize("int8")
    (folder / "model").mkdir(parents=True)
    spec.save(str(folder / "model"))
    (folder / "sentencepiece.model").write_bytes(pieces)
    (folder / "README.md").write_text("CC0")
    metadata = {"package_version": "1.0", "from_code": "en", "from_name": "English", "to_code": "zh"}
    (folder / "metadata.json").write_text(json.dumps(metadata))
    return folder
