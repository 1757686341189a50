"""Segmenters that app and engine share."""

from __future__ import annotations

import time

from anaphora_text.unspaced import japanese_tokens


def test_threads_do_not_wait_for_whole_long_texts() -> None:
    text = "すもももももものうち。" * 10_000
    assert list(japanese_tokens("東京"))  # the dictionary is loaded
    begun = time.process_time()
    tokens = japanese_tokens(text)
    first = next(tokens)
    assert [token.surface for token in japanese_tokens("東京の天気")] == ["東京", "の", "天気"]
    assert time.process_time() - begun < 1, "only a part of it was segmented"
    assert first.surface == "すもも" and next(tokens).surface == "も"
