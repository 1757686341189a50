"""The checks of one segment that are modules of their own, in the order in which they are said."""

from __future__ import annotations

from anaphora.checks.segment import (
    closing_marks,
    email_addresses,
    icu_messages,
    key_names,
    lost_units,
    minus_signs,
    paired_marks,
    repeated_phrases,
    tagged_words,
)
from anaphora.checks.segment.check import Check

CHECKS: tuple[Check, ...] = (
    tagged_words.CHECK,
    email_addresses.CHECK,
    key_names.CHECK,
    icu_messages.MISSING,
    icu_messages.ADDED,
    minus_signs.CHECK,
    lost_units.CHECK,
    repeated_phrases.CHECK,
    paired_marks.CHECK,
    closing_marks.CHECK,
)
