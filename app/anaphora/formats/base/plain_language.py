"""Change the language that a text file declares in a header or a key."""

from __future__ import annotations

import re

from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.splicing import spliced
from anaphora.formats.base.target_language import TargetLanguage


def with_language(
    data: bytes, options: ReadOptions, target: TargetLanguage, *patterns: re.Pattern[str]
) -> bytes:
    """Replace the source's language, matched by the group `language` of patterns, by the target's."""
    decoded = decode(data, options.language, options.encoding)
    found = {
        (*match.span("language"), target.spelled_like(match["language"]))
        for pattern in patterns
        for match in pattern.finditer(decoded.text)
        if target.replaces(match["language"])
    }
    return decoded.encode(spliced(decoded.text, found)) if found else data
