"""Phrases that are said twice in a row: "of the Agreement of the Agreement"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from anaphora.checks.segment.check import MOST, Check, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora.core.tags import MARK
from anaphora.core.text import URL
from anaphora_text.repeated_phrases import repeated_phrases


def _find(source: str, target: str, pair: LanguagePair) -> Iterator[str]:
    if not pair.target_language.is_spaced:
        return
    bare = _bare(target)
    found = dict.fromkeys(bare[second:end] for _, second, end in repeated_phrases(bare))
    for phrase in islice(found, MOST):
        if phrase.casefold() not in source.casefold():
            yield phrase


def _bare(text: str) -> str:
    """A text of the same length without its tags and addresses."""
    return URL.sub(
        lambda match: "x" * len(match.group()), MARK.sub(lambda match: "\0" * len(match.group()), text)
    )


def _mend(source: str, target: str, phrase: str) -> str:
    """The phrase is said once."""
    for _, second, end in repeated_phrases(target):
        if target[second:end] == phrase:
            return target[:second].rstrip(" ") + target[end:]
    return target


CHECK = Check(
    "phrase-doubled", translate("Quality", "Repeated phrase: “{0}”."), RemarkKind.WORDING, _find, _mend
)
