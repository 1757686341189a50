"""Wider text than documentation, a module for each step, and the recipe of the model that ships."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write_documents(out: Path, records: Iterable[dict[str, Any]]) -> None:
    """A corpus of documents, as `anaphora_nmt.data.corpus` reads it."""
    with lzma.open(out, "wt", encoding="utf-8", preset=0) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
