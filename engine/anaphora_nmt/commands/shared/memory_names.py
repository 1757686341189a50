"""Which memories a command uses, as its user names them."""

from __future__ import annotations

from anaphora_nmt.errors import ConfigError

_DEFAULT = "default"
_NAMED = {"none": "", "both": "cache+words"}


def memories_in_use(setting: str) -> dict[str, bool]:
    """`SearchOptions.memories` for a setting such as "none", "both", "all", "confirmed" or "cache+confirmed".

    "default" is what the model reads of each document where nobody chooses.

    Raises:
        ConfigError: it names something else.
    """
    from anaphora_nmt.memory.registry import MEMORIES

    if setting == _DEFAULT:
        return {}
    short = {memory.alias: name for name, memory in MEMORIES.items() if memory.alias}
    named = {**_NAMED, "all": "+".join(MEMORIES)}
    given = [part for one in setting.split("+") for part in named.get(one, one).split("+") if part]
    parts = [short.get(part, part) for part in given]
    if unknown := [part for part in parts if part not in MEMORIES]:
        known = ", ".join((_DEFAULT, *named, *short, *MEMORIES))
        raise ConfigError(f"there is no memory {unknown[0]!r}; there are: {known}, joined by +")
    return {name: name in parts for name in MEMORIES}
