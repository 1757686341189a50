"""One process of `test_distributed`: some updates, then its gradients and parameters into a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import torch
import torch.distributed as dist
from safetensors.torch import save_file
from torch import Tensor

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig, TrainingConfig
from anaphora_nmt.data.binary_corpus import BinaryCorpus
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.training.alignment import Links
from anaphora_nmt.training.loop import Trainer, TrainingData


def train(data: TrainingData, folder: Path, tokens: int, updates: int, batches: int) -> dict[str, Tensor]:
    """Gradients of the last update, and parameters after it."""
    torch.manual_seed(1)
    model = TranslationModel(
        ModelConfig(
            20,
            20,
            EncoderConfig(kind="recurrent", width=8, layers=1, embedding=8, dropout=0.2 if batches else 0.0),
            DecoderConfig(kind="transformer", width=8, layers=1, heads=2, feed_forward=12),
        )
    )
    config = TrainingConfig(
        batch_tokens=tokens,
        batches=batches,
        updates=updates,
        clip=1e9,
        warmup=1,
        decay=1,
        learning_rate=1e-4 if updates == 1 else 0.01,
        bfloat16=False,
    )
    trainer = Trainer(model, config, data, folder)
    trainer.resume()
    trainer.run(every=1)
    tensors = {}
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None
        tensors[f"gradient.{name}"] = parameter.grad
        tensors[f"parameter.{name}"] = parameter.detach()
    return tensors


def join(rank: int, shared: Mapping[str, str], paths: tuple[Path, Path], folder: Path, *sizes: int) -> None:
    """Train as one of several processes.

    Args:
        shared: variables of the environment that all of them have.
        paths: of the corpus and its links.
        folder: to train in.
        sizes: target pieces a batch, updates, batches of an update.
    """
    os.environ.update(shared, RANK=str(rank))
    torch.set_num_threads(1)
    corpus, links = paths
    tensors = train(TrainingData(BinaryCorpus.load(corpus), None, Links.load(links)), folder, *sizes)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors, folder / f"{dist.get_rank()}.safetensors")
    dist.destroy_process_group()
