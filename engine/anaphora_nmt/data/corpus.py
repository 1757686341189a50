"""Parallel documents in JSON Lines (also xz- or gzip-compressed), one document per line."""

from __future__ import annotations

import gzip
import json
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from anaphora_nmt.errors import CorpusError


@dataclass(frozen=True, slots=True)
class ParallelDocument:
    """A document and its translation.

    Attributes:
        pairs: source and target of each segment.
        references: all translations of each segment, if every segment has a list of them; otherwise empty.
    """

    id: str
    source_name: str
    licence: str
    pairs: tuple[tuple[str, str], ...]
    references: tuple[tuple[str, ...], ...] = ()


_OPENERS: dict[str, Callable[..., IO[str]]] = {".xz": lzma.open, ".gz": gzip.open}  # type: ignore[dict-item]


def read_documents(path: Path) -> Iterator[ParallelDocument]:
    """Read a corpus file lazily. CorpusError if the file cannot be read, or a line is invalid."""
    opener, number = _OPENERS.get(path.suffix, open), 0
    try:
        with opener(path, mode="rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):  # noqa: B007
                yield _document(json.loads(line))
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CorpusError(f"{path}, line {max(1, number)}: not a document ({error!r})") from error


def _document(record: dict[str, Any]) -> ParallelDocument:
    name, source, licence = record["doc"], record.get("source", ""), record.get("licence", "")
    if not (isinstance(name, str) and isinstance(source, str) and isinstance(licence, str)):
        raise TypeError("doc, source and licence must be text")
    segments = record["segments"]
    pairs = tuple(_pair(segment) for segment in segments)
    lists = [segment["refs"] for segment in segments if isinstance(segment, dict) and segment.get("refs")]
    references = tuple(_texts(refs) for refs in lists) if len(lists) == len(pairs) else ()
    return ParallelDocument(name, source, licence, pairs, references)


def _pair(segment: Any) -> tuple[str, str]:
    source, target = (segment["zh"], segment["en"]) if isinstance(segment, dict) else segment
    if not (isinstance(segment, dict | list) and isinstance(source, str) and isinstance(target, str)):
        raise TypeError(f"{segment!r} is not a pair of texts")
    return source, target


def _texts(values: Any) -> tuple[str, ...]:
    if not (isinstance(values, list) and all(isinstance(value, str) for value in values)):
        raise TypeError(f"{values!r} is not a list of texts")
    return tuple(values)
