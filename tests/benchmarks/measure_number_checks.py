# ruff: noqa: E501
"""Measure precision and recall of the checks of signs, units, shares and limits.

    python tests/benchmarks/measure_number_checks.py DEV.jsonl.xz... [--pairs 3000] [--show]

Precision is the share of correct pairs without a remark. Recall is the share of falsified pairs (a swapped
operator or currency, another unit, a reversed limit) with a remark. RESULTS.md has both figures.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sized
from itertools import islice
from pathlib import Path

from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.features.checks.segment import quantities
from anaphora_nmt.data.corpus import read_documents

FALSIFIED: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("≥|≤|±", r"[≥≤±]", {"≥": "≤", "≤": "≥", "±": "°"}),
    (r"[¥€£￥]", r"¥|€|£", {"¥": "$", "€": "$", "£": "°"}),
    (r"\d[%％]|百分之", r"(?<=\d)%(?![0-9A-F]{2})|(?<=\d) percent| per cent", {"%": "°", " percent": " degrees", " per cent": " degrees"}),
    (
        r"毫升|[公千]克|公斤|公里|米|微米|克|吨|升|℃|度|\d ?(?:mm|cm|km|kg|mg)",
        r"(?<=\d) ?(?:mm|cm|km|kg|mg|mL|ml)\b|(?<=\d) (?:meters|metres|kilometers|kilograms|grams|tons|liters)\b",
        {},
    ),
    (
        r"不[得能应]?(?:少于|超过|低于|高于|大于|小于|多于)|至少|最少|最多|至多|以上|以下|以内|未满|[≥≤]",
        r"\b(?:at least|at most|no more than|no less than|no fewer than|not exceed|not less than|not more than|or more"
        r"|or less|or above|or below|up to|less than|more than|fewer than|greater than|within|under|over|or older)\b",
        {
            "at least": "at most", "at most": "at least", "no more than": "no less than", "no less than": "no more than",
            "no fewer than": "no more than", "not exceed": "not be less than", "not less than": "not more than",
            "not more than": "not less than", "or more": "or less", "or less": "or more", "or above": "or below",
            "or below": "or above", "up to": "at least", "less than": "more than", "more than": "less than",
            "fewer than": "more than", "greater than": "less than", "within": "after", "under": "over",
            "over": "under", "or older": "or younger",
        },
    ),
)  # fmt: skip
"""Patterns in source and target, and replacements in the target; by default, " milliseconds"."""


def remarks(source: str, target: str) -> list[str]:
    """The remarks of the checks about a pair."""
    return [name for _, name in quantities.find(source, target, CHINESE_TO_ENGLISH)]


def falsified(source: str, target: str) -> Iterator[str]:
    """The translation of a pair with one mistake added."""
    for cue, pattern, instead in FALSIFIED:
        digits = "[\\d一二三四五六七八九十百]"
        number = rf"(?:{cue})[^\W\d]{{0,2}} ?{digits}|{digits}[^，。\d]{{0,3}}(?:{cue})|\d ?(?:mm|cm|[%％])"
        found = list(re.finditer(pattern, target))
        if len(found) == 1 and len(re.findall(cue, source)) == 1 and re.search(number, source):
            wrong = instead.get(found[0].group(), " milliseconds")
            near = target[max(found[0].start() - 20, 0) : found[0].end() + 20]
            if re.search(r"\d", near):
                yield target[: found[0].start()] + wrong + target[found[0].end() :]


def share(others: Sized, pairs: Sized, digits: int) -> str:
    """The percentage of pairs that are not among `others`; a dash if there are no pairs."""
    return f"{1 - len(others) / len(pairs):.{digits}%}" if pairs else "–"


def main() -> None:
    """Print both figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument(
        "--falsify", type=Path, nargs="*", default=(), help="more corpora to falsify pairs of"
    )
    parser.add_argument("--show", action="store_true", help="print the pairs that the figures are about")
    arguments = parser.parse_args()
    every = [pair for name in arguments.corpora for each in read_documents(name) for pair in each.pairs]
    random.Random(62).shuffle(every)
    others = [pair for name in arguments.falsify for each in read_documents(name) for pair in each.pairs]
    random.Random(62).shuffle(others)
    right = every[: arguments.pairs]
    alarms = [(pair, names) for pair in right if (names := remarks(*pair))]
    wrong = [
        *islice(
            ((source, text) for source, target in every + others for text in falsified(source, target)), 200
        )
    ]
    missed = [pair for pair in wrong if not remarks(*pair)]
    if arguments.show:
        for (source, target), names in alarms:
            print("alarm", names, source, target, sep="\t")
        for source, target in missed:
            print("missed", source, target, sep="\t")
    print(f"{share(alarms, right, 2)} of {len(right)} right pairs without an alarm")
    print(f"{share(missed, wrong, 1)} of {len(wrong)} falsified pairs found")


if __name__ == "__main__":
    main()
