"""Read untrusted JSON within limits, because a few megabytes can expand to gigabytes of lists."""

from __future__ import annotations

import json
from typing import Any

MAX_JSON = 64 * 2**20
"""Maximum number of characters, enough for files with several hundred thousand pairs of texts."""
_MAX_LISTS = 500_000
_MAX_VALUES = 5 * 10**6


def read_json(text: str, max_characters: int = MAX_JSON) -> Any:
    """The value of a JSON text. Raises ValueError if it is invalid, too deep or too large."""
    if len(text) > max_characters:
        raise ValueError(f"JSON of {len(text)} characters; at most {max_characters} are read")
    lists = text.count("[") + text.count("{")
    if lists > _MAX_LISTS or text.count(",") > _MAX_VALUES:
        raise ValueError("JSON of too many values")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("JSON that is too deep") from error
