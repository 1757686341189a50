"""A small OPUS-MT folder of random weights, made by transformers."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path


def save_small_model(folder: Path, texts: Sequence[str], source: str = "zh", target: str = "en") -> Path:
    """Make a folder as OPUS-MT's are, with pieces of these texts."""
    import sentencepiece as spm
    import torch
    from transformers import MarianConfig, MarianMTModel

    model = io.BytesIO()
    spm.SentencePieceTrainer.Train(
        sentence_iterator=iter([*texts] * 20),
        model_writer=model,
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model.getvalue())
    pieces = [processor.IdToPiece(number) for number in range(3, processor.GetPieceSize())]
    table = {piece: number for number, piece in enumerate(["</s>", "<unk>", *pieces, "<pad>"])}
    torch.manual_seed(2)
    config = MarianConfig(
        vocab_size=len(table),
        decoder_vocab_size=len(table),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        pad_token_id=len(table) - 1,
        decoder_start_token_id=len(table) - 1,
        eos_token_id=0,
        forced_eos_token_id=0,
    )
    folder.mkdir(parents=True)
    MarianMTModel(config).eval().save_pretrained(folder)
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(model.getvalue())
    (folder / "vocab.json").write_text(json.dumps(table), "utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"source_lang": source, "target_lang": target}))
    (folder / "README.md").write_text("Small model. Licence: CC-BY 4.0")
    return folder
