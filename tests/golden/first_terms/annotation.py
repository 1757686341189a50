"""The annotations of `annotated.tsv`, and the quality of proposals compared with them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
GENRES = HERE.parent / "genres"
CONTRACTS = ("lease", "construction", "software")


@dataclass(frozen=True, slots=True)
class Annotated:
    """A name or term that recurs in a document.

    Attributes:
        is_needed: a translator settles it before drafting; else it may be proposed, or not.
        is_name: a person, place, organisation or product.
        renderings: what would be right.
    """

    text: str
    is_needed: bool
    is_name: bool
    renderings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The proposals for a document.

    Attributes:
        proposed: how many proposals there are.
        nonsense: those that are not annotated.
        missed: what is needed and was not proposed.
    """

    proposed: int
    nonsense: tuple[str, ...]
    missed: tuple[Annotated, ...]


def pairs_of(document: str) -> list[tuple[str, str]]:
    """The sentences of a document with their references, which contracts lack."""
    if document in CONTRACTS:
        lines = (HERE / f"{document}.txt").read_text("utf-8").splitlines()
        return [(line, "") for line in lines]
    read = json.loads((GENRES / f"{document}.jsonl").read_text("utf-8"))
    return [(source, reference) for source, reference in read["segments"]]


def annotated() -> dict[str, dict[str, Annotated]]:
    """By document and text, what recurs."""
    names = (*CONTRACTS, *sorted(path.stem for path in GENRES.glob("*.jsonl")))
    by_document: dict[str, dict[str, Annotated]] = {name: {} for name in names}
    with (HERE / "annotated.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            by_document[row["document"]][row["source"]] = Annotated(
                row["source"],
                row["needed"] == "must",
                row["kind"] != "term",
                tuple(row["renderings"].split("|")),
            )
    return by_document


def judged(known: dict[str, Annotated], proposed: Iterable[str], text: str) -> Found:
    """Proposals beside what is annotated; one that stands in a longer listed one only is proposed by that.

    Args:
        text: the whole document.
    """
    texts = list(proposed)
    right = [each for each in texts if each in known]

    def is_proposed(each: Annotated) -> bool:
        around = (other for other in right if each.text in other)
        return any(other == each.text or text.count(other) == text.count(each.text) for other in around)

    missed = tuple(each for each in known.values() if each.is_needed and not is_proposed(each))
    return Found(len(texts), tuple(each for each in texts if each not in known), missed)
