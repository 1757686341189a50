"""Segmenters that app and engine share."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from anaphora.term_base import word_edges
from anaphora_text import unspaced
from anaphora_text.segmenters import japanese_tokens

BOTH = """
from janome import tokenizer
made = []
class Counted(tokenizer.Tokenizer):
    def __init__(self):
        made.append(self)
        super().__init__()
tokenizer.Tokenizer = Counted
from anaphora.term_base.word_edges import word_edges
from anaphora_text import unspaced
word_edges("すもももももものうち"), unspaced.word_edges("すもももももものうち")
print(len(made))
"""


@pytest.mark.slow
def test_app_and_engine_load_one_dictionary_of_japanese() -> None:
    done = subprocess.run([sys.executable, "-c", BOTH], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]


def test_app_and_engine_cut_the_same_text_alike() -> None:
    text = "東京の天気"  # a fifth of it is kana
    assert set(word_edges.word_edges(text)) | {len(text)} == unspaced.word_edges(text)


def test_nobody_waits_for_the_whole_of_anothers_long_text() -> None:
    text = "すもももももものうち。" * 10_000
    assert list(japanese_tokens("東京"))  # the dictionary is loaded
    begun = time.process_time()
    tokens = japanese_tokens(text)
    first = next(tokens)
    assert [token.surface for token in japanese_tokens("東京の天気")] == ["東京", "の", "天気"]
    assert time.process_time() - begun < 1, "a part of it was cut, not all"
    assert first.surface == "すもも" and next(tokens).surface == "も"
