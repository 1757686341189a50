"""A list of one's own: an agency hands its model to its translators.

The list is a JSON file on a server or in a folder:

    {"models": [{"name": "Contracts 2", "pair": ["zh", "en"], "licence": "ours, not to be passed on",
                 "files": [{"name": "model.zhen.intgemm.alphas.bin", "address": "model.bin.gz",
                            "packed": true, "size": 44369188, "sha256": "…"}, …]}]}

An address is relative to the list. One that ends in a slash is a folder, whose list is called `models.json`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from anaphora.core.errors import Message
from anaphora.core.file_names import with_home
from anaphora.model_downloads.catalogue import ListError, Offer, OfferedFile
from anaphora.model_downloads.sources.source import ReadJson

NAME = "models.json"


@dataclass(frozen=True)
class OwnList:
    """A list somewhere.

    Attributes:
        address: of the list, or of its folder.
    """

    address: str
    key: str = "list"

    @property
    def title(self) -> str:
        return self.address

    @property
    def asks(self) -> str:
        """See `Source`."""
        return urlsplit(self.address).hostname or self.address

    @property
    def _list(self) -> str:
        return self.address + NAME if self.address.endswith("/") else self.address

    def offers(self, read: ReadJson) -> tuple[Offer, ...]:
        """See `Source`."""
        answer = read(self._list)
        try:
            return tuple(self._offer(each) for each in answer["models"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ListError(
                Message("{address} is no list of models ({reason}).", address=self._list, reason=repr(error))
            ) from error

    def complete(self, offer: Offer, read: ReadJson) -> Offer:
        """See `Source`. A list says everything itself; what it leaves out is named."""
        found = next((each for each in self.offers(read) if each.name == offer.name), None)
        if found is None:
            raise ListError(Message("{name} is not offered any more.", name=offer.id))
        if not found.is_complete:
            raise ListError(
                Message("The list {address} lacks something of {name}.", address=self._list, name=offer.name),
                "Each model needs a licence, and each file a size and a SHA-256.",
            )
        return found

    def _offer(self, values: dict[str, object]) -> Offer:
        offer = Offer.from_json({**values, "source": self.key})
        return replace(offer, files=tuple(self._placed(each) for each in offer.files))

    def _placed(self, file: OfferedFile) -> OfferedFile:
        address = urljoin(self._list, file.address)
        if urlsplit(address).scheme not in ("https", urlsplit(self._list).scheme):
            raise ListError(
                Message(
                    "The list {address} names a file elsewhere: {file}.",
                    address=self._list,
                    file=file.address,
                )
            )
        return replace(file, address=address)


def own_list(place: str, key: str = "list") -> OwnList:
    """A list at an address, or in a file or a folder of this computer."""
    if urlsplit(place).scheme in ("https", "http", "file"):
        return OwnList(place, key)
    path = with_home(Path(place)).absolute()
    return OwnList(path.as_uri() + ("/" if path.is_dir() else ""), key)
