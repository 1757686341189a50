"""Licences of models by their SPDX identifiers: those that allow paid work."""

from __future__ import annotations

from typing import NamedTuple


class Licence(NamedTuple):
    """What people call a licence, and where its text is."""

    title: str
    address: str = ""


_KNOWN = {
    "MPL-2.0": Licence("MPL 2.0", "https://www.mozilla.org/MPL/2.0/"),
    "CC-BY-4.0": Licence("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": Licence("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "Apache-2.0": Licence("Apache 2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
    "MIT": Licence("MIT", "https://spdx.org/licenses/MIT.html"),
}
_BY_SMALL_NAME = {name.lower(): name for name in _KNOWN}


def spdx(name: str) -> str:
    """The identifier in its own spelling: Hugging Face writes "cc-by-4.0". Another name stays as it is."""
    return _BY_SMALL_NAME.get(name.lower(), name)


def is_free(name: str) -> bool:
    """Whether it is known that a licence allows paid work."""
    return spdx(name) in _KNOWN


def licence_of(name: str) -> Licence:
    return _KNOWN.get(spdx(name)) or Licence(name)
