"""The errors that the app raises on purpose: each says what happened and what to do."""

from __future__ import annotations


class AnaphoraError(Exception):
    """Base of every expected error, fit to be shown to a person.

    Attributes:
        message: what happened, one sentence.
        advice: what the reader can do about it, one sentence; may be empty.
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(f"{message} {advice}".strip())
        self.message = message
        self.advice = advice


class DocumentError(AnaphoraError):
    """A document cannot be read."""


class ProjectError(AnaphoraError):
    """A project file cannot be opened or written."""


class ExportError(AnaphoraError):
    """A translation cannot be written."""


class SearchError(AnaphoraError):
    """A search pattern makes no sense."""
