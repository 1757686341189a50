"""Errors of a translation memory, for display."""

from __future__ import annotations

from anaphora.core.errors import AnaphoraError


class TranslationMemoryError(AnaphoraError):
    """A translation memory cannot be read or written; it was not changed."""
