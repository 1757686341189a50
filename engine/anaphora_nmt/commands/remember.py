"""`anaphora-nmt train-memories`: the second pass, and the model folder that ships."""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import replace
from pathlib import Path

from anaphora_nmt.commands.memories import memories_in_use
from anaphora_nmt.config import ContinuousCacheConfig, MemoryConfig, WordCachesConfig


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("--prepared", type=Path, required=True, help="what `prepare` wrote")
    parser.add_argument("--run", type=Path, required=True, help="the base model's run")
    parser.add_argument("--pretrained", type=Path, help="e5-small-q4.bin or a model folder")
    parser.add_argument("--out", type=Path, required=True, help="model folder to write")
    parser.add_argument("--name", default="anaphora-zh-en", help="the model's name")
    parser.add_argument("--memories", default="both", choices=("none", "cache", "words", "both"))
    parser.add_argument("--minutes", type=float, default=12.0, help="time budget of the second pass")
    parser.add_argument("--sentences", type=int, default=24000, help="training sentences of the second pass")
    parser.add_argument("--cache-size", type=int, default=ContinuousCacheConfig().size)
    parser.add_argument(
        "--drafted", type=float, default=0.5, help="share of the history that is the model's own drafts"
    )
    parser.add_argument(
        "--read",
        default="confirmed",
        help="read where nobody chooses: confirmed, cache+confirmed, all",
    )
    parser.add_argument("--threads", type=int, default=1)


def run(arguments: argparse.Namespace) -> int:
    """Train the memories on the frozen base and write the model folder."""
    import numpy as np
    import torch

    from anaphora_nmt.memory.topics import TopicModel
    from anaphora_nmt.models.bundle import Bundle, save_bundle
    from anaphora_nmt.nn.pretrained import read_pretrained
    from anaphora_nmt.text.vocabulary import Vocabulary
    from anaphora_nmt.text.words import load_source_vocabulary
    from anaphora_nmt.training.confirmed_gate import fit_on_corpus
    from anaphora_nmt.training.memory import SecondPass, train_memories
    from anaphora_nmt.training.run import load_base

    torch.set_num_threads(arguments.threads)
    prepared: Path = arguments.prepared
    model = load_base(prepared, arguments.run, arguments.pretrained).eval()
    source = load_source_vocabulary(prepared / "source.model", model.config.encoder.kind)
    target = Vocabulary.load(prepared / "target.model")
    config = MemoryConfig(
        ContinuousCacheConfig(arguments.cache_size) if arguments.memories in ("cache", "both") else None,
        WordCachesConfig() if arguments.memories in ("words", "both") else None,
    )
    tensors: dict[str, torch.Tensor] = {}
    topics_path = prepared / "topics.npz"
    if arguments.memories != "none":
        topics = TopicModel.load(topics_path) if config.word_caches else None
        settings = SecondPass(
            minutes=arguments.minutes, sentences=arguments.sentences, drafted=arguments.drafted
        )
        remembering = train_memories(
            model, target, prepared, topics, config, arguments.run / "memories", settings
        )
        tensors = remembering.memory_state()
        confirmed, losses = fit_on_corpus(remembering, prepared, arguments.run / "memories", settings)
        print("dev loss a piece, each reference confirmed before the next: " + json.dumps(losses))
        read = tuple(name for name, used in memories_in_use(arguments.read).items() if used)
        config = replace(config, confirmed=confirmed, read=read)
    bundle = Bundle(arguments.name, model, source, target, config, tensors, arguments.out)
    pretrained = read_pretrained(arguments.pretrained) if arguments.pretrained else None
    rows = np.load(prepared / "rows.npy") if pretrained else None
    save_bundle(arguments.out, bundle, pretrained, rows)
    if config.word_caches:
        shutil.copyfile(topics_path, arguments.out / "topics.npz")
    return 0
