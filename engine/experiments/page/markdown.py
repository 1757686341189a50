"""Pieces of Markdown that the results page is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]
NONE = "–"
NOT_RUN = "not run"


def table(columns: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table, the first column to the left and numbers to the right."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def commands(*lines: str) -> str:
    """Commands, set apart."""
    return "```\n" + "\n".join(lines) + "\n```"


def numbers(values: Mapping[str, Any] | None, names: Sequence[str], digits: int) -> list[str]:
    """Some of the values, with so many digits; a dash where there is none."""
    found = values or {}
    return [f"{found[name]:.{digits}f}" if found.get(name) is not None else NONE for name in names]


def percents(values: Mapping[str, Any] | None, names: Sequence[str]) -> list[str]:
    """Some of the values as per cent; a dash where there is none."""
    found = values or {}
    return [f"{found[name]:.1%}" if found.get(name) is not None else NONE for name in names]


def difference(tests: Json | None, significant: float) -> str:
    """A difference in BLEU, in bold where it is a gain with p below `significant` by the bootstrap."""
    if not tests:
        return NONE
    found = tests["bleu"]
    text = f"{found['difference']:+.2f}"
    return f"**{text}**" if found["difference"] > 0 and found["p"] < significant else text


def probability(test: Json | None) -> str:
    """A p-value."""
    if not test:
        return NONE
    return "< 0.001" if test["p"] < 0.001 else f"{test['p']:.3f}"
