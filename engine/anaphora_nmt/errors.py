"""Expected errors of the engine. Each message includes advice."""

from __future__ import annotations

import errno
from collections.abc import Callable

_SHORTAGES = (
    "out of memory",
    "not enough memory",
    "can't allocate memory",
    "cannot allocate memory",
    "bad allocation",
    "bad_alloc",
    # oneDNN gives no reason, but at the engine's sizes it fails only for lack of memory.
    "could not create a primitive",
    "could not create a memory",
    "could not execute a primitive",
)
"""Parts of the messages of torch and its libraries for used-up memory, in lower case."""


class AnaphoraNmtError(Exception):
    """Base of every expected error: a message template with named fields in braces, and their values."""

    def __init__(self, template: str = "", **values: object) -> None:
        super().__init__(template.format(**values) if values else template)
        self.template, self.values = template, values


class ModelFileError(AnaphoraNmtError):
    """A model folder is missing, incomplete, corrupt, or made by another version."""


class LanguageNeededError(ModelFileError):
    """A model supports several `known` languages, and none was chosen for `sides` ("source", "target")."""

    def __init__(
        self, template: str = "", sides: tuple[str, ...] = (), known: tuple[str, ...] = (), **values: object
    ) -> None:
        super().__init__(template, **values)
        self.sides, self.known = sides, known


class ConfigError(AnaphoraNmtError):
    """A configuration has an unknown key or an invalid value."""


class CorpusError(AnaphoraNmtError):
    """Training or evaluation data cannot be read."""


class TooLittleTextError(CorpusError):
    """There is too little text for fitting."""


class UnknownSegmentError(AnaphoraNmtError):
    """A segment or document is unknown to the engine."""


class SteeringError(AnaphoraNmtError):
    """A rule, correction or memory pack is invalid."""


class Cancelled(AnaphoraNmtError):  # noqa: N818  (a request, not a failure)
    """The caller asked to stop."""


Cancel = Callable[[], bool]
"""Returns True if the caller wants to stop."""


def is_shortage_of_memory(problem: BaseException) -> bool:
    """True if the error means that the computer's or the GPU's memory is used up."""
    if isinstance(problem, OSError):
        return problem.errno == errno.ENOMEM
    message = str(problem).lower()
    return isinstance(problem, MemoryError) or (
        isinstance(problem, RuntimeError) and any(each in message for each in _SHORTAGES)
    )
