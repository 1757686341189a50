"""E-mail addresses of the source that the translation lacks or has altered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from anaphora.checks.segment.check import MOST, Check, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind

_ADDRESS = re.compile(r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}")


def _find(source: str, target: str, _: LanguagePair) -> Iterator[str]:
    lower = target.casefold()
    for address in islice(dict.fromkeys(_ADDRESS.findall(source)), MOST):
        if address.casefold() not in lower:
            yield address


CHECK = Check(
    "email-missing", translate("Quality", "The e-mail address {0} is missing."), RemarkKind.NUMBERS, _find
)
