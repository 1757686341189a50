"""Steps that prepare general text besides documentation, and the recipe of the embedded model."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write_documents(out: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write a corpus of documents in the format of `anaphora_nmt.data.corpus`."""
    with lzma.open(out, "wt", encoding="utf-8", preset=0) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
