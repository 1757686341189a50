"""OPUS-MT's models on Hugging Face, in the form of its library transformers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from anaphora.core.errors import Message
from anaphora.model_downloads.catalogue import ListError, Offer, OfferedFile
from anaphora.model_downloads.licences import spdx

HOST = "https://huggingface.co"
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
"""The first that is there is taken: nothing of a file of tensors is run."""
_NEEDED = ("config.json", "source.spm", "target.spm", "vocab.json")
_BESIDE = (
    "generation_config.json",
    "target_vocab.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "README.md",
    "LICENSE",
)


def complete(offer: Offer, read: Callable[[str], Any]) -> Offer:
    """An offer with the files of today's state; see `sources.complete`.

    Small files have no SHA-256 in the answer but Git's name of their content, which is checked instead.
    """
    repository = f"Helsinki-NLP/opus-mt-{offer.name}"
    answer = read(f"{HOST}/api/models/{quote(repository)}?blobs=true")
    try:
        revision = str(answer["sha"])
        there = {str(each["rfilename"]): each for each in answer["siblings"]}
        tags = [str(tag) for tag in answer.get("tags") or ()]
    except (KeyError, TypeError, AttributeError) as error:
        raise ListError(
            Message("Hugging Face's answer about {name} cannot be read.", name=repository),
            "A newer version of Anaphora may know how.",
        ) from error
    licence = next((tag.partition(":")[2] for tag in tags if tag.startswith("license:")), "")
    weights = next((name for name in _WEIGHTS if name in there), "")
    names = (*_NEEDED, weights, *(name for name in _BESIDE if name in there))
    if missing := [name or "weights" for name in names if name not in there]:
        raise ListError(
            Message(
                "{name} is not in a form that Anaphora reads: {files} is missing there.",
                name=repository,
                files=", ".join(missing),
            )
        )
    root = f"{HOST}/{quote(repository)}/resolve/{quote(revision)}"
    files = tuple(_file(f"{root}/{quote(name)}", name, there[name]) for name in names)
    page = f"{HOST}/{repository}"
    return replace(offer, files=files, licence=spdx(licence) or offer.licence, page=page)


def _file(address: str, name: str, values: Mapping[str, Any]) -> OfferedFile:
    stored = values.get("lfs") or {}
    size = stored.get("size", values.get("size"))
    blob = "" if stored else str(values.get("blobId", ""))
    return OfferedFile(name, address, size, str(stored.get("sha256", "")), blob)
