"""What the scripts share that hold an OPUS-MT folder against other programs on the sentences of a corpus."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.imported.loading import load_imported
from anaphora_nmt.models.bundle import Bundle


def arguments_of(description: str | None, sentences: int) -> argparse.Namespace:
    """A folder, a corpus, and how many sentences of it; one thread computes, and nothing is downloaded.

    Args:
        description: of the script.
        sentences: how many where nobody says.
    """
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=raw)
    parser.add_argument("folder", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sentences", type=int, default=sentences)
    os.environ["HF_HUB_OFFLINE"] = "1"
    torch.set_num_threads(1)
    return parser.parse_args()


def model_and_texts(folder: Path, corpus: Path) -> tuple[Bundle, Iterator[str]]:
    """A model, and the texts of a corpus of Chinese and English that are in its source language."""
    bundle = load_imported(folder)
    side = int(bundle.languages[0] == "en")
    return bundle, (pair[side] for document in read_documents(corpus) for pair in document.pairs)


def spread(texts: Sequence[str], count: int) -> Sequence[str]:
    """Some of the texts, from all over them."""
    return texts[:: max(1, len(texts) // count)][:count]
