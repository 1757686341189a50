"""The lists of what is offered: those that ship, and those that somebody has asked for since."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from anaphora.core.files import write_atomically
from anaphora.core.untrusted import read_json
from anaphora.model_downloads.catalogue import ListError, Offer
from anaphora.model_downloads.sources.source import ReadJson, Source


@dataclass(frozen=True, slots=True)
class KnownOffers:
    """What is offered, as far as is known without asking.

    Attributes:
        asked: when each source was asked, by its key; of one that ships, when that list was made.
    """

    offers: tuple[Offer, ...]
    asked: dict[str, str]


class Lists:
    """The lists of some sources, in a folder of the user's.

    Attributes:
        sources: that are asked.
    """

    def __init__(self, folder: Path, shipped: Path, sources: Sequence[Source]) -> None:
        """
        Args:
            folder: where what was asked for is kept.
            shipped: the list that comes with the app.
        """
        self._folder, self._shipped, self.sources = folder, shipped, tuple(sources)

    def read(self) -> KnownOffers:
        """What is known; nothing is asked for. A kept list that cannot be read is as if it were not there."""
        shipped = read_list(self._shipped)
        offers: list[Offer] = []
        asked: dict[str, str] = {}
        for source in self.sources:
            known = shipped
            with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, ListError):
                known = read_list(self._path(source))
            offers += [offer for offer in known.offers if offer.source == source.key]
            asked[source.key] = known.asked.get(source.key, "")
        return KnownOffers(tuple(offers), asked)

    def refresh(self, source: Source, read: ReadJson) -> None:
        """Ask a source what it offers now, and keep that; AnaphoraError where it cannot be asked.

        What was known of the same files stays known: lists of sources say less than the sources themselves.
        """
        known = {offer.id: offer for offer in self.read().offers}
        found = source.offers(read)
        self._write(
            source, [_with_known(offer, known[offer.id]) if offer.id in known else offer for offer in found]
        )

    def complete(self, offer: Offer, read: ReadJson) -> Offer:
        """Ask the source of an offer for what is missing of it, and keep that."""
        source = next((each for each in self.sources if each.key == offer.source), None)
        if source is None:
            raise ListError("The list that this model was in is gone.")
        found = source.complete(offer, read)
        others = [each for each in self.read().offers if each.source == source.key and each.id != offer.id]
        self._write(source, (*others, found))
        return found

    def _path(self, source: Source) -> Path:
        return self._folder / f"{source.key}.json"

    def _write(self, source: Source, offers: Sequence[Offer]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_atomically(to_text(offers, {source.key: date.today().isoformat()}).encode(), self._path(source))


def _with_known(offer: Offer, known: Offer) -> Offer:
    """An offer, with what was known of it and is left out now."""
    if not offer.files:
        return replace(offer, licence=offer.licence or known.licence, files=known.files)
    files = {(each.address, each.unpacked_sha256): each for each in known.files if each.unpacked_sha256}
    return replace(
        offer, files=tuple(files.get((each.address, each.unpacked_sha256), each) for each in offer.files)
    )


def to_text(offers: Sequence[Offer], asked: dict[str, str]) -> str:
    """A list as it is kept."""
    values = {"asked": asked, "offers": [offer.to_json() for offer in offers]}
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def read_list(path: Path) -> KnownOffers:
    """Read what `to_text` made; OSError, ValueError, KeyError, TypeError, ListError where that cannot be."""
    values = read_json(path.read_text("utf-8"))
    asked = {str(key): str(value) for key, value in values["asked"].items()}
    return KnownOffers(tuple(Offer.from_json(each) for each in values["offers"]), asked)
