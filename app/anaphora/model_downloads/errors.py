"""What can go wrong with a download, in words."""

from __future__ import annotations

from anaphora.core.errors import AnaphoraError


class DownloadError(AnaphoraError):
    """Something could not be fetched.

    Attributes:
        may_pass: whether it makes sense to try again by itself.
        wait: seconds that the server asks to wait before that; 0 where it does not say.
    """

    def __init__(self, message: str, advice: str = "", may_pass: bool = False, wait: float = 0.0) -> None:
        super().__init__(message, advice)
        self.may_pass, self.wait = may_pass, wait


class GoneError(DownloadError):
    """The server has nothing at the address, or not any more."""


class ChecksumError(DownloadError):
    """A file is not the one that the list names."""


class StaleError(DownloadError):
    """The server cannot go on with what is here: it begins anew."""


class NoSpaceError(DownloadError):
    """The disk has too little room."""
