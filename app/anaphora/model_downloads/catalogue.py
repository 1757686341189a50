"""What is offered: models, their files, sizes, checksums and licences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.untrusted import read_json
from anaphora.model_downloads.licences import is_free

_NAME = re.compile(r"[\w][\w.\-]{0,199}")
_MOST_BYTES = 1 << 36
_TITLES = {"mozilla": "Firefox Translations"}
_ARCHITECTURES = ("base", "base-memory", "tiny")
"""Mozilla's, the best drafts first."""


class ListError(AnaphoraError):
    """A list of models is not what it should be."""


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file of a model on a server; ListError where its name or its sizes make no sense.

    Attributes:
        name: as it is installed.
        size: bytes that travel; None: not known.
        unpacked_size, unpacked_sha256: of a packed file, unpacked.
    """

    name: str
    address: str
    size: int | None = None
    sha256: str = ""
    packed: bool = False
    unpacked_size: int | None = None
    unpacked_sha256: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ListError(Message("“{name}” cannot be the name of a model file.", name=self.name[:80]))
        for size in (self.size, self.unpacked_size):
            if size is not None and not (isinstance(size, int) and 0 <= size <= _MOST_BYTES):
                raise ListError("The size of a file in the list is malformed.")

    @property
    def has_checksum(self) -> bool:
        return bool(self.sha256 or self.unpacked_sha256)

    @property
    def installed_size(self) -> int:
        """Bytes on the disk, as far as is known."""
        return (self.unpacked_size if self.packed else self.size) or self.size or 0

    @property
    def most_travelling(self) -> int | None:
        """Bytes that travel at the most; None: not known."""
        return self.size if self.size is not None else self.unpacked_size


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be got.

    Attributes:
        source: key of the source that offers it.
        licence: by its SPDX identifier, or in words.
        files: empty where the source has to be asked for them.
        architecture: what its maker calls its size, "base" for instance.
        metrics: how good it was found to be, by names such as "FLORES-200 BLEU".
    """

    source: str
    name: str
    pair: LanguagePair
    licence: str = ""
    files: tuple[OfferedFile, ...] = ()
    page: str = ""
    architecture: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Its name among all."""
        return f"{self.source}/{self.name}"

    @property
    def title(self) -> str:
        """Its source and name: "Firefox Translations zh-en base"."""
        return f"{_TITLES.get(self.source, self.source)} {self.name}"

    @property
    def is_complete(self) -> bool:
        """Whether all is known that has to be said before a click: from where, how much, which licence."""
        known = all(each.has_checksum and each.most_travelling is not None for each in self.files)
        return bool(self.files and self.licence) and known

    @property
    def size(self) -> int:
        """Bytes that travel at the most, as far as is known."""
        return sum(each.most_travelling or 0 for each in self.files)

    @property
    def host(self) -> str:
        return next((urlsplit(each.address).hostname or "" for each in self.files), "")


def to_text(offers: Sequence[Offer]) -> str:
    """A list as it is kept; what is empty is left out."""
    found = []
    for offer in offers:
        values = asdict(offer) | {"pair": [offer.pair.source, offer.pair.target]}
        values["files"] = [
            {key: value for key, value in asdict(each).items() if value} for each in offer.files
        ]
        found.append({key: value for key, value in values.items() if value})
    return json.dumps({"offers": found}, ensure_ascii=False, indent=1) + "\n"


def read_list(path: Path) -> tuple[Offer, ...]:
    return tuple(map(_offer, read_json(path.read_text("utf-8"))["offers"]))


def _offer(values: dict[str, Any]) -> Offer:
    files = tuple(OfferedFile(**each) for each in values.pop("files", ()))
    return Offer(pair=LanguagePair(*values.pop("pair")), files=files, **values)


def best_for(offers: Iterable[Offer], pair: LanguagePair) -> Offer | None:
    """The one to propose for a pair: complete, with a licence for paid work.

    Of several the one of the pair's own codes (Traditional Chinese is another), of the largest
    architecture, and offered first.
    """

    def rank(offer: Offer) -> tuple[bool, int]:
        known = offer.architecture in _ARCHITECTURES
        place = _ARCHITECTURES.index(offer.architecture) if known else len(_ARCHITECTURES)
        return offer.pair != pair, place

    fitting = (offer for offer in offers if offer.pair.is_like(pair))
    free = (offer for offer in fitting if offer.is_complete and is_free(offer.licence))
    return min(free, key=rank, default=None)
