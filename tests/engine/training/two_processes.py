"""One process of `test_distributed`: some updates, then its gradients and parameters into a file.

Arguments: the corpus' file, the links' file, the folder to train in, target pieces a batch, updates,
batches of an update.
"""

from __future__ import annotations

import sys
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


def main(corpus: str, links: str, folder: str, tokens: str, updates: str, batches: str) -> None:
    torch.set_num_threads(1)
    data = TrainingData(BinaryCorpus.load(Path(corpus)), None, Links.load(Path(links)))
    tensors = train(data, Path(folder), int(tokens), int(updates), int(batches))
    Path(folder).mkdir(parents=True, exist_ok=True)
    save_file(tensors, Path(folder) / f"{dist.get_rank()}.safetensors")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
