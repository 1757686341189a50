"""Small OPUS-MT folders, made with transformers."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

STEPS = 200


def save_small_model(folder: Path, texts: Sequence[str], source: str = "zh", target: str = "en") -> Path:
    """Make an OPUS-MT folder with random weights and pieces from these texts."""
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


def save_taught_model(
    folder: Path,
    pairs: Sequence[tuple[str, str]],
    source: str,
    target: str,
    steps: int = STEPS,
    seed: int = 3,
) -> Path:
    """Make an OPUS-MT folder with a model trained on some pairs for a few seconds.

    Both sides share one sentencepiece model with Marian's numbers of pieces. After few steps a model repeats
    the pairs; after more steps it distinguishes words in the same sentence.
    """
    import sentencepiece as spm
    import torch
    from transformers import MarianConfig, MarianMTModel

    model = io.BytesIO()
    spm.SentencePieceTrainer.Train(
        sentence_iterator=iter([text for pair in pairs for text in pair] * 20),
        model_writer=model,
        vocab_size=160,
        hard_vocab_limit=False,
        eos_id=0,
        unk_id=1,
        bos_id=-1,
        pad_id=-1,
        minloglevel=2,
    )
    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model.getvalue())
    pieces = [processor.IdToPiece(number) for number in range(processor.GetPieceSize())]
    table = {piece: number for number, piece in enumerate([*pieces, "<pad>"])}
    pad = len(pieces)
    torch.manual_seed(seed)
    taught = MarianMTModel(
        MarianConfig(
            vocab_size=len(table),
            d_model=64,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=4,
            decoder_attention_heads=4,
            encoder_ffn_dim=64,
            decoder_ffn_dim=64,
            dropout=0.0,
            activation_function="relu",
            max_position_embeddings=128,
            scale_embedding=True,
            pad_token_id=pad,
            decoder_start_token_id=pad,
            eos_token_id=0,
            forced_eos_token_id=0,
        )
    )
    given, wanted = (
        _rows([[*processor.EncodeAsIds(pair[side]), 0] for pair in pairs], pad) for side in (0, 1)
    )
    optimizer = torch.optim.Adam(taught.parameters(), 3e-3, fused=True)
    labels = wanted.masked_fill(wanted == pad, -100)
    for _ in range(steps):
        logits = taught(input_ids=given, attention_mask=(given != pad).long(), labels=labels).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            taught.model.shared.weight[pad] = 0.0  # Marian's first embedding is zero
    folder.mkdir(parents=True)
    taught.eval().save_pretrained(folder)
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(model.getvalue())
    (folder / "vocab.json").write_text(json.dumps(table), "utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"source_lang": source, "target_lang": target}))
    (folder / "README.md").write_text("Small model. Licence: CC-BY 4.0")
    return folder


def _rows(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    import torch

    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])
