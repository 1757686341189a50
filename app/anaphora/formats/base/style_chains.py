"""What styles inherit from those that they are based on."""

from __future__ import annotations

from collections.abc import Mapping


def inheriting(
    styles: Mapping[str, tuple[bool | None, str]], known: frozenset[str] = frozenset()
) -> frozenset[str]:
    """The styles that have a property, in linear time: a file may chain any number of them.

    Args:
        styles: by name, whether a style says that it has the property (None: it says nothing), and the name
            of the one that it is based on.
        known: other styles that have it.
    """
    found: dict[str, bool] = {}
    for name in styles:
        met: set[str] = set()
        while name in styles and name not in found and name not in met:
            met.add(name)
            said, base = styles[name]
            if said is not None:
                found[name] = said
            else:
                name = base
        found |= dict.fromkeys(met, found.get(name, name in known))
    return known | {name for name, has_it in found.items() if has_it}
