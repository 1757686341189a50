"""Pairs in which a person's name stands as a placeholder on both sides, to train how names travel.

Every pair of the corpora that has a name of `NAMES` on both sides, with the code-like token N_1 (N_2, …) in
its place, which `text/protect.py` takes out. Their source is called "names".
"""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path

from anaphora_nmt.data.corpus import read_documents

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
    """The pair with a token for each name that it has on both sides; None if there is none."""
    number = 0
    for chinese in sorted(NAMES, key=len, reverse=True):
        english = re.compile(rf"\b{NAMES[chinese]}\b")
        if chinese not in source or not english.search(target):
            continue
        number += 1
        source, target = source.replace(chinese, f"N_{number}"), english.sub(f"N_{number}", target)
    return (source, target) if number else None


def write(out: Path, *corpora: Path) -> None:
    written = 0
    with lzma.open(out, "wt", encoding="utf-8", preset=0) as file:
        for document in (document for path in corpora for document in read_documents(path)):
            for pair in document.pairs:
                if found := with_tokens(*pair):
                    record = {
                        "doc": f"names/{written}",
                        "source": "names",
                        "licence": document.licence,
                        "segments": [found],
                    }
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")
                    written += 1
    print(f"{written} pairs")
