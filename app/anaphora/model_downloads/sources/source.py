"""What every source of models can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from anaphora.model_downloads.catalogue import Offer

ReadJson = Callable[[str], Any]
"""Fetches an address and gives the JSON value there; raises AnaphoraError."""


class Source(Protocol):
    """A source of models.

    Attributes:
        key: its name in lists and commands; never changes.
        title: its name for people.
        asks: the server that is asked.
    """

    @property
    def key(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def asks(self) -> str: ...

    def offers(self, read: ReadJson) -> tuple[Offer, ...]:
        """Ask what there is now. Of an offer may be missing what `complete` asks for."""
        ...

    def complete(self, offer: Offer, read: ReadJson) -> Offer:
        """Ask for what is missing of an offer: files, sizes, checksums, licence.

        Raises:
            AnaphoraError: the source cannot be reached, or does not have the model any more, or not in a form
                that Anaphora reads.
        """
        ...
