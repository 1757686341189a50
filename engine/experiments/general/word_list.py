"""The list of words of the training text, which drafts may use without a penalty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.text.normalize import normalize_target
from anaphora_nmt.text.word_list import WordList, letter_words

MIN_COUNT = 2


def seen_words(texts: Iterable[str]) -> WordList:
    counts = Counter(word for text in texts for word in letter_words(normalize_target(text)))
    return WordList.of(word for word, count in counts.items() if count >= MIN_COUNT and len(word) > 1)


def write(out: Path, *corpora: Path) -> None:
    documents = chain.from_iterable(map(read_documents, corpora))
    words = seen_words(target for document in documents for _, target in document.pairs)
    words.save(out)
    print(f"{len(words.words)} words, {out.stat().st_size} bytes")
