"""Folders of M2M100 and NLLB-200 models with random weights and transformers' tokenizers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import sentencepiece as spm
import torch

CODES = ("eng_Latn", "zho_Hans", "zho_Hant", "fra_Latn")


def save_m2m100(folder: Path, pieces: int, seed: int = 3) -> Path:
    """Save weights and config.json of a small model with random weights."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    torch.manual_seed(seed)
    settings: dict[str, Any] = {
        "vocab_size": pieces,
        "d_model": 32,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 48,
        "decoder_ffn_dim": 64,
        "max_position_embeddings": 128,
    }
    model = M2M100ForConditionalGeneration(M2M100Config(**settings)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape)
            if "norm.weight" in name:
                parameter.copy_(1 + 0.2 * noise)
            else:
                parameter.copy_(0.3 * noise if parameter.dim() == 1 else noise / parameter.shape[-1] ** 0.5)
        model.model.shared.weight[2] *= 2.5  # so that some translations end
    model.save_pretrained(folder)
    return folder


def save_m2m100_folder(folder: Path, pieces: bytes, seed: int = 3) -> Path:
    """Save a small M2M100; `pieces`: a sentencepiece model."""
    from transformers import M2M100Tokenizer

    folder.mkdir(parents=True, exist_ok=True)
    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(pieces)
    texts = [processor.IdToPiece(number) for number in range(3, processor.GetPieceSize())]
    table = {piece: number for number, piece in enumerate(["<s>", "<pad>", "</s>", "<unk>", *texts])}
    (folder / "vocab.json").write_text(json.dumps(table), "utf-8")
    (folder / "sentencepiece.bpe.model").write_bytes(pieces)
    tokenizer = M2M100Tokenizer(str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model"))
    tokenizer.save_pretrained(folder)
    return save_m2m100(folder, len(table) + 108, seed)


def save_nllb_folder(folder: Path, pieces: bytes) -> Path:
    """Save a small model with NLLB's tokenizer; `pieces`: a sentencepiece model of type BPE."""
    from transformers import NllbTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sentencepiece.bpe.model").write_bytes(pieces)
    tokenizer = NllbTokenizer.from_pretrained(folder, src_lang="zho_Hans", extra_special_tokens=[*CODES])
    tokenizer.save_pretrained(folder)
    return save_m2m100(folder, len(tokenizer) + 2, seed=10)
