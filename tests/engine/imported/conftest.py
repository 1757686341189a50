"""Small models of other toolkits with random weights, made by the toolkits themselves."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import sentencepiece as spm
import torch

sys.path.insert(0, str(Path(__file__).parents[2] / "app" / "support"))
from m2m100_files import save_m2m100_folder, save_nllb_folder

os.environ["HF_HUB_OFFLINE"] = "1"
MakeFolder = Callable[..., Path]
STEPS = 120
_SYLLABLES = ("ka", "lo", "mi", "ne", "ru", "sha", "ta", "vo", "ä", "zu", "你", "好", "们", "在", "字")


def sentences(count: int, seed: int, longest: int = 14) -> list[str]:
    """Texts of words made of syllables, with a mark at the end."""
    chosen = random.Random(seed)
    words = ["".join(chosen.choices(_SYLLABLES, k=chosen.randint(1, 4))) for _ in range(400)]
    return [
        " ".join(chosen.choices(words, k=chosen.randint(1, longest))) + chosen.choice(".?!")
        for _ in range(count)
    ]


def train_pieces(seed: int, size: int = 120, **options: Any) -> bytes:
    """A sentencepiece model of such texts, with its own usual special pieces."""
    model = io.BytesIO()
    spm.SentencePieceTrainer.Train(
        sentence_iterator=iter(sentences(300, seed)),
        model_writer=model,
        vocab_size=size,
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    return model.getvalue()


def pieces_of(serialized: bytes) -> list[str]:
    """All pieces with text."""
    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(serialized)
    return [processor.IdToPiece(number) for number in range(3, processor.GetPieceSize())]


def teach(model: Any, source: Sequence[Sequence[int]], target: Sequence[Sequence[int]], seed: int) -> None:
    """Train for a second or two, so that the model translates sentences differently, and ends."""
    torch.manual_seed(seed)
    pad = model.config.pad_token_id
    with torch.no_grad():  # also change initial values: biases of 0, norms of 1
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(0.1 * torch.randn(parameter.shape))
    optimizer = torch.optim.Adam(model.parameters(), 4e-3)
    order = random.Random(seed)
    model.train()
    for _ in range(STEPS):
        rows = order.sample(range(len(source)), 32)
        given, wanted = (padded([side[row] for row in rows], pad) for side in (source, target))
        labels = wanted.masked_fill(wanted == pad, -100)
        loss = model(input_ids=given, attention_mask=(given != pad).long(), labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()


def padded(rows: Sequence[Sequence[int]], pad: int) -> torch.Tensor:
    """[B, S]."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])


def numbered(serialized: bytes, table: dict[str, int], texts: Sequence[str]) -> list[list[int]]:
    """The toolkit's ids of texts, ending in </s>."""
    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(serialized)
    return [[*(table[piece] for piece in processor.EncodeAsPieces(text)), table["</s>"]] for text in texts]


@pytest.fixture(scope="session")
def source_pieces() -> bytes:
    return train_pieces(1)


@pytest.fixture(scope="session")
def target_pieces() -> bytes:
    return train_pieces(2, 100)


@pytest.fixture(scope="session")
def marian_folder(
    tmp_path_factory: pytest.TempPathFactory, source_pieces: bytes, target_pieces: bytes
) -> MakeFolder:
    """Make an OPUS-MT folder with `settings` of MarianConfig and `marks` for languages; `safe`: safetensors.

    Equal models are copied instead of trained again. Without `taught` it is untrained, for
    tests of its files.
    """
    from transformers import MarianConfig, MarianMTModel

    def fresh(seed: int, marks: Sequence[str], safe: bool, taught: bool, settings: dict[str, Any]) -> Path:
        folder = tmp_path_factory.mktemp("marian")
        separate = settings.get("share_encoder_decoder_embeddings") is False
        source, target = pieces_of(source_pieces), pieces_of(target_pieces)
        joint = ["</s>", "<unk>", *marks, *dict.fromkeys(source if separate else source + target), "<pad>"]
        own = joint
        if separate:  # padding has the same number on both sides
            joint, own = (["</s>", "<unk>", "<pad>", *marks, *side] for side in (source, target))
        pad = joint.index("<pad>")
        values = {
            "vocab_size": len(joint),
            "decoder_vocab_size": len(own),
            "d_model": 32,
            "encoder_layers": 2,
            "decoder_layers": 3,
            "encoder_attention_heads": 4,
            "decoder_attention_heads": 2,
            "encoder_ffn_dim": 48,
            "decoder_ffn_dim": 64,
            "max_position_embeddings": 256,
            "activation_function": "swish",
            "scale_embedding": True,
            "pad_token_id": pad,
            "decoder_start_token_id": pad,
            "eos_token_id": 0,
            "forced_eos_token_id": 0,
        }
        torch.manual_seed(seed)
        model = MarianMTModel(MarianConfig(**{**values, **settings})).eval()
        tables = [{piece: number for number, piece in enumerate(table)} for table in (joint, own)]
        texts = sentences(400, seed, 6)
        given, wanted = (
            numbered(pieces, table, texts)
            for pieces, table in zip((source_pieces, target_pieces), tables, strict=True)
        )
        if taught:
            teach(model, given, wanted, seed)
        model.final_logits_bias.normal_(0.0, 0.3)
        model.final_logits_bias[0, 0] = 3.0  # it has learned little, but must end
        if safe:
            model.save_pretrained(folder)
        else:
            model.config.save_pretrained(folder)
            torch.save(model.state_dict(), folder / "pytorch_model.bin")
        (folder / "source.spm").write_bytes(source_pieces)
        (folder / "target.spm").write_bytes(target_pieces)
        for name, table in zip(("vocab.json", "target_vocab.json")[: 1 + separate], tables, strict=False):
            (folder / name).write_text(json.dumps(table), "utf-8")
        tokenizer = {"source_lang": "xx", "target_lang": "yy", "separate_vocabs": separate}
        (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer), "utf-8")
        return folder

    made: dict[str, Path] = {}

    def make(
        seed: int = 1, marks: Sequence[str] = (), safe: bool = True, taught: bool = True, **settings: Any
    ) -> Path:
        asked = json.dumps([seed, list(marks), safe, taught, settings], sort_keys=True)
        if asked not in made:
            made[asked] = fresh(seed, marks, safe, taught, settings)
        return shutil.copytree(made[asked], tmp_path_factory.mktemp("copy"), dirs_exist_ok=True)

    return make


@pytest.fixture(scope="session")
def opus(marian_folder: MakeFolder) -> Path:
    """A folder like OPUS-MT's. Tests must not change it."""
    return marian_folder()


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """200 sentences outside of all training data."""
    return sentences(200, 77, 9)


@pytest.fixture(scope="session")
def m2m100(tmp_path_factory: pytest.TempPathFactory, source_pieces: bytes) -> Path:
    """A small model of random weights, with transformers' tokenizer for M2M100."""
    return save_m2m100_folder(tmp_path_factory.mktemp("m2m100"), source_pieces)


@pytest.fixture(scope="session")
def nllb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model with NLLB's tokenizer, made by transformers from a sentencepiece model."""
    return save_nllb_folder(tmp_path_factory.mktemp("nllb"), train_pieces(5, model_type="bpe"))
