"""Segmenters that app and engine share."""

from __future__ import annotations

import time

from anaphora_text.segmenters import japanese_tokens


def test_no_one_waits_for_the_whole_of_anothers_long_text() -> None:
    text = "すもももももものうち。" * 10_000
    assert list(japanese_tokens("東京"))  # the dictionary is loaded
    begun = time.process_time()
    tokens = japanese_tokens(text)
    first = next(tokens)
    assert [token.surface for token in japanese_tokens("東京の天気")] == ["東京", "の", "天気"]
    assert time.process_time() - begun < 1, "a part of it was cut, not all"
    assert first.surface == "すもも" and next(tokens).surface == "も"
