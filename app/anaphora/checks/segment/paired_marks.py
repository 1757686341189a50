"""Brackets and quotation marks of which one end is missing, though those of the source come in pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.checks.segment.check import Check, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora.core.tags import MARK
from anaphora_text.punctuation import BRACKET_PAIRS, NARROW, QUOTE_PAIRS, WIDE_BRACKET_PAIRS

_NARROW_BRACKETS = str.maketrans({mark: NARROW[mark] for pair in WIDE_BRACKET_PAIRS for mark in pair})
_LISTED = re.compile(r"(?<![(\w])\w{1,4}\)")
"""The a) of a list."""
_OPENING = ('"', *(pair[0] for pair in QUOTE_PAIRS))
_INCHES = re.compile(r"(?<=\d)[\"”]")
_SHOWN = re.compile(r"`[^`]*`|'[\"“”]'|\\\"")
"""A quotation mark that is shown, not used."""


def _find(source: str, target: str, pair: LanguagePair) -> Iterator[str]:
    given = source.translate(_NARROW_BRACKETS)
    made = target.translate(_NARROW_BRACKETS) if pair.target_language.is_wide else target
    yield from (" ".join(ends) for ends in BRACKET_PAIRS if _excess(made, ends) and not _excess(given, ends))
    if _is_quoted(source):
        said = _SHOWN.sub(" ", MARK.sub(" ", target))
        yield from (" ".join(ends) for ends in QUOTE_PAIRS if not _is_paired(said, ends))
        if not _is_even(said):
            yield '" "'


def _excess(text: str, ends: str) -> int:
    """How many ends of a pair are too many; "a)" in a list is none."""
    excess = text.count(ends[1]) - text.count(ends[0])
    return max(excess - len(_LISTED.findall(text)), 0) if excess > 0 else -excess


def _is_quoted(source: str) -> bool:
    """Whether a source has quotation marks, all in pairs; often one opens here and closes elsewhere."""
    pairs = all(source.count(ends[0]) == source.count(ends[1]) for ends in QUOTE_PAIRS)
    return pairs and _is_even(source) and any(mark in source for mark in _OPENING)


def _is_paired(text: str, ends: str) -> bool:
    opened, closed = (text.count(end) for end in ends)
    inches = len(_INCHES.findall(text)) if ends == "“”" else 0
    return opened <= closed <= opened + inches


def _is_even(text: str) -> bool:
    marks = text.count('"')
    return marks % 2 == 0 or (marks - len(_INCHES.findall(text))) % 2 == 0


CHECK = Check(
    "pair-unbalanced",
    translate("Quality", "One of the pair {0} is missing."),
    RemarkKind.WORDING,
    _find,
    of_the_whole=True,
)
