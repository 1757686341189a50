"""What can go wrong with a translation memory, fit to be shown to a person."""

from __future__ import annotations

from pathlib import Path

from anaphora.core.errors import AnaphoraError, Message


class TranslationMemoryError(AnaphoraError):
    """A translation memory cannot be read or written; what it holds was left as it is."""


class ImportUnderWayError(TranslationMemoryError):
    """Another import into the memory has not come to its end."""

    @staticmethod
    def into(path: Path) -> ImportUnderWayError:
        """
        Args:
            path: of the memory's file, or of the project that it lies in.
        """
        return ImportUnderWayError(
            Message("Another import into “{path}” is under way.", path=path),
            "Try again when it has finished.",
        )
