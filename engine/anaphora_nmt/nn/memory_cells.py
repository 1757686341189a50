"""Memory cells that a decoder addresses by content and overwrites while it decodes."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from anaphora_nmt.nn.recurrent import masked_mean

SQUASHES = {"sigmoid": torch.sigmoid, "tanh": torch.tanh}


class CellWriter(nn.Module):
    """ERASE and ADD (Wang et al., 2016, eq. 13); FORGET and ADD (Meng et al., 2018, eqs 14 and 16).

    M̃(i) = M(i) ∘ (1 − w(i) μ), M'(i) = M̃(i) + w(i) α. μ = σ(W s) and α = σ(W' s) are the same for every
    cell; m is the width of a cell. Without biases (as printed), an untrained writer erases half of a cell
    that has the weight 1, and adds 0.5.
    """

    def __init__(self, state: int, cell: int, bias: float | None = None, squash: str = "sigmoid") -> None:
        """Args:
        state, cell: widths.
        bias: initial bias of μ and α (with tanh, that of α is 0). None: there are no biases, as printed. With
            a low bias, an untrained writer hardly changes the memory.
        squash: activation of α, "sigmoid" as printed (only positive values are added) or "tanh".
        """
        super().__init__()
        self.squash = SQUASHES[squash]
        self.erase = nn.Linear(state, cell, bias=bias is not None)
        self.add = nn.Linear(state, cell, bias=bias is not None)
        if bias is not None:
            nn.init.constant_(self.erase.bias, bias)
            nn.init.constant_(self.add.bias, bias if squash == "sigmoid" else 0.0)

    def forward(self, state: Tensor, memory: Tensor, weights: Tensor) -> Tensor:
        """States [B, D], memory [B, K, m], weights of the cells [B, K] → memory [B, K, m]."""
        erased = torch.sigmoid(self.erase(state)).to(memory.dtype)[:, None]
        added = self.squash(self.add(state)).to(memory.dtype)[:, None]
        # M ∘ (1 − w μ) + w α = M + w (α − μ ∘ M)
        change = torch.addcmul(added, erased, memory, value=-1.0)
        return torch.addcmul(memory, weights.to(memory.dtype)[..., None], change)


class CellAddressing(nn.Module):
    """Content addressing, interpolated with the previous weights: Wang et al. (2016), eqs (10)–(12).

    w = g w' + (1 − g) softmax(a), g = σ(w_g · s), a(i) = v · tanh(W M(i) + U s). Eq. (12) is printed without
    the tanh. Without it, the state's term is the same for every cell and has no effect on the softmax.
    """

    def __init__(self, width: int, kind: str = "tanh") -> None:
        """Args:
        width: m, the width of cells and states.
        kind: "tanh", or "linear" as printed.
        """
        super().__init__()
        self.kind = kind
        self.cell = nn.Linear(width, width, bias=False)
        self.state = nn.Linear(width, width, bias=False)
        self.score = nn.Linear(width, 1, bias=False)
        self.gate = nn.Linear(width, 1, bias=False)

    def forward(self, state: Tensor, memory: Tensor, previous: Tensor) -> Tensor:
        """States [B, m], memory [B, K, m], previous weights [B, K] → weights [B, K]."""
        inner = self.cell(memory) + self.state(state)[:, None]
        scores = self.score(torch.tanh(inner) if self.kind == "tanh" else inner).squeeze(-1)
        gate = torch.sigmoid(self.gate(state)).to(previous.dtype)
        return torch.lerp(scores.to(previous.dtype).softmax(-1), previous, gate)


class BufferStart(nn.Module):
    """The memory before the first word: Wang et al. (2016), eqs (14) and (15).

    M(i) = m + ν_i, m = tanh(W mean_j h_j). The paper prints m = tanh(W Σ_j h_j) / T, with the mean outside
    the tanh. In that form, a long sentence saturates the tanh, and m shrinks with the length.

    Without the noise ν_i all cells would stay equal. In training the noise is drawn anew for each sentence.
    Outside training each cell has a fixed noise, so that decoding is deterministic and independent of other
    sentences.
    """

    noise: Tensor

    def __init__(self, source: int, width: int, cells: int, noise: float, pooling: str = "inside") -> None:
        """Args:
        source, width: widths of annotations and cells.
        noise: standard deviation of ν.
        pooling: position of the mean, "inside" the tanh, or "outside" as printed.
        """
        super().__init__()
        self.pooling = pooling
        self.project = nn.Linear(source, width, bias=False)
        draw = torch.randn(cells, width, generator=torch.Generator().manual_seed(cells)) * noise
        self.register_buffer("noise", draw, persistent=False)
        self.deviation = noise

    def forward(self, annotations: Tensor, mask: Tensor) -> Tensor:
        """Annotations [B, S, C], mask [B, S] → memory [B, K, m]."""
        mean = masked_mean(annotations, mask)
        if self.pooling == "inside":
            start = torch.tanh(self.project(mean))
        else:
            length = mask.sum(1, keepdim=True).to(mean.dtype)
            start = torch.tanh(self.project(mean * length)) / length
        start = start.to(self.noise.dtype)[:, None]
        if not self.training:
            return start + self.noise
        return start + torch.randn(len(start), *self.noise.shape, device=start.device) * self.deviation
