"""Expected errors of the engine, and the detection of used-up memory."""

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
    # oneDNN gives no reason here. With tensors as small as the engine's, the reason is a lack of memory.
    "could not create a primitive",
    "could not create a memory",
    "could not execute a primitive",
)
"""Lower-case texts that are in the errors of torch and its libraries when memory is used up."""


class AnaphoraNmtError(Exception):
    """Base of all expected errors: a message template with named fields in braces, and the fields' values."""

    def __init__(self, template: str = "", **values: object) -> None:
        super().__init__(template.format(**values) if values else template)
        self.template, self.values = template, values


class ModelFileError(AnaphoraNmtError):
    """A model cannot be used: it is missing, damaged or not supported, or the compute device is missing."""


class LanguageNeededError(ModelFileError):
    """The user must choose a language for each of `sides` ("source", "target"), from `known` if not empty."""

    def __init__(
        self, template: str = "", sides: tuple[str, ...] = (), known: tuple[str, ...] = (), **values: object
    ) -> None:
        super().__init__(template, **values)
        self.sides, self.known = sides, known


class ConfigError(AnaphoraNmtError):
    """A configuration is unreadable, lacks a key, or has an unknown key or an invalid value."""


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
    if isinstance(problem, OSError):
        return problem.errno == errno.ENOMEM
    message = str(problem).lower()
    return isinstance(problem, MemoryError) or (
        isinstance(problem, RuntimeError) and any(each in message for each in _SHORTAGES)
    )
