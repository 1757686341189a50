"""Licences of models by their SPDX identifiers: those that allow paid work."""

from __future__ import annotations

from typing import NamedTuple


class Licence(NamedTuple):
    """What people call a licence, and where its text is."""

    title: str
    address: str = ""


_KNOWN = {"MPL-2.0": Licence("MPL 2.0", "https://www.mozilla.org/MPL/2.0/")}


def is_free(name: str) -> bool:
    """Whether it is known that a licence allows paid work."""
    return name in _KNOWN


def licence_of(name: str) -> Licence:
    return _KNOWN.get(name) or Licence(name)
