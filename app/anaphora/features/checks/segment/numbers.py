"""Numbers that the translation lacks, or that only the translation has."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.core.language_pair import LanguagePair
from anaphora.core.text import without_kept_addresses
from anaphora.features.checks.numbers_by_pair import differing_numbers
from anaphora.features.checks.remarks import RemarkKind
from anaphora.features.checks.segment.check import Check, Said, bare, translate
from anaphora.features.checks.segment.verbatim import KEYS

MISSING = Check("number-missing", translate("Quality", "The number {0} is missing."), RemarkKind.NUMBERS)
ADDED = Check(
    "number-added", translate("Quality", "The number {0} is not in the source."), RemarkKind.NUMBERS
)
CHECKS = (MISSING, ADDED)


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Said]:
    """Those of addresses and keys do not count."""
    given, said = (KEYS.sub(" ", bare(text)) for text in without_kept_addresses(source, target))
    missing, added = differing_numbers(given, said, pair)
    yield from ((MISSING, number) for number in missing)
    yield from ((ADDED, number) for number in added)
