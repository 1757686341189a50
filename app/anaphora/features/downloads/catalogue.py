"""Available models: their files, sizes and checksums."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.untrusted import read_json
from anaphora.system.locations import safe_name

_MAX_BYTES = 1 << 36
"""Maximum size in bytes of a listed file, packed or unpacked; larger sizes are errors."""
_RANKS = {"base": 0, "base-memory": 1, "tiny": 2}
"""Ranks of Mozilla's architectures; the best one has rank 0."""


class ListError(AnaphoraError):
    """A list of models is invalid."""


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A gzip file of a model on a server; raises ListError or ValueError if a value is invalid.

    Attributes:
        name: file name after installation.
        size: number of bytes to download; None if unknown.
    """

    name: str
    address: str
    unpacked_size: int
    unpacked_sha256: str
    size: int | None = None

    def __post_init__(self) -> None:
        if safe_name(self.name) != self.name or self.name.startswith("."):
            raise ListError(Message("“{name}” cannot be the name of a model file.", name=self.name[:80]))
        for size in (self.size or 0, self.unpacked_size):
            if not (isinstance(size, int) and 0 <= size <= _MAX_BYTES):
                raise ListError("The list of models contains an invalid file size.")
        urlsplit(self.address)  # raises ValueError if malformed

    @property
    def download_size(self) -> int:
        """Number of bytes to download; if unknown, the unpacked size, which is about the maximum."""
        return self.unpacked_size if self.size is None else self.size


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A Mozilla model that can be downloaded.

    Attributes:
        files: the files to download; empty if they must be requested from the registry.
        architecture: Mozilla's name for the model's size, for example "base".
        metrics: published scores by name, for example "FLORES-200+ BLEU".
    """

    name: str
    pair: LanguagePair
    files: tuple[OfferedFile, ...] = ()
    architecture: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"Firefox Translations {self.name}"

    @property
    def size(self) -> int:
        """Maximum number of bytes to download; 0 if unknown."""
        return sum(each.download_size for each in self.files)

    @property
    def host(self) -> str:
        """The server with the first file; "" if the files are unknown."""
        return next((urlsplit(each.address).hostname or "" for each in self.files), "")


def to_text(offers: Sequence[OfferedModel]) -> str:
    """The offers as JSON, without empty values."""
    entries = []
    for offer in offers:
        values = asdict(offer) | {"pair": [offer.pair.source, offer.pair.target]}
        values["files"] = [
            {key: value for key, value in asdict(each).items() if value} for each in offer.files
        ]
        entries.append({key: value for key, value in values.items() if value})
    return json.dumps({"offers": entries}, ensure_ascii=False, indent=1) + "\n"


def read_list(path: Path) -> tuple[OfferedModel, ...]:
    """Read a file with the output of `to_text`."""
    return tuple(map(_offer, read_json(path.read_text("utf-8"))["offers"]))


def _offer(values: dict[str, Any]) -> OfferedModel:
    files = tuple(OfferedFile(**each) for each in values.pop("files", ()))
    return OfferedModel(pair=LanguagePair(*values.pop("pair")), files=files, **values)


def best_for(offers: Iterable[OfferedModel], pair: LanguagePair) -> OfferedModel | None:
    """The best offer for the languages of a pair; known files and the exact language codes are preferred."""

    def rank(offer: OfferedModel) -> tuple[bool, bool, int]:
        return not offer.files, offer.pair != pair, _RANKS.get(offer.architecture, len(_RANKS))

    return min((offer for offer in offers if offer.pair.is_like(pair)), key=rank, default=None)
