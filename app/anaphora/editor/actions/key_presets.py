"""Sets of keys that translators know from other programs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence

from anaphora.system.shipped import RESOURCES

DEFAULT = "Default"
PRESETS: Mapping[str, Mapping[str, Sequence[str]]] = {
    DEFAULT: {},
    **tomllib.loads((RESOURCES / "keys.toml").read_text("utf-8")),
}
"""The keys of actions that differ from the default ones."""
