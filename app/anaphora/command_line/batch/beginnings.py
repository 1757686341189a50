"""How often documents have been begun. It imports little: a process of a cluster has nothing else to do."""

from __future__ import annotations

from collections import Counter


class Beginnings:
    """Counts how often each document has been begun; one for all processes of a run."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def begin(self, name: str) -> int:
        """Count once more."""
        self._counts[name] += 1
        return self._counts[name]
