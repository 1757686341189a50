"""`anaphora-nmt fit-memory`: fits the constants of a model's memories again, on confirmed references.

Of one file alone every fourth document is held out for the comparison. Constants that are no better there are
not kept.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, required=True, help="its folder, whose card is rewritten")
    parser.add_argument("--train", type=Path, required=True, help="corpus to fit on")
    parser.add_argument("--dev", type=Path, help="documents to compare on; without it, some of those")
    parser.add_argument("--threads", type=int, default=1)


def run(arguments: argparse.Namespace) -> int:
    """Fit, and print the losses on dev with the constants before and after."""
    import torch

    from anaphora_nmt.pipeline.fitting.memory_fit import fit_memory

    torch.set_num_threads(arguments.threads)
    found = fit_memory(arguments.model, arguments.train, dev=arguments.dev)
    print(f"dev, nats a piece: {found.without:.4f} without memory, {found.before:.4f} with it before")
    print(f"and {found.after:.4f} with what was fitted", flush=True)
    if not found.is_better:
        print("The constants stay as they were: the others are no better.")
    return 0
