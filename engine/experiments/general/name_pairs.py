"""Training pairs with a placeholder for a person's name on both sides.

In the pairs of the corpora that have a name of `NAMES` on both sides, a code-like token N_1 (N_2, …) replaces
each name. `text/protect.py` turns the token into a placeholder. The source of the pairs is "names".
"""

from __future__ import annotations

import re
from pathlib import Path

from anaphora_nmt.data.corpus import read_documents
from experiments.general import write_documents

_CHINESE = "汤姆 玛丽 约翰 大卫 摩西 所罗门 保罗 扫罗 雅各 约瑟 撒母耳 彼得 亚伦 约书亚 耶利米"
_ENGLISH = "Tom Mary John David Moses Solomon Paul Saul Jacob Joseph Samuel Peter Aaron Joshua Jeremiah"
NAMES = dict(zip(_CHINESE.split(), _ENGLISH.split(), strict=True))


def with_tokens(source: str, target: str) -> tuple[str, str] | None:
    number = 0
    for chinese in sorted(NAMES, key=len, reverse=True):
        english = re.compile(rf"\b{NAMES[chinese]}\b")
        if chinese not in source or not english.search(target):
            continue
        number += 1
        source, target = source.replace(chinese, f"N_{number}"), english.sub(f"N_{number}", target)
    return (source, target) if number else None


def write(out: Path, *corpora: Path) -> None:
    records: list[dict[str, object]] = []
    for document in (document for path in corpora for document in read_documents(path)):
        for tokens in filter(None, (with_tokens(*pair) for pair in document.pairs)):
            name, licence = f"names/{len(records)}", document.licence
            records.append({"doc": name, "source": "names", "licence": licence, "segments": [tokens]})
    write_documents(out, records)
    print(f"{len(records)} pairs")
