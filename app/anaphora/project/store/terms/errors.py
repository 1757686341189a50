"""Errors of a term base, for display."""

from __future__ import annotations

from anaphora.core.errors import AnaphoraError


class TermBaseError(AnaphoraError):
    """A term base cannot be read or written; what it holds was left as it is."""
