"""The newest release, as the repository on GitHub tells it; the only place that knows where to ask."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from anaphora.core.errors import Message
from anaphora.model_downloads.transport import DownloadError, GoneError


@dataclass(frozen=True)
class Release:
    """A version that can be had.

    Attributes:
        page: where it is described and downloaded.
    """

    version: str
    page: str


def releases_address(repository: str) -> str:
    """Where the newest release is asked for.

    Args:
        repository: `https://github.com/OWNER/NAME`, or the same on a company's own GitHub.
    """
    parts = urlsplit(repository.rstrip("/"))
    if parts.hostname == "github.com":
        return f"https://api.github.com/repos{parts.path}/releases/latest"
    return f"{parts.scheme}://{parts.netloc}/api/v3/repos{parts.path}/releases/latest"


def newest(repository: str, read_json: Callable[[str], Any]) -> Release:
    """Ask for the newest release.

    Args:
        read_json: reads the JSON value at an address.
    Raises:
        DownloadError: there is none, or no answer.
    """
    address = releases_address(repository)
    try:
        told = read_json(address)
    except GoneError as error:
        raise DownloadError(
            Message("{repository} has no published version.", repository=repository)
        ) from error
    tag = told.get("tag_name") if isinstance(told, dict) else None
    if not isinstance(tag, str) or _numbers(tag) is None:
        raise DownloadError(Message("{address} did not answer with a version.", address=address))
    # The page's address is made here: what was sent is not opened.
    return Release(tag.removeprefix("v"), f"{repository.rstrip('/')}/releases/tag/{tag}")


def is_newer(version: str, than: str) -> bool:
    """Whether a version comes after another; a version that cannot be read comes before all."""
    return (_numbers(version) or ()) > (_numbers(than) or ())


def _numbers(version: str) -> tuple[int, ...] | None:
    found = re.fullmatch(r"v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?", version)
    return tuple(int(each or 0) for each in found.groups()) if found else None
