"""Numbers that the translation lacks, or that only the translation has."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.core.language_pair import LanguagePair
from anaphora.core.text import without_kept_addresses
from anaphora.features.checks.numbers_by_pair import differing_numbers
from anaphora.features.checks.remarks import RemarkKind
from anaphora.features.checks.segment.check import Check, Finding, bare, translate
from anaphora.features.checks.segment.verbatim import KEYS

MISSING = Check("number-missing", translate("Quality", "The number {0} is missing."), RemarkKind.NUMBERS)
ADDED = Check(
    "number-added", translate("Quality", "The number {0} is not in the source."), RemarkKind.NUMBERS
)
MANY_MISSING = Check("number-missing", translate("Quality", "{0} numbers are missing."), RemarkKind.NUMBERS)
MANY_ADDED = Check(
    "number-added", translate("Quality", "{0} numbers are not in the source."), RemarkKind.NUMBERS
)
CHECKS = (MISSING, ADDED, MANY_MISSING, MANY_ADDED)
MAX_NAMED = 5
"""Maximum number of remarks that name a number each; more numbers are only counted."""


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    """Numbers in addresses and keys do not count."""
    given, translated = (KEYS.sub(" ", bare(text)) for text in without_kept_addresses(source, target))
    missing, added = differing_numbers(given, translated, pair)
    for numbers, one, many in ((missing, MISSING, MANY_MISSING), (added, ADDED, MANY_ADDED)):
        if len(numbers) > MAX_NAMED:
            yield many, str(len(numbers))
        else:
            yield from ((one, number) for number in numbers)
