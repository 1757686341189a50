"""`anaphora-nmt fit-memory`: fits the constants of a model's memories again, on confirmed references.

Of one file alone every fourth document is held out for the comparison.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, required=True, help="its folder, whose card is rewritten")
    parser.add_argument("--train", type=Path, required=True, help="corpus to fit on")
    parser.add_argument("--dev", type=Path, help="documents to compare on; without it, some of those")
    parser.add_argument("--sentences", type=int, default=2000, help="of training documents")
    parser.add_argument("--dev-sentences", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="print what is fitted, and write nothing")
    parser.add_argument("--threads", type=int, default=1)


def run(arguments: argparse.Namespace) -> int:
    """Fit, print the losses on dev with the constants before and after, and write them."""
    import torch

    from anaphora_nmt.config import to_dict
    from anaphora_nmt.pipeline.memory_fit import MemoryFit

    torch.set_num_threads(arguments.threads)
    work = MemoryFit(arguments.model)
    sizes = arguments.sentences, arguments.dev_sentences, arguments.seed
    train, dev = work.documents(arguments.train, arguments.dev, *sizes)
    after = work.fitted(train)
    for title, config in (("before", work.before), ("after", after)):
        base, with_memory = work.losses(config, dev)
        print(json.dumps({"constants": title, **to_dict(config)}))
        print(f"dev, nats a piece: {base:.4f} without memory, {with_memory:.4f} with", flush=True)
    if not arguments.dry:
        work.write(after)
    return 0
