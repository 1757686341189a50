"""Chinese words: jieba segments them before sentencepiece, so that no piece spans two words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from anaphora_nmt.text.protect import FIRST_PLACEHOLDER, MAX_PLACEHOLDERS
from anaphora_nmt.text.vocabulary import Vocabulary, train_vocabulary
from anaphora_text.chinese_words import segmenter

_PLACEHOLDER_RUN = re.compile(f"([{chr(FIRST_PLACEHOLDER)}-{chr(FIRST_PLACEHOLDER + MAX_PLACEHOLDERS - 1)}])")


class SegmentedVocabulary(Vocabulary):
    """A sentencepiece model whose input is segmented into words, for encoders trained from scratch."""

    def encode(self, text: str) -> list[int]:
        return super().encode(segment(text))

    def encode_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        found = words(text)
        origins: list[tuple[int, int]] = []  # the span in `text` of each character of the spaced words
        for _, start, end in found:
            if origins:
                origins.append((start, start))  # the space before the word
            origins += [(position, position + 1) for position in range(start, end)]
        origins.append((len(text), len(text)))
        ids, spans = super().encode_with_spans(" ".join(word for word, _, _ in found))
        return ids, [
            (origins[start][0], origins[end - 1][1] if end > start else origins[start][0])
            for start, end in spans
        ]


def load_source_vocabulary(path: Path, encoder: str) -> Vocabulary:
    """The source vocabulary for a kind of encoder; all but the pretrained one read segmented words."""
    return (Vocabulary if encoder == "pretrained" else SegmentedVocabulary).load(path)


def train_source_vocabulary(texts: Iterable[str], size: int) -> bytes:
    """Train a recurrent encoder's vocabulary on normalised, protected texts, which are segmented here."""
    return train_vocabulary((segment(text) for text in texts), size)


def segment(text: str) -> str:
    """The text with single spaces between its words and placeholders."""
    return " ".join(word for word, _, _ in words(text))


def words(text: str) -> list[tuple[str, int, int]]:
    """(word, start, end) of a text's words, placeholders and punctuation marks, without spaces."""
    found: list[tuple[str, int, int]] = []
    position = 0
    for part in _PLACEHOLDER_RUN.split(text):
        for word in segmenter().cut(part):
            if not word.isspace():
                found.append((word, position, position + len(word)))
            position += len(word)
    return found
