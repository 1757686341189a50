"""Word segmenters for Japanese (janome) and Thai (newmm); dictionaries are loaded once, on first use."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

from anaphora_text.han import ALL_HAN, KANA

_KANA = re.compile(f"[{KANA}]")
_HAN = re.compile(f"[{ALL_HAN}]")
_KANA_SHARE = 0.2
"""Minimum share of kana: nearly half of a Japanese text is kana; a Chinese text has kana only in names."""

_ONE_AT_A_TIME = threading.Lock()


def is_japanese(text: str) -> bool:
    """True if the share of kana in a text's Han and kana letters is large enough."""
    kana = len(_KANA.findall(text))
    return kana > 0 and kana >= _KANA_SHARE * (kana + len(_HAN.findall(text)))


def japanese_tokens(text: str) -> Iterator[Any]:
    """janome's tokens of a text; one thread at a time, because its cache is not thread-safe."""
    with _ONE_AT_A_TIME:
        tokens = _janome().tokenize(text)
    while True:
        with _ONE_AT_A_TIME:
            token = next(tokens, None)
        if token is None:
            return
        yield token


@cache
def _janome() -> Any:
    from janome.tokenizer import Tokenizer

    return Tokenizer()


@cache
def newmm() -> Any:
    """newmm's function `word_tokenize`."""
    from newmm_tokenizer.tokenizer import word_tokenize

    return word_tokenize
