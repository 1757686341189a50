"""A small Firefox model that has learned some translations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import torch
from marian_files import HEADS, STUDENT, binary, sinusoids, student
from sentencepiece import SentencePieceProcessor
from torch import Tensor
from torch.nn import functional

WIDTH, INNER = 64, 128
"""Widths that fill the registers of 8-bit products."""
LARGEST = 63
"""Maximum 8-bit weight: sums of two products of larger ones overflow 16 bits on some processors."""
STEPS = 240


class Student:
    """Marian's equations in torch with 8-bit products; gradients ignore the rounding."""

    def __init__(self, pieces: int) -> None:
        torch.manual_seed(1)
        arrays = student(pieces, WIDTH, INNER)
        self.weights = {name: torch.nn.Parameter(torch.from_numpy(each)) for name, each in arrays.items()}
        self.largest: dict[str, float] = {}
        self._positions = torch.from_numpy(sinusoids(WIDTH)).float()

    def logits(self, source: Tensor, target: Tensor, is_still: bool) -> Tensor:
        """Logits of each target piece, [T, V].

        Args:
            is_still: whether all steps of the decoder have the first position.
        """
        words = self._embed(source) + self._positions[: len(source)]
        for number in (1, 2):
            words = self._attend(words, words, f"encoder_l{number}_self")
            words = self._feed(words, f"encoder_l{number}_ffn")
        states = torch.cat((torch.zeros(1, WIDTH), self._embed(target)[:-1]))
        states = states + (self._positions[:1] if is_still else self._positions[: len(target)])
        for number in (1, 2):
            states = self._recur(states, f"decoder_l{number}_rnn")
            states = self._attend(states, words, f"decoder_l{number}_context")
            states = self._feed(states, f"decoder_l{number}_ffn")
        return self._product(states, "Wemb") + self.weights["decoder_ff_logit_out_b"][0]

    def _embed(self, ids: Tensor) -> Tensor:
        return self.weights["Wemb"][ids] * math.sqrt(WIDTH)

    def _product(self, states: Tensor, name: str) -> Tensor:
        largest = max(self.largest.get(name, 0.0), float(states.detach().abs().max()))
        self.largest[name] = largest
        matrix = self.weights[name].T if name == "Wemb" else self.weights[name]
        return _rounded(states, 127 / largest) @ _rounded(
            matrix, LARGEST / float(matrix.detach().abs().max())
        )

    def _affine(self, states: Tensor, name: str, end: str) -> Tensor:
        return self._product(states, f"{name}_W{end}") + self.weights[f"{name}_b{end}"][0]

    def _norm(self, states: Tensor, name: str) -> Tensor:
        scale, bias = (self.weights[f"{name}_ln_{part}"][0] for part in ("scale", "bias"))
        return functional.layer_norm(states, (WIDTH,), scale, bias, 1e-6)

    def _attend(self, states: Tensor, others: Tensor, name: str) -> Tensor:
        parts = (self._affine(each, name, end) for each, end in ((states, "q"), (others, "k"), (others, "v")))
        query, key, value = (part.view(1, len(part), HEADS, WIDTH // HEADS).transpose(1, 2) for part in parts)
        mixed = (
            functional.scaled_dot_product_attention(query, key, value)[0]
            .transpose(0, 1)
            .reshape(len(states), WIDTH)
        )
        return self._norm(states + self._affine(mixed, name, "o"), name + "_Wo")

    def _feed(self, states: Tensor, name: str) -> Tensor:
        inner = functional.relu(self._affine(states, name, "1"))
        return self._norm(states + self._affine(inner, name, "2"), name + "_ffn")

    def _recur(self, states: Tensor, name: str) -> Tensor:
        forget, given = torch.sigmoid(self._affine(states, name, "f")), self._product(states, name + "_W")
        cell, cells = torch.zeros(WIDTH), []
        for step in range(len(states)):
            cell = forget[step] * cell + (1 - forget[step]) * given[step]
            cells.append(cell)
        return self._norm(states + functional.relu(torch.stack(cells)), name + "_ffn")


def _rounded(values: Tensor, multiplier: float) -> Tensor:
    return values + (torch.round(values * multiplier) / multiplier - values).detach()


def save_taught_student(
    folder: Path, pieces: bytes, pairs: Sequence[tuple[str, str]], steps: int = STEPS
) -> Path:
    """Save a folder like Mozilla's with an 8-bit model that has learned these pairs.

    The model also works if all steps of the decoder have the first position.
    """
    processor = SentencePieceProcessor()
    processor.LoadFromSerializedProto(pieces)
    count, end = processor.GetPieceSize(), processor.eos_id()
    model = Student(count)
    data = [[torch.tensor([*processor.Encode(text), end]) for text in pair] for pair in pairs]
    optimizer = torch.optim.Adam(model.weights.values(), 3e-3)
    for step in range(steps):
        optimizer.zero_grad()
        losses = [
            functional.cross_entropy(model.logits(source, target, step % 2 == 1), target)
            for source, target in data
        ]
        torch.stack(losses).mean().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    model.largest.clear()
    with torch.no_grad():
        for source, target in data:
            for is_still in (False, True):
                model.logits(source, target, is_still)
    arrays = {name: each.detach().numpy() for name, each in model.weights.items()}
    settings = {**STUDENT, "dim-emb": WIDTH, "transformer-dim-ffn": INNER, "dim-vocabs": [count, count]}
    folder.mkdir()
    content = binary(arrays, settings, True, model.largest, LARGEST)
    (folder / "model.xxyy.intgemm.alphas.bin").write_bytes(content)
    (folder / "vocab.xxyy.spm").write_bytes(pieces)
    return folder
