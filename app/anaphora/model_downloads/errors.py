"""What can go wrong with a download, in words."""

from __future__ import annotations

from anaphora.core.errors import AnaphoraError


class DownloadError(AnaphoraError):
    """Something could not be fetched."""


class GoneError(DownloadError):
    """The server has nothing at the address, or not any more."""


class ChecksumError(DownloadError):
    """A file is not the one that the list names."""


class NoSpaceError(DownloadError):
    """The disk has too little room."""
