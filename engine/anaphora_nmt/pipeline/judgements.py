"""What readers judged of drafts: usable as they are, to be repaired, or useless."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.pipeline.judged_corpus import Judged

VALUES = {"usable": 1.0, "repairable": 0.5, "useless": 0.0}
"""Usability by judgement: as it is or after a comma, with the source beside it, or to be written anew."""


def key_of(row: Judged) -> str:
    """What a judgement of a draft is found by, which tells neither text."""
    both = "\t".join((row.evidence.source, row.draft))
    return f"{zlib.crc32(both.encode()):08x}"


def read_judgements(path: Path) -> dict[str, str]:
    """Judgements by the key of their draft, of a table with the columns `draft` and `judged`; else
    CorpusError."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            found = {line["draft"]: line["judged"] for line in csv.DictReader(file, delimiter="\t")}
    except (OSError, KeyError, UnicodeDecodeError, csv.Error) as error:
        raise CorpusError(f"{path} cannot be read as a table of judgements ({error})") from error
    if unknown := {*found.values()} - VALUES.keys():
        raise CorpusError(f"{path} judges drafts as {min(map(str, unknown))}; known are {', '.join(VALUES)}")
    return found


def judged_rows(rows: Sequence[Judged], judgements: Mapping[str, str]) -> tuple[list[int], list[str]]:
    """The numbers of the drafts that were judged, and their judgements."""
    known = [(number, judgements.get(key_of(row))) for number, row in enumerate(rows)]
    return [number for number, each in known if each], [each for _, each in known if each]
