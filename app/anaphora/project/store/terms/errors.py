"""Errors of a term base, for display."""

from __future__ import annotations

from anaphora.core.errors import AnaphoraError


class TermBaseError(AnaphoraError):
    """A term base cannot be read or written; it was not changed."""
