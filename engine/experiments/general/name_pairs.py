"""Pairs in which a person's name stands as a placeholder on both sides, to train how names travel.

Every pair of the corpora that has a name of `NAMES` on both sides, with the code-like token N_1 (N_2, …) in
its place, which `text/protect.py` takes out. Their source is called "names".
"""

from __future__ import annotations

import re
from pathlib import Path

from anaphora_nmt.data.corpus import read_documents
from experiments.general import write_documents

NAMES = {
    "汤姆": "Tom",
    "玛丽": "Mary",
    "约翰": "John",
    "大卫": "David",
    "摩西": "Moses",
    "所罗门": "Solomon",
    "保罗": "Paul",
    "扫罗": "Saul",
    "雅各": "Jacob",
    "约瑟": "Joseph",
    "撒母耳": "Samuel",
    "彼得": "Peter",
    "亚伦": "Aaron",
    "约书亚": "Joshua",
    "耶利米": "Jeremiah",
}


def with_tokens(source: str, target: str) -> tuple[str, str] | None:
    """The pair with a token for each name on both sides; None without any."""
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
        for found in filter(None, (with_tokens(*pair) for pair in document.pairs)):
            name, licence = f"names/{len(records)}", document.licence
            records.append({"doc": name, "source": "names", "licence": licence, "segments": [found]})
    write_documents(out, records)
    print(f"{len(records)} pairs")
