"""Clean `general-zh-en` for training.

- The Bible's chapters whose names have an even checksum (half of them) get modern punctuation: 、 becomes ，
  and ． becomes ；. The others keep the old punctuation, so that the model learns both.
- Articles lose rows of equals signs or hyphens, and a translator's name after "translated by" or
  "translating by".
"""

from __future__ import annotations

import json
import lzma
import re
import zlib
from pathlib import Path

from experiments.general import write_documents

OLD_POINTS = str.maketrans({"、": "，", "．": "；"})
SIGN_ROWS = re.compile(r"(?:\s*[=-]{4,}\s*)+")
TRANSLATOR = re.compile(r"^translat(?:ing|ed) by [\w-]+\s+", re.IGNORECASE)


def modernise(chinese: str) -> str:
    """A verse with modern punctuation; it ends in a comma if the sentence continues in the next verse."""
    return chinese.translate(OLD_POINTS)


def clean_line(text: str) -> str:
    return TRANSLATOR.sub("", SIGN_ROWS.sub(" ", text).strip())


def clean_all(record: dict[str, object], segments: list[list[str]]) -> list[list[str]]:
    if record["source"] == "bible" and zlib.crc32(str(record["doc"]).encode()) % 2 == 0:
        return [[modernise(chinese), english] for chinese, english in segments]
    if record["source"] == "articles":
        return [[clean_line(chinese), clean_line(english)] for chinese, english in segments]
    return segments


def write(corpus: Path, out: Path) -> None:
    with lzma.open(corpus, "rt", encoding="utf-8") as lines:
        records = map(json.loads, lines)
        write_documents(out, ({**each, "segments": clean_all(each, each["segments"])} for each in records))
