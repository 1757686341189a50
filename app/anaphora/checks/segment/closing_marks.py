"""A translation without the mark that closes its source, or with letters behind it: "training:a"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.checks.segment.check import Check, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora.core.tags import MARK
from anaphora_text.punctuation import CLOSING, COLONS, SEMICOLONS, WIDE_SENTENCE_ENDS, one_of

_CLOSED = re.compile(rf"{one_of(WIDE_SENTENCE_ENDS + '!?' + COLONS + SEMICOLONS)}[{re.escape(CLOSING)}\s]*$")
_COLON = re.compile(rf"(?<!{one_of(COLONS)}){one_of(COLONS)}\s*$")
_BEHIND = re.compile(r"(?<=[A-Za-z)\"”][.:!?;])\s?[A-Za-z]{1,2}$")
_OPEN = re.compile(r"[A-Za-z0-9]\s*$")


def _find(source: str, target: str, _: LanguagePair) -> Iterator[str]:
    bare, said = MARK.sub("", source).rstrip(), MARK.sub("", target).rstrip()
    if _CLOSED.search(bare) is None:
        return
    behind = _BEHIND.search(said)
    if (
        behind is not None and not bare.rstrip(WIDE_SENTENCE_ENDS + COLONS).endswith(behind.group().strip())
    ) or (_COLON.search(bare) and _OPEN.search(said)):
        yield said[max(len(said) - 12, 0) :]


def _mend(source: str, target: str, _: str) -> str:
    """Letters behind the mark go; a colon is put where the source has one."""
    if target.endswith("}"):
        return target
    text = _BEHIND.sub("", target.rstrip())
    return f"{text}:" if text == target.rstrip() and _COLON.search(MARK.sub("", source)) else text


CHECK = Check(
    "closing-mark",
    translate("Quality", "The translation does not end as its source does: “…{0}”."),
    RemarkKind.WORDING,
    _find,
    _mend,
    of_the_whole=True,
)
