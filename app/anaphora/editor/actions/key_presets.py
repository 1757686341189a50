"""Key presets that imitate other translation programs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence

from anaphora.system.shipped import RESOURCES

DEFAULT = "Default"
PRESETS: Mapping[str, Mapping[str, Sequence[str]]] = {
    DEFAULT: {},
    **tomllib.loads((RESOURCES / "keys.toml").read_text("utf-8")),
}
"""By preset, the keys of actions that differ from the default."""
