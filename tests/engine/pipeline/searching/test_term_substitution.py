"""Substitution of terms for a draft's own words."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora_nmt.pipeline.searching import term_substitution
from anaphora_nmt.pipeline.searching.term_substitution import UnspacedWords
from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms, TermOptions, TermPlace
from anaphora_nmt.search.terms import TermGuide

PIECES = [
    "▁the",
    "▁da",
    "ta",
    "▁base",
    "▁is",
    "▁full",
    ".",
    "▁store",
    "▁Store",
    "s",
    "▁Full",
    "(",
    "store",
    "库",
    "满",
    "-",
    "ent",
    "ropy",
    "▁No",
    "▁Non",
]
(
    THE,
    DA,
    TA,
    BASE,
    IS,
    FULL,
    STOP,
    STORE,
    CAPITAL,
    PLURAL,
    CAPITAL_FULL,
    OPEN,
    BARE,
    HAN,
    HAN_FULL,
    HYPHEN,
    ENT,
    ROPY,
    NO,
    NON,
) = range(20)
KINDS = PieceKinds.of(PIECES)
DRAFT = (THE, DA, TA, BASE, IS, FULL, STOP)
LOOKED = (2, 2, 2, 2, 4, 5, 6)


def terms(*forms: tuple[int, ...], columns: tuple[int, ...] = (2,)) -> SentenceTerms:
    return SentenceTerms((TermPlace(columns, 0),), (forms,))


def substitute_terms(
    pieces: tuple[int, ...],
    looked: Sequence[int],
    given: SentenceTerms,
    words: UnspacedWords = UnspacedWords(),
) -> list[tuple[int, ...]]:
    return [each.pieces for each in term_substitution.substitute_terms(pieces, looked, given, KINDS, words)]


def test_words_that_attend_to_the_term_are_replaced_after_their_article() -> None:
    found = substitute_terms(DRAFT, LOOKED, terms((STORE,), (STORE, PLURAL), (CAPITAL,), (BARE,)))
    assert found == [(THE, STORE, IS, FULL, STOP), (THE, STORE, PLURAL, IS, FULL, STOP)]


def test_a_capital_or_a_missing_space_is_kept() -> None:
    forms = terms((STORE,), (CAPITAL,), (BARE,), columns=(5,))
    assert substitute_terms((IS, CAPITAL_FULL), (4, 5), forms) == [(IS, CAPITAL)]
    forms = terms((BARE,), (HAN,), columns=(5,))
    assert substitute_terms((IS, HAN_FULL, HAN), (4, 5, 6), forms)[-1] == (IS, HAN, HAN)


def test_each_place_gets_a_form_and_correct_words_stay() -> None:
    two = SentenceTerms((TermPlace((2,), 0), TermPlace((5,), 0)), (((STORE,), (STORE, PLURAL)),))
    found = substitute_terms((THE, DA, TA, IS, STORE), (2, 2, 2, 4, 5), two)
    assert found == [(THE, STORE, IS, STORE), (THE, STORE, PLURAL, IS, STORE)]


def test_nothing_is_substituted_without_separate_words_for_the_terms() -> None:
    assert substitute_terms(DRAFT, LOOKED, terms((STORE,), columns=(9,))) == []
    same = SentenceTerms((TermPlace((2,), 0), TermPlace((2,), 1)), (((STORE,),), ((CAPITAL,),)))
    assert substitute_terms(DRAFT, LOOKED, same) == []


def test_a_hyphenated_word_is_replaced_whole_or_in_part() -> None:
    compound = (THE, BASE, HYPHEN, ENT, ROPY, STOP)
    whole = substitute_terms(compound, (0, 2, 3, 2, 2, 6), terms((STORE,), (BARE,)))
    assert whole == [(THE, STORE, STOP)], "no “store-entropy”"
    first = substitute_terms(compound, (0, 2, 3, 4, 4, 6), terms((STORE,), (BARE,)))
    assert first == [(THE, STORE, HYPHEN, ENT, ROPY, STOP)]
    second = substitute_terms(compound, (0, 4, 4, 2, 2, 6), terms((STORE,), (BARE,)))
    assert second == [(THE, BASE, HYPHEN, BARE, STOP)]


def test_a_negation_within_a_term_is_replaced_too() -> None:
    forms = terms((STORE,), (CAPITAL,), (BARE,))
    assert substitute_terms((NO, DA, TA, IS), (2, 2, 2, 4), forms) == [(CAPITAL, IS)]
    assert substitute_terms((NON, HYPHEN, DA, TA, IS), (2, 2, 2, 2, 4), forms) == [(CAPITAL, IS)]
    assert substitute_terms((NO, DA, TA, IS), (1, 2, 2, 4), forms) == [(NO, STORE, IS)]


def test_a_word_after_a_bracket_or_chinese_character_is_separate() -> None:
    assert substitute_terms((IS, OPEN, ENT, ROPY), (4, 5, 2, 2), terms((STORE,), (BARE,))) == [
        (IS, OPEN, BARE)
    ]
    assert substitute_terms((HAN, ENT, ROPY), (4, 2, 2), terms((HAN_FULL,))) == [(HAN, HAN_FULL)]


def unmet(given: SentenceTerms, *pieces: int) -> int:
    guide = TermGuide([given], KINDS, TermOptions())
    assert guide.count_unrendered(0, pieces) == guide.count_missing_terms(0, pieces)
    return guide.count_unrendered(0, pieces)
