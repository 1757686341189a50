"""Which memories a command uses, as its user names them."""

from __future__ import annotations

from anaphora_nmt.errors import ConfigError

_PARTS = {"cache": "continuous_cache", "words": "word_caches", "confirmed": "confirmed"}
_NAMED = {"none": "", "both": "cache+words", "all": "cache+words+confirmed"}


def memories_in_use(setting: str) -> dict[str, bool]:
    """Fields of `SearchOptions` for a setting such as "none", "both", "confirmed" or "cache+confirmed".

    Raises:
        ConfigError: it names something else.
    """
    parts = [part for one in setting.split("+") for part in _NAMED.get(one, one).split("+") if part]
    if unknown := [part for part in parts if part not in _PARTS]:
        known = ", ".join((*_NAMED, *_PARTS))
        raise ConfigError(f"there is no memory {unknown[0]!r}; there are: {known}, joined by +")
    return {field: name in parts for name, field in _PARTS.items()}
