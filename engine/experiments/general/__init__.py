"""The recipe of the embedded model, and the steps that prepare its general (not documentation) text."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write_documents(out: Path, records: Iterable[dict[str, Any]]) -> None:
    with lzma.open(out, "wt", encoding="utf-8", preset=0) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
