"""The penalty on pieces that form unknown words."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from anaphora_nmt.search.constraints import StepScores
from anaphora_nmt.search.out_of_vocabulary import OutOfVocabularyPenalty, SpelledPieces
from anaphora_nmt.text.word_list import NO_WORDS, WordList

PIECES = [
    "</s>",
    "▁scar",
    "rel",
    "let",
    "s",
    "▁red",
    "'",
    "▁",
    ",",
    "▁the",
    "▁Zor",
    "ple",
    "\ue000",
    "-s",
    "▁a",
]
KNOWN = WordList.of(["scarlet", "scarlets", "red", "the", "apple", "scar"])


def adjusted(penalty: OutOfVocabularyPenalty, pieces: list[str], unfinished_word: list[str]) -> Tensor:
    """The addition to the scores of the pieces after others, [1, V]."""
    state = penalty.start(0)
    for piece in unfinished_word:
        state = penalty.advance(state, pieces.index(piece))
    scores = StepScores(torch.zeros(1, len(pieces)), lambda: None)
    scores.adjust([penalty], 0, (state,))
    return scores.values


def charged(unfinished_word: list[str], own: WordList = NO_WORDS) -> set[str]:
    """The pieces with a penalty after others."""
    penalty = OutOfVocabularyPenalty(SpelledPieces.of(PIECES), [(KNOWN, own)])
    scores = adjusted(penalty, PIECES, unfinished_word)
    assert set(scores[0].tolist()) <= {0.0, -4.0}
    return {piece for piece, score in zip(PIECES, scores[0].tolist(), strict=True) if score}


@pytest.mark.parametrize(
    ("unfinished_word", "wrong"),
    [
        ([], {"rel", "let", "▁Zor", "ple"}),
        (["▁the"], {"rel", "let", "s", "ple", "▁Zor"}),  # therel, …
        (["▁scar"], {"rel", "s", "ple", "▁Zor"}),  # scars is not in the list
        (["▁scar", "let"], {"rel", "let", "ple", "▁Zor"}),
        (["▁scar", "rel"], {"▁Zor"}),  # already unknown: later pieces are free
        (["▁Zor"], {"▁Zor"}),
        (["▁the", "\ue000"], {"rel", "let", "ple", "▁Zor"}),  # a word begins after a placeholder
        (["▁the", "'"], {"rel", "let", "ple", "▁Zor"}),
    ],
)
def test_pieces_of_unknown_words_are_penalised_once(unfinished_word: list[str], wrong: set[str]) -> None:
    assert charged(unfinished_word) == wrong


HYPHENS = ["▁Auto", "-", "d", "iff", "er", "ent", "i", "ation", "▁(", "s", ",", "▁auto", "'"]
AUTO = WordList.of(["auto", "diff", "different", "differentiation", "differs"])


@pytest.mark.parametrize(
    ("unfinished_word", "confirmed", "wrong"),
    [
        (["▁Auto", "-", "d", "iff", "er", "ent"], "auto-differentiation", {"▁(", ",", "▁Auto", "▁auto"}),
        (["▁Auto", "-", "d", "iff", "er", "ent"], "auto-complete", set()),
        (
            ["▁Auto", "-", "d", "iff", "er", "ent"],
            "auto-differents",
            set(),
        ),  # a longer ending is not an incomplete word
        (["▁Auto", "-", "d", "iff", "er", "ent", "i", "ation"], "auto-differentiation", set()),
        (["▁(", "d", "iff", "er", "ent"], "auto-differentiation", set()),  # another word
    ],
)
def test_a_hyphenated_word_may_not_end_inside_a_confirmed_one(
    unfinished_word: list[str], confirmed: str, wrong: set[str]
) -> None:
    penalty = OutOfVocabularyPenalty(
        SpelledPieces.of(HYPHENS), [(AUTO, WordList.of([confirmed]))], penalty=4.0
    )
    scores = adjusted(penalty, HYPHENS, unfinished_word)
    ends = {"▁(", ",", "▁Auto", "▁auto", "'", "-"}
    paid = {piece for piece, score in zip(HYPHENS, scores[0].tolist(), strict=True) if score}
    assert paid & ends == wrong


def test_words_of_the_sentence_are_known() -> None:
    assert "▁Zor" not in charged(["▁the"], WordList.of(["Zorple"]))
    assert "ple" not in charged(["▁Zor"], WordList.of(["Zorple"]))
    assert {"rel", ",", "</s>"} <= charged(["▁Zor"], WordList.of(["Zorple"]))
