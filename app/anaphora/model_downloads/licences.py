"""Licences of models by their SPDX identifiers: what they are called, and whether paid work is allowed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence.

    Attributes:
        title: what people call it.
        address: its text.
        for_paid_work: whether it allows commercial use; None where nobody knows.
    """

    title: str
    address: str = ""
    for_paid_work: bool | None = None


_KNOWN = {
    "MPL-2.0": Licence("MPL 2.0", "https://www.mozilla.org/MPL/2.0/", True),
    "CC-BY-4.0": Licence("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/", True),
    "CC-BY-SA-4.0": Licence("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/", True),
    "CC-BY-NC-4.0": Licence("CC BY-NC 4.0", "https://creativecommons.org/licenses/by-nc/4.0/", False),
    "Apache-2.0": Licence("Apache 2.0", "https://www.apache.org/licenses/LICENSE-2.0", True),
    "MIT": Licence("MIT", "https://spdx.org/licenses/MIT.html", True),
}
_BY_SMALL_NAME = {name.lower(): name for name in _KNOWN}


def spdx(name: str) -> str:
    """The identifier in its own spelling: Hugging Face writes "cc-by-4.0". Another name stays as it is."""
    return _BY_SMALL_NAME.get(name.lower(), name)


def licence_of(name: str) -> Licence:
    return _KNOWN.get(spdx(name)) or Licence(name)
