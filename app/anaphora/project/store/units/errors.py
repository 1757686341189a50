"""What can go wrong with a translation memory, fit to be shown to a person."""

from __future__ import annotations

from anaphora.core.errors import AnaphoraError


class TranslationMemoryError(AnaphoraError):
    """A translation memory cannot be read or written; what it holds was left as it is."""
