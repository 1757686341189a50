"""Train a small model of OPUS-MT's form with transformers, for the benches of imported models.

    python tests/benchmarks/train_marian.py CORPUS FOLDER [--from en --to zh] [--minutes 30] [--initial F]

CORPUS is JSON Lines of documents, `[Chinese, English]` pairs; there may be several before FOLDER, which
becomes an OPUS-MT folder as Hugging Face has it: pieces of sentencepiece for each side, one table of both, a
`MarianMTModel`. One thread; products in bfloat16, for a processor that has them. The rate rises for a
twentieth of the time and falls to nothing at its end. With `--initial` the pieces and weights of another such
folder are gone on with, its sides the other way round where its languages are.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sentencepiece as spm
import torch
from torch import Tensor

from anaphora_nmt.data.corpus import read_documents

PIECES = 4_000
LONGEST = 50
TOKENS = 1_600
"""Of the longer side in a batch, with padding."""
SMOOTHING = 0.1
RATE = 1.5e-3
WARM = 0.05
Row = tuple[list[int], list[int]]


def make_pieces(texts: Sequence[str], path: Path) -> None:
    """A sentencepiece model of some texts."""
    with path.open("wb") as file:
        spm.SentencePieceTrainer.Train(
            sentence_iterator=iter(texts),
            model_writer=file,
            vocab_size=PIECES,
            character_coverage=0.9995,
            input_sentence_size=200_000,
            byte_fallback=False,
            minloglevel=2,
        )


def joint_table(folder: Path) -> dict[str, int]:
    """The pieces of both sides, as OPUS-MT numbers them."""
    sides = []
    for name in ("source.spm", "target.spm"):
        pieces = spm.SentencePieceProcessor(model_file=str(folder / name))
        sides.append([pieces.IdToPiece(number) for number in range(3, pieces.GetPieceSize())])
    joint = ["</s>", "<unk>", *dict.fromkeys(sides[0] + sides[1]), "<pad>"]
    return {piece: number for number, piece in enumerate(joint)}


def new_model(pieces: int) -> Any:
    """A small MarianMTModel."""
    from transformers import MarianConfig, MarianMTModel

    pad = pieces - 1
    sides: dict[str, Any] = {
        f"{side}_{name}": size
        for side, layers in (("encoder", 3), ("decoder", 2))
        for name, size in (("layers", layers), ("attention_heads", 4), ("ffn_dim", 512))
    }
    sides["attn_implementation"] = "eager"  # quicker in bfloat16 where sentences are short
    config = MarianConfig(
        vocab_size=pieces,
        d_model=192,
        **sides,
        dropout=0.0,
        max_position_embeddings=512,
        activation_function="relu",
        scale_embedding=True,
        pad_token_id=pad,
        decoder_start_token_id=pad,
        eos_token_id=0,
        forced_eos_token_id=0,
    )
    model = MarianMTModel(config)
    torch.nn.init.normal_(model.model.shared.weight, std=192**-0.5)
    return model


def numbered(folder: Path, table: dict[str, int], pairs: Sequence[tuple[str, str]]) -> list[Row]:
    """The pairs in the table's numbers, each side ended; too long ones are left out."""
    sides: list[list[list[int]]] = []
    for side, name in enumerate(("source.spm", "target.spm")):
        pieces = spm.SentencePieceProcessor(model_file=str(folder / name))
        texts = pieces.Encode([pair[side] for pair in pairs], out_type=str)
        sides.append([[*(table.get(piece, 1) for piece in text), 0] for text in texts])
    rows = zip(*sides, strict=True)
    return [row for row in rows if min(map(len, row)) > 1 and max(map(len, row)) <= LONGEST]


def batches(rows: list[Row], chosen: random.Random) -> Iterator[list[Row]]:
    """Rows of like length together, in random order, for ever."""
    while True:
        chosen.shuffle(rows)
        made: list[list[Row]] = []
        for start in range(0, len(rows), 20_000):
            some = sorted(rows[start : start + 20_000], key=lambda row: (len(row[1]), len(row[0])))
            batch: list[Row] = []
            for row in some:
                longest = max(len(side) for each in [*batch, row] for side in each)
                if batch and longest * (len(batch) + 1) > TOKENS:
                    made.append(batch)
                    batch = []
                batch.append(row)
            made.append(batch)
        chosen.shuffle(made)
        yield from made


def padded(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    """[B, S]."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])


def loss_of(model: Any, batch: list[Row], pad: int) -> Tensor:
    """Smoothed cross entropy of a piece."""
    given, wanted = (padded([row[side] for row in batch], pad) for side in (0, 1))
    before = torch.cat([torch.full((len(batch), 1), pad), wanted[:, :-1]], dim=1)
    with torch.autocast("cpu", torch.bfloat16):
        states = model.model(
            input_ids=given, attention_mask=(given != pad).long(), decoder_input_ids=before
        ).last_hidden_state
        kept = wanted != pad
        logits = model.lm_head(states[kept])
    return torch.nn.functional.cross_entropy(logits.float(), wanted[kept], label_smoothing=SMOOTHING)


def train(model: Any, rows: list[Row], minutes: float, pad: int) -> None:
    """As long as is said, with a rate that depends on the time that is over."""
    optimizer = torch.optim.Adam(model.parameters(), RATE, betas=(0.9, 0.98), eps=1e-8)
    started, done, seen, sum_ = time.time(), 0, 0, 0.0
    model.train()
    for batch in batches(rows, random.Random(1)):
        part = (time.time() - started) / (60 * minutes)
        if part >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(part / WARM, (1 - part) / (1 - WARM)) + 1e-7
        loss = loss_of(model, batch, pad)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done, seen, sum_ = done + 1, seen + sum(len(row[1]) for row in batch), sum_ + loss.item()
        if done % 100 == 0:
            spent = time.time() - started
            print(f"{done:>6} {part:>6.1%} {sum_ / 100:>7.3f} {seen / spent:>7.0f} pieces/s", flush=True)
            sum_ = 0.0
    model.eval()


def begin(arguments: argparse.Namespace, pairs: Sequence[tuple[str, str]]) -> tuple[Any, dict[str, int]]:
    """Pieces and model: new, or another folder's."""
    from transformers import MarianMTModel

    folder: Path = arguments.folder
    if arguments.initial is None:
        for side, name in enumerate(("source.spm", "target.spm")):
            make_pieces([pair[side] for pair in pairs], folder / name)
        table = joint_table(folder)
        torch.manual_seed(1)
        return new_model(len(table)), table
    said = json.loads((arguments.initial / "tokenizer_config.json").read_text("utf-8"))
    names = ["source.spm", "target.spm"]
    turned = said["source_lang"] != arguments.source
    for name, from_ in zip(names, reversed(names) if turned else names, strict=True):
        shutil.copy(arguments.initial / from_, folder / name)
    table = json.loads((arguments.initial / "vocab.json").read_text("utf-8"))
    return MarianMTModel.from_pretrained(arguments.initial), table


def main() -> None:
    """Train and write the folder."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="source", default="zh", choices=("zh", "en"))
    parser.add_argument("--to", dest="target", default="en", choices=("zh", "en"))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--initial", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    folder: Path = arguments.folder
    folder.mkdir(parents=True)
    documents = [document for corpus in arguments.corpora for document in read_documents(corpus)]
    pairs = [pair for document in documents for pair in document.pairs if all(pair)]
    if arguments.source == "en":
        pairs = [(target, source) for source, target in pairs]
    model, table = begin(arguments, pairs)
    rows = numbered(folder, table, pairs)
    print(f"{len(rows)} of {len(pairs)} pairs, {len(table)} pieces", flush=True)
    train(model, rows, arguments.minutes, table["<pad>"])
    model.save_pretrained(folder)
    (folder / "vocab.json").write_text(json.dumps(table), "utf-8")
    said = {"source_lang": arguments.source, "target_lang": arguments.target, "separate_vocabs": False}
    (folder / "tokenizer_config.json").write_text(json.dumps(said), "utf-8")


if __name__ == "__main__":
    main()
