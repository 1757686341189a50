"""Who offers models: their titles, and asking them for what the list lacks of an offer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from anaphora.model_downloads import hugging_face, mozilla
from anaphora.model_downloads.catalogue import Offer

_TITLES = {"mozilla": "Firefox Translations", "opus-mt": "OPUS-MT"}


def title_of(offer: Offer) -> str:
    """Its source and name: "Firefox Translations zh-en base"."""
    return f"{_TITLES.get(offer.source, offer.source)} {offer.name}"


def asked_for(offer: Offer) -> str:
    """The server that is asked for what is missing of an offer."""
    address = mozilla.REGISTRY if offer.source == "mozilla" else hugging_face.HOST
    return urlsplit(address).hostname or ""


def complete(offer: Offer, read: Callable[[str], Any]) -> Offer:
    """Ask for what is missing of an offer: files, sizes, checksums, licence.

    Args:
        read: gives the JSON value at an address.
    Raises:
        AnaphoraError: the source cannot be reached, or does not have the model any more, or not in a form
            that Anaphora reads.
    """
    return (mozilla if offer.source == "mozilla" else hugging_face).complete(offer, read)
