"""Projects of the app as documents: what was confirmed in them, in order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

from anaphora_nmt.data.corpus import ParallelDocument
from anaphora_nmt.errors import CorpusError

PROJECT_SUFFIX = ".anaphora"
LENGTH = 25
"""Pairs of one document: a long one gives several, so that some can be kept to compare on."""
_CONFIRMED = 3
_ROWS = """
    SELECT document, source, target FROM segments WHERE status = ? AND trim(target) != ''
    ORDER BY document, position
"""


def read_project(path: Path) -> Iterator[ParallelDocument]:
    """The confirmed segments of a project that is not open elsewhere, `LENGTH` to a document."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(_ROWS, (_CONFIRMED,)).fetchall()
    except sqlite3.Error as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error
    for document, group in groupby(rows, key=lambda row: row[0]):
        pairs = [(str(source), str(target)) for _, source, target in group]
        yield from parts_of(pairs, f"{path.stem}-{document}", path.name)


def parts_of(pairs: Sequence[tuple[str, str]], name: str, source: str) -> Iterator[ParallelDocument]:
    """Confirmed pairs, `LENGTH` to a document."""
    for start in range(0, len(pairs), LENGTH):
        yield ParallelDocument(f"{name}-{start}", source, "", tuple(pairs[start : start + LENGTH]))
