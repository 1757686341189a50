"""`anaphora-nmt train`: the first pass, the base model. Under torchrun on several processes."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path

from anaphora_nmt.config import DecoderConfig, EncoderConfig, TrainingConfig

LAYERS = {"pretrained": 9, "recurrent": 1, "transformer": 6}
"""Usual number of layers of each kind of encoder."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    default = TrainingConfig()
    parser.add_argument("--prepared", type=Path, required=True, help="what `prepare` wrote")
    parser.add_argument("--run", type=Path, required=True, help="folder of checkpoints; a run there goes on")
    parser.add_argument("--pretrained", type=Path, help="e5-small-q4.bin or a model folder")
    parser.add_argument(
        "--initial", type=Path, help="model folder to begin from; its decoder may have fewer layers"
    )
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop, resumable, after this time")
    parser.add_argument("--every", type=int, default=250, help="updates between checkpoints")
    parser.add_argument("--keep", action="store_true", help="keep each checkpoint's weights in RUN/at-UPDATE")
    parser.add_argument("--updates", type=int, default=default.updates)
    parser.add_argument(
        "--decay", type=int, default=default.decay, help="updates of the final fall of the rate"
    )
    parser.add_argument("--warmup", type=int, default=default.warmup)
    parser.add_argument("--batch-tokens", type=int, default=default.batch_tokens, help="for each process")
    parser.add_argument("--learning-rate", type=float, default=default.learning_rate)
    parser.add_argument("--encoder-rate", type=float, default=default.encoder_rate)
    parser.add_argument("--optimizer", choices=("adam", "adadelta"), default=default.optimizer)
    parser.add_argument("--guide-weight", type=float, default=default.guide_weight)
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument("--encoder", choices=tuple(LAYERS), default="pretrained")
    layers = ", ".join(f"{count} {kind}" for kind, count in LAYERS.items())
    parser.add_argument("--encoder-layers", type=int, help=f"by default {layers}")
    parser.add_argument(
        "--frozen-layers", type=int, default=EncoderConfig().frozen_layers, help="of a pretrained encoder"
    )
    parser.add_argument("--encoder-width", type=int, default=EncoderConfig().width)
    parser.add_argument("--decoder", choices=("transformer", "recurrent"), default="transformer")
    parser.add_argument("--decoder-layers", type=int, default=DecoderConfig().layers)
    parser.add_argument("--feedback", choices=("gru", "tanh"), default="gru", help="of a recurrent decoder")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=1, help="compute threads of each process")


def run(arguments: argparse.Namespace) -> int:
    """Train, or go on training."""
    import torch

    from anaphora_nmt.training.run import Pace, train_base

    torch.set_num_threads(arguments.threads)
    names = ("batch_tokens", "learning_rate", "encoder_rate", "warmup", "decay", "updates", "guide_weight")
    chosen = {name: getattr(arguments, name) for name in (*names, "seed", "optimizer")}
    train_base(
        arguments.prepared,
        arguments.run,
        replace(TrainingConfig(), **chosen),
        _encoder(arguments),
        DecoderConfig(
            arguments.decoder,
            layers=arguments.decoder_layers,
            dropout=arguments.dropout,
            feedback=arguments.feedback,
        ),
        arguments.pretrained,
        arguments.initial,
        Pace(arguments.minutes, arguments.every, arguments.keep),
    )
    return 0


def _encoder(arguments: argparse.Namespace) -> EncoderConfig:
    layers = arguments.encoder_layers or LAYERS[arguments.encoder]
    width, dropout = arguments.encoder_width, arguments.dropout
    return EncoderConfig(
        arguments.encoder,
        width=width,
        layers=layers,
        frozen_layers=arguments.frozen_layers,
        dropout=dropout,
    )
