"""Pieces of Markdown that the results page is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]
NONE = "–"
NOT_RUN = "not run"


def table(columns: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def commands(*lines: str) -> str:
    return "```\n" + "\n".join(lines) + "\n```"


def difference(tests: Json | None, significant: float) -> str:
    """A difference in BLEU, in bold where it is a gain with p below `significant` by the bootstrap."""
    if not tests:
        return NONE
    found = tests["bleu"]
    text = f"{found['difference']:+.2f}"
    return f"**{text}**" if found["difference"] > 0 and found["p"] < significant else text


def probability(test: Json | None) -> str:
    if not test:
        return NONE
    return "< 0.001" if test["p"] < 0.001 else f"{test['p']:.3f}"
