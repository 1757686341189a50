"""The language that a plain text names in one place: a header, a key."""

from __future__ import annotations

import re

from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import HowRead
from anaphora.formats.base.splicing import spliced
from anaphora.formats.base.target_language import TargetLanguage


def with_language(data: bytes, reading: HowRead, target: TargetLanguage, *patterns: re.Pattern[str]) -> bytes:
    """A file that names the target's language where patterns (their group `language`) find the source's."""
    decoded = decode(data, reading.language, reading.encoding)
    found = {
        (*match.span("language"), target.spelled_like(match["language"]))
        for pattern in patterns
        for match in pattern.finditer(decoded.text)
        if target.replaces(match["language"])
    }
    return decoded.encode(spliced(decoded.text, found)) if found else data
