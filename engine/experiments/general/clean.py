"""Clean `general-zh-en` for training.

- Half of the Bible's chapters (those whose names have an even checksum) get modern punctuation: 、 becomes ，
  and ． becomes ；. The other half stays, so that the model learns both.
- Formatting of the articles is removed: rows of equals signs and dashes, and "translating by" with a name.
"""

from __future__ import annotations

import json
import lzma
import re
import zlib
from pathlib import Path

from experiments.general import write_documents

OLD_POINTS = str.maketrans({"、": "，", "．": "；"})
RULES = re.compile(r"(?:\s*[=-]{4,}\s*)+")
TRANSLATOR = re.compile(r"^translat(?:ing|ed) by [\w-]+\s+", re.IGNORECASE)


def modern(chinese: str) -> str:
    """A verse with modern punctuation; its sentence may continue in the next verse after a comma."""
    return chinese.translate(OLD_POINTS)


def plain(text: str) -> str:
    """A line of an article without rules and translator credits."""
    return TRANSLATOR.sub("", RULES.sub(" ", text).strip())


def cleaned(record: dict[str, object], segments: list[list[str]]) -> list[list[str]]:
    if record["source"] == "bible" and zlib.crc32(str(record["doc"]).encode()) % 2 == 0:
        return [[modern(chinese), english] for chinese, english in segments]
    if record["source"] == "articles":
        return [[plain(chinese), plain(english)] for chinese, english in segments]
    return segments


def write(corpus: Path, out: Path) -> None:
    with lzma.open(corpus, "rt", encoding="utf-8") as lines:
        records = map(json.loads, lines)
        write_documents(out, ({**each, "segments": cleaned(each, each["segments"])} for each in records))
