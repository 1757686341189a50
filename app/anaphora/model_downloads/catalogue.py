"""What is offered: models, their files, sizes, checksums and licences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlsplit

from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import LanguagePair
from anaphora.model_downloads.licences import licence_of

_SHA256, _SHA1 = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(r"[\w][\w.\-]{0,199}")
_MOST_BYTES = 1 << 36
_ARCHITECTURES = ("base", "base-memory", "tiny")
"""Mozilla's, the best drafts first."""


MANY_LANGUAGES = LanguagePair("", "")
"""The pair of a model that knows many: two are chosen when it is installed."""


class ListError(AnaphoraError):
    """A list of models is not what it should be."""


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file of a model on a server.

    Attributes:
        name: as it is installed.
        address: where it lies.
        size: bytes that travel; None where nobody has said.
        sha256: of what travels; "" where nobody has said.
        git_blob: Git's name of its content, which Hugging Face gives for small files in place of SHA-256.
        packed: with gzip.
        unpacked_size, unpacked_sha256: of a packed file, unpacked.
    """

    name: str
    address: str
    size: int | None = None
    sha256: str = ""
    git_blob: str = ""
    packed: bool = False
    unpacked_size: int | None = None
    unpacked_sha256: str = ""

    @property
    def has_checksum(self) -> bool:
        """Whether it can be told from a damaged or another file."""
        return bool(self.sha256 or self.git_blob or self.unpacked_sha256)

    @property
    def installed_size(self) -> int:
        """Bytes on the disk, as far as is known."""
        return (self.unpacked_size if self.packed else self.size) or self.size or 0

    @property
    def most_travelling(self) -> int | None:
        """Bytes that travel at the most; None where nobody knows."""
        return self.size if self.size is not None else self.unpacked_size

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> OfferedFile:
        """Read what `asdict` made, or what somebody wrote by hand; ListError where it makes no sense."""
        name, address = str(values["name"]), str(values["address"])
        if not _NAME.fullmatch(name):
            raise ListError(Message("“{name}” cannot be the name of a model file.", name=name[:80]))
        sums = {key: str(values.get(key, "")).lower() for key in ("sha256", "git_blob", "unpacked_sha256")}
        for key, form in (("sha256", _SHA256), ("git_blob", _SHA1), ("unpacked_sha256", _SHA256)):
            if sums[key] and not form.fullmatch(sums[key]):
                raise ListError(Message("The checksum of {name} is malformed.", name=name))
        sizes = {key: _size(values.get(key)) for key in ("size", "unpacked_size")}
        return cls(name, address, packed=bool(values.get("packed", False)), **sums, **sizes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be got.

    Attributes:
        source: key of the source that offers it.
        name: its name there.
        pair: its languages; `MANY_LANGUAGES` for a model of many.
        licence: by its SPDX identifier, or in words; "" where the source has to be asked.
        files: none where the source has to be asked for them.
        page: where a person can read about it.
        architecture: what its maker calls its size, "base" for instance.
        metrics: how good it was found to be, by names such as "FLORES-200 BLEU".
    """

    source: str
    name: str
    pair: LanguagePair = MANY_LANGUAGES
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
    def is_complete(self) -> bool:
        """Whether all is known that has to be said before a click: from where, how much, which licence."""
        known = all(each.has_checksum and each.most_travelling is not None for each in self.files)
        return bool(self.files and self.licence) and known

    @property
    def size(self) -> int | None:
        """Bytes that travel, at the most; None where nobody has said."""
        sizes = [each.most_travelling for each in self.files]
        known = [size for size in sizes if size is not None]
        return sum(known) if known and len(known) == len(sizes) else None

    @property
    def host(self) -> str:
        """The server that has its files."""
        return next((urlsplit(each.address).hostname or "" for each in self.files), "")

    @property
    def has_many_languages(self) -> bool:
        """Whether its languages are chosen when it is installed."""
        return not (self.pair.source or self.pair.target)

    def goes(self, pair: LanguagePair) -> bool:
        """Whether it translates between these."""
        return self.has_many_languages or self.pair.is_like(pair)

    def to_json(self) -> dict[str, Any]:
        """For a list; what is empty is left out."""
        found = asdict(self)
        found["pair"] = [self.pair.source, self.pair.target]
        found["files"] = [{key: value for key, value in asdict(each).items() if value} for each in self.files]
        return {key: value for key, value in found.items() if value}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Offer:
        """Read what `to_json` made; ListError where it makes no sense. What is unknown is ignored."""
        try:
            source, target = values.get("pair", ("", ""))
            metrics = {str(key): float(value) for key, value in dict(values.get("metrics", {})).items()}
            files = tuple(OfferedFile.from_json(each) for each in values.get("files", ()))
            if len({each.name for each in files}) != len(files):
                raise ListError("Two files of a model have one name.")
            texts = {key: str(values.get(key, "")) for key in ("licence", "page", "architecture")}
            pair = LanguagePair(str(source), str(target))
            return cls(
                str(values["source"]), str(values["name"]), pair, files=files, metrics=metrics, **texts
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ListError(
                Message("A model in the list cannot be read ({reason}).", reason=error)
            ) from error


def best_for(offers: Iterable[Offer], pair: LanguagePair) -> Offer | None:
    """The one to propose for a pair: complete, of these languages alone, with a licence for paid work.

    Of several the one of the pair's own codes (Traditional Chinese is another), of the largest
    architecture, and offered first.
    """

    def rank(offer: Offer) -> tuple[bool, int]:
        known = offer.architecture in _ARCHITECTURES
        place = _ARCHITECTURES.index(offer.architecture) if known else len(_ARCHITECTURES)
        return offer.pair != pair, place

    fitting = (offer for offer in offers if not offer.has_many_languages and offer.pair.is_like(pair))
    free = (offer for offer in fitting if offer.is_complete and licence_of(offer.licence).for_paid_work)
    return min(free, key=rank, default=None)


def _size(value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST_BYTES:
        raise ListError("The size of a file in the list is malformed.")
    return value
