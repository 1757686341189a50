"""Tokenised English, as TVSub and other people's outputs are, back to running text before it is scored."""

from __future__ import annotations

import html
from collections.abc import Iterable

from anaphora_nmt.errors import CorpusError


def detokenise(lines: Iterable[str]) -> list[str]:
    """Undo Moses' tokeniser: entities (`&apos;`), split contractions, punctuation. Running text stays."""
    try:
        from sacremoses import MosesDetokenizer
    except ImportError as error:
        raise CorpusError("the package sacremoses is missing: pip install anaphora[experiments]") from error
    moses = MosesDetokenizer("en")
    return [str(moses.detokenize(html.unescape(line).split())) for line in lines]
