"""A small vocabulary whose words have one to three pieces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from anaphora_nmt.memory.contents import Contribution, KeptSteps, contribution
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.text.vocabulary import Vocabulary, vocabulary_from_pieces

SPELLING = (
    "▁the ▁s er ver s ▁send ▁data ▁to ▁cli ent ▁a ▁connect ▁and ▁read ▁table base ▁of ▁hold ▁row , . '"
    " ▁cache ▁page ▁write ▁con figur ation ▁before ▁start ▁Data ▁( - ▁x set data ▁ 7"
)


@pytest.fixture(scope="session")
def pieces() -> Vocabulary:
    return Vocabulary(vocabulary_from_pieces([(piece, -3.0) for piece in SPELLING.split()]))


@pytest.fixture(scope="session")
def vocabulary(pieces: Vocabulary) -> WordVocabulary:
    return WordVocabulary(pieces)


@pytest.fixture(scope="session")
def give(pieces: Vocabulary, vocabulary: WordVocabulary) -> Callable[[str], Contribution]:
    """Makes a contribution of a text, with features that depend on its pieces and their places."""

    def build(text: str, steps: KeptSteps = KeptSteps.WORDS) -> Contribution:
        ids = np.array(pieces.encode(text))
        place = np.arange(len(ids))[:, None]
        contexts = np.sin(ids[:, None] * np.arange(1, 4) + place)
        states = np.cos(ids[:, None] * np.arange(2, 7) - place)
        return contribution(ids, contexts, states, vocabulary, steps)

    return build
