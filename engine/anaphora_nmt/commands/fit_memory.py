"""`anaphora-nmt fit-memory`: fits the constants of a model's memories on confirmed references.

Without --dev, every fourth document of the training corpus is held out for comparison. The model keeps the
new constants only if they are better on the documents for comparison.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, required=True, help="model folder; its settings are updated")
    parser.add_argument("--train", type=Path, required=True, help="corpus for tuning")
    parser.add_argument("--dev", type=Path, help="documents for comparison; default: part of the corpus")
    parser.add_argument("--threads", type=int, default=1, help="compute threads")


def run(arguments: argparse.Namespace) -> int:
    import torch

    from anaphora_nmt.pipeline.fitting.memory_fit import fit_memory

    torch.set_num_threads(arguments.threads)
    result = fit_memory(arguments.model, arguments.train, dev=arguments.dev)
    print(f"Loss per token on dev: {result.before:.4f} before, {result.after:.4f} after tuning,")
    print(f"{result.without:.4f} without memory", flush=True)
    if not result.is_better:
        print("The model was not changed because tuning did not help.")
    return 0
