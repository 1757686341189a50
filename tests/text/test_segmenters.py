"""Segmenters that app and engine share."""

from __future__ import annotations

import subprocess
import sys

import pytest

from anaphora.term_base import word_edges
from anaphora_nmt.text import unspaced

BOTH = """
from janome import tokenizer
made = []
class Counted(tokenizer.Tokenizer):
    def __init__(self):
        made.append(self)
        super().__init__()
tokenizer.Tokenizer = Counted
from anaphora.term_base.word_edges import word_edges
from anaphora_nmt.text import unspaced
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
