"""Models on Hugging Face: OPUS-MT's, and NLLB-200. Both in the form of its library transformers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlsplit

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import known_codes
from anaphora.model_downloads.catalogue import ListError, Offer, OfferedFile
from anaphora.model_downloads.licences import spdx
from anaphora.model_downloads.sources.source import ReadJson

HOST = "https://huggingface.co"
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
"""The first that is there is taken: nothing of a file of tensors is run."""
_NEEDED = {
    "marian": ("config.json", "source.spm", "target.spm", "vocab.json"),
    "m2m_100": ("config.json", "sentencepiece.bpe.model"),
}
_BESIDE = (
    "generation_config.json",
    "target_vocab.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "README.md",
    "LICENSE",
)
_OPUS = re.compile(r"Helsinki-NLP/opus-mt-([a-z]{2,3})-([a-z]{2,3})")
_MOST_LISTED = 1000
_OTHER_CODES = {"jap": "ja"}
"""What OPUS-MT calls a language otherwise than everybody else."""


@dataclass(frozen=True)
class HuggingFaceModel:
    """One model there, complete with files, sizes and checksums of the state of today.

    Small files have no SHA-256 in Hugging Face's answer but Git's name of their content, which is checked
    instead; that of weights and of other large files is there.
    """

    host: str = HOST

    def complete(self, offer: Offer, repository: str, kind: str, read: ReadJson) -> Offer:
        """An offer with what was missing; see `Source.complete`."""
        answer = read(f"{self.host}/api/models/{quote(repository)}?blobs=true")
        try:
            revision = str(answer["sha"])
            there = {str(each["rfilename"]): each for each in answer["siblings"]}
            tags = [str(tag) for tag in answer.get("tags") or ()]
            said = next((tag.partition(":")[2] for tag in tags if tag.startswith("license:")), "")
        except (KeyError, TypeError, AttributeError) as error:
            raise ListError(
                Message("Hugging Face's answer about {name} cannot be read.", name=repository),
                "A newer version of Anaphora may know how.",
            ) from error
        weights = next((name for name in _WEIGHTS if name in there), "")
        names = (*_NEEDED[kind], weights, *(name for name in _BESIDE if name in there))
        if missing := [name or "weights" for name in names if name not in there]:
            raise ListError(
                Message(
                    "{name} is not in a form that Anaphora reads: {files} is missing there.",
                    name=repository,
                    files=", ".join(missing),
                )
            )
        root = f"{self.host}/{quote(repository)}/resolve/{quote(revision)}"
        files = tuple(_file(f"{root}/{quote(name)}", name, there[name]) for name in names)
        return replace(
            offer, files=files, licence=spdx(said) or offer.licence, page=f"{self.host}/{repository}"
        )


def _file(address: str, name: str, values: Mapping[str, Any]) -> OfferedFile:
    stored = values.get("lfs") or {}
    sums = {"sha256": stored.get("sha256", ""), "git_blob": "" if stored else values.get("blobId", "")}
    size = stored.get("size", values.get("size"))
    return OfferedFile.from_json({"name": name, "address": address, "size": size, **sums})


@dataclass(frozen=True)
class _OnHuggingFace:
    host: str = HOST

    @property
    def asks(self) -> str:
        """See `Source`."""
        return urlsplit(self.host).hostname or ""


@dataclass(frozen=True)
class OpusMT(_OnHuggingFace):
    """OPUS-MT's models of one pair each."""

    key: str = "opus-mt"
    title: str = "OPUS-MT"

    def offers(self, read: ReadJson) -> tuple[Offer, ...]:
        """See `Source`: the pairs; sizes and licences are asked for one by one."""
        query = f"author=Helsinki-NLP&search=opus-mt-&sort=downloads&direction=-1&limit={_MOST_LISTED}"
        answer = read(f"{self.host}/api/models?{query}")
        try:
            names = [str(each.get("id") or each.get("modelId")) for each in answer]
        except (TypeError, AttributeError) as error:
            raise ListError(Message("Hugging Face's list of models cannot be read.")) from error
        return tuple(offer for name in names if (offer := self._offer(name)) is not None)

    def complete(self, offer: Offer, read: ReadJson) -> Offer:
        """See `Source`."""
        return HuggingFaceModel(self.host).complete(
            offer, f"Helsinki-NLP/opus-mt-{offer.name}", "marian", read
        )

    def _offer(self, name: str) -> Offer | None:
        match = _OPUS.fullmatch(name)
        if match is None:
            return None
        source, target = (_OTHER_CODES.get(code, code) for code in match.groups())
        if not {source, target} <= {*known_codes()}:
            return None
        return Offer(
            self.key, f"{match[1]}-{match[2]}", LanguagePair(source, target), page=f"{self.host}/{name}"
        )


@dataclass(frozen=True)
class Nllb(_OnHuggingFace):
    """NLLB-200, one model of two hundred languages, not for paid work."""

    key: str = "nllb"
    title: str = "NLLB-200"

    def offers(self, read: ReadJson) -> tuple[Offer, ...]:
        """See `Source`."""
        return (self.complete(Offer(self.key, NLLB_NAME, licence=NLLB_LICENCE), read),)

    def complete(self, offer: Offer, read: ReadJson) -> Offer:
        """See `Source`."""
        return HuggingFaceModel(self.host).complete(offer, f"facebook/nllb-200-{offer.name}", "m2m_100", read)


NLLB_NAME, NLLB_LICENCE = "distilled-600M", "CC-BY-NC-4.0"
