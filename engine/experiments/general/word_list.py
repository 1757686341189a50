"""The words that drafts may write without being charged for it: those of the training text.

A word is kept that the targets have at least `SEEN` times, in any case: once may be a typing error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.text.normalize import normalize_target
from anaphora_nmt.text.word_list import WordList, letter_words

SEEN = 2


def seen_words(texts: Iterable[str]) -> WordList:
    """The words of two letters and more that stand in texts often enough."""
    counts = Counter(word for text in texts for word in letter_words(normalize_target(text)))
    return WordList.of(word for word, count in counts.items() if count >= SEEN and len(word) > 1)


def write(out: Path, *corpora: Path) -> None:
    documents = chain.from_iterable(map(read_documents, corpora))
    words = seen_words(target for document in documents for _, target in document.pairs)
    words.save(out)
    print(f"{len(words.words)} words, {out.stat().st_size} bytes")
