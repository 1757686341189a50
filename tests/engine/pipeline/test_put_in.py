"""Terms in the place of a draft's own words: which words, which forms, which draft."""

from __future__ import annotations

from anaphora_nmt.pipeline.put_in import put_in
from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms, TermPlace

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
]
THE, DA, TA, BASE, IS, FULL, STOP, STORE, CAPITAL, PLURAL, CAPITAL_FULL, OPEN, BARE, HAN, HAN_FULL = range(15)
KINDS = PieceKinds.of(PIECES)
DRAFT = (THE, DA, TA, BASE, IS, FULL, STOP)
LOOKED = (2, 2, 2, 2, 4, 5, 6)


def terms(*forms: tuple[int, ...], columns: tuple[int, ...] = (2,)) -> SentenceTerms:
    return SentenceTerms((TermPlace(columns, 0),), (forms,))


def test_the_words_that_looked_at_the_term_are_replaced_and_their_article_stays() -> None:
    found = put_in(DRAFT, LOOKED, terms((STORE,), (STORE, PLURAL), (CAPITAL,), (BARE,)), KINDS)
    assert found == [(THE, STORE, IS, FULL, STOP), (THE, STORE, PLURAL, IS, FULL, STOP)]


def test_a_capital_or_a_missing_space_is_kept() -> None:
    forms = terms((STORE,), (CAPITAL,), (BARE,), columns=(5,))
    assert put_in((IS, CAPITAL_FULL), (4, 5), forms, KINDS) == [(IS, CAPITAL)]
    forms = terms((BARE,), (HAN,), columns=(5,))
    assert put_in((IS, HAN_FULL, HAN), (4, 5, 6), forms, KINDS)[-1] == (IS, HAN, HAN)


def test_each_place_gets_a_form_and_what_is_right_stays() -> None:
    two = SentenceTerms((TermPlace((2,), 0), TermPlace((5,), 0)), (((STORE,), (STORE, PLURAL)),))
    found = put_in((THE, DA, TA, IS, STORE), (2, 2, 2, 4, 5), two, KINDS)
    assert found == [(THE, STORE, IS, STORE), (THE, STORE, PLURAL, IS, STORE)]


def test_nothing_is_put_in_where_no_word_or_the_same_word_looked_at_the_terms() -> None:
    assert put_in(DRAFT, LOOKED, terms((STORE,), columns=(9,)), KINDS) == []
    same = SentenceTerms((TermPlace((2,), 0), TermPlace((2,), 1)), (((STORE,),), ((CAPITAL,),)))
    assert put_in(DRAFT, LOOKED, same, KINDS) == []
